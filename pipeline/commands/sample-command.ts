import {join} from "node:path";
import type {Command} from "commander";
import {packageRoot} from "../../lib/paths.ts";
import {writeSample} from "../sample/write-sample.ts";
import {print} from "./output.ts";
import {today} from "./settings.ts";

/** Adds `sample`, which generates input in the publishers' own formats, to try everything without a download. */
export function sampleCommand(cattle: Command): void {
  cattle
    .command("sample")
    .description("write generated sample input (no real sale, venue, parcel or owner)")
    .option("--to <dir>", "folder to write", join(packageRoot, "data", "sample"))
    .option("--as-of <date>", "day up to which sales are generated; today in UTC when absent")
    .action(async (flags: {to: string; asOf?: string}) => {
      const files = await writeSample(flags.to, flags.asOf ?? today());
      print(`${files.length} files of generated sample data below ${flags.to}`);
    });
}
