import type {Command} from "commander";
import {UserError} from "../../lib/errors.ts";
import {lockBuild} from "../../lib/process/run-folder.ts";
import {buildFolder, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import {buildFaults, manifestFiles, readManifest} from "../../lib/storage/manifest-file.ts";
import {writeNote} from "../../lib/text/terminal-output.ts";
import {collectGarbage, planGc} from "../publish/gc.ts";
import {publishBuild, rollback} from "../publish/publish.ts";
import {retireSegments} from "../publish/segments.ts";
import {chosenData, print, printJson} from "./command-line.ts";
import {deltaFaults} from "./run-check.ts";

/** Adds `publish`, `rollback`, `verify` and `gc`. */
export function publishCommands(cattle: Command): void {
  const out = ["--out <dir>", "data folder, instead of CATTLE_DATA"] as const;
  cattle
    .command("publish <build>")
    .description("verify a build and point current to it")
    .option(...out)
    .action(async (buildId: string, flags: {out?: string}) => {
      const data = chosenData(flags.out);
      await locked(data, async () => {
        await publishBuild(data, buildId);
        // The build may have been made elsewhere, including this server's discoveries.
        await retireSegments(data);
      });
      print(`published ${buildId}`);
    });
  cattle
    .command("rollback [build]")
    .description("publish the previous build, or the given one")
    .option(...out)
    .action(async (buildId: string | undefined, flags: {out?: string}) => {
      const data = chosenData(flags.out);
      print(`published ${await locked(data, () => rollback(data, buildId))}`);
    });
  cattle
    .command("verify [what]")
    .description("check a build (by default the current one) against its manifest, or the lines of delta")
    .option(...out)
    .option("--json", "the faults as JSON")
    .action(async (what: string | undefined, flags: {out?: string; json?: boolean}) => {
      const data = chosenData(flags.out);
      process.exitCode = await verify(data, what, flags.json ?? false);
    });
  cattle
    .command("gc")
    .description(
      "remove builds beyond the last 3 that are older than 48 hours and not in use, and what they needed",
    )
    .option(...out)
    .option("--dry-run", "show what would be removed, and remove nothing")
    .option("--wait", "wait for a running build, instead of exiting")
    .option("--json", "the plan as JSON")
    .action(async (flags: {out?: string; dryRun?: boolean; wait?: boolean; json?: boolean}) => {
      const data = chosenData(flags.out);
      const lock = flags.wait ? {wait: (held: string) => writeNote(`waiting: ${held}\n`)} : {};
      const plan = await (flags.dryRun ? planGc(data) : collectGarbage(data, Date.now(), lock));
      if (flags.json) return printJson(plan);
      for (const {buildId, because} of plan.keep) print(`keep    ${buildId}  ${because}`);
      for (const buildId of plan.remove) print(`${flags.dryRun ? "would go" : "removed"} ${buildId}`);
      for (const buildId of plan.unreadable)
        print(`builds/${buildId}: its manifest cannot be read, so the files that builds need are all kept`);
      for (const {name, fault} of plan.unreadableLeases)
        print(`run/${name}: cannot be read (${fault}); it protects no build`);
      for (const name of [
        ...[...plan.segments, ...plan.quarantine, ...plan.raw, ...plan.leases],
        ...plan.models.map((buildId) => `models/${buildId}`),
      ])
        print(`${flags.dryRun ? "would go" : "removed"} ${name}`);
    });
}

async function locked<T>(data: DataFolder, work: () => Promise<T>): Promise<T> {
  await using _lock = await lockBuild(data);
  return await work();
}

async function verify(data: DataFolder, what: string | undefined, json: boolean): Promise<number> {
  if (what === "delta") return report("delta", await deltaFaults(data), json, "every line is sound");
  const buildId = what ?? (await currentBuildId(data));
  if (buildId === null) throw new UserError(`${data.current}: nothing is published.`);
  const dir = buildFolder(data, buildId);
  const manifest = await readManifest(dir);
  const faults = await buildFaults(dir, manifest, {depth: "full"});
  return report(buildId, faults, json, `${manifestFiles(manifest).length} files as the manifest says`);
}

function report(what: string, faults: {path: string; fault: string}[], json: boolean, good: string): number {
  if (json) printJson({verified: what, faults});
  else if (faults.length === 0) print(`${what}: ${good}`);
  else for (const {path, fault} of faults) print(`${what}: ${path}: ${fault}`);
  return faults.length === 0 ? 0 : 1;
}
