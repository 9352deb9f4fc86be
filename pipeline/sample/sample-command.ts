import {join} from "node:path";
import type {Command} from "commander";
import {asOfDate, print} from "../commands/command-line.ts";
import {writeSample} from "./write-sample.ts";

/** Adds `sample`, which generates input in the publishers' own formats, for trying everything without a download. */
export function sampleCommand(cattle: Command): void {
  cattle
    .command("sample")
    .description("write generated sample input (no real sale, venue, parcel or owner)")
    .option("--to <dir>", "folder to write", join("data", "sample"))
    .option("--as-of <date>", "day up to which sales are generated; today in UTC when absent")
    .action(async (flags: {to: string; asOf?: string}) => {
      const files = await writeSample(flags.to, asOfDate(flags.asOf));
      print(`${files.length} files of generated sample data below ${flags.to}`);
    });
}
