import {existsSync} from "node:fs";
import {realpath} from "node:fs/promises";
import {join} from "node:path";
import {makeOwnFolder, sharedFolder} from "@open-cattle/safe-files";
import type {Command} from "commander";
import {countWithNoun} from "../../lib/counts.ts";
import {messageOf, UsageError} from "../../lib/errors.ts";
import {stateCodeOf} from "../../lib/geography/states.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {readDecisions} from "../../lib/registry/layer-terms.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import {currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import {endProcess} from "../../lib/system/libc.ts";
import {writeNote} from "../../lib/text/terminal-output.ts";
import type {Acceptance} from "../../schemas/manifest.ts";
import {type BuildOptions, sortedAcceptances} from "../parts/options.ts";
import {assemble} from "../publish/assemble.ts";
import {build, dryRun} from "../publish/build.ts";
import {buildPart} from "../publish/build-part.ts";
import {rememberFirstSeen} from "../raw/first-seen.ts";
import {listRawFiles, type RawFile} from "../raw/raw-files.ts";
import {writeBuildMetrics} from "../report/build-metrics.ts";
import {printBuildResult, printPlan} from "./build-output.ts";
import {asOfDate, chosenData, runClock} from "./command-line.ts";
import {explainTarget} from "./explain-target.ts";
import {shownProgress} from "./progress.ts";
import {STOPPED} from "./stopping.ts";

type RawInputOptions = {
  readonly data: DataFolder;
  readonly now: () => Date;
  /** False for a dry run, which must leave nothing behind. */
  readonly keep: boolean;
} & NonNullable<Parameters<typeof listRawFiles>[1]>;

type BuildFlags = {
  raw?: string;
  out?: string;
  state?: string[];
  market?: boolean;
  asOf?: string;
  reuse: boolean;
  accept?: string[];
  reason?: string;
  dryRun?: boolean;
  part?: string;
  jobs?: string;
  delta?: string[];
  explain?: string | true;
  keepModels?: boolean;
  files?: boolean;
  json?: boolean;
};

export const jobsHelp =
  "number of parts (states, and the market) to build in parallel, each in its own process (default: 1)";

/** Adds `build` and `assemble`. */
export function buildCommands(cattle: Command): void {
  cattle
    .command("build")
    .description("build what is due from the raw files, check the gates, and publish")
    .option("--raw <dir>", "folder of raw files (default: raw/ in the data folder)")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option(
      "--state <state...>",
      "only these states; the others and the market are linked from the current build",
    )
    .option(
      "--market",
      "only the market, or the market with --state; the rest is linked from the current build",
    )
    .option("--as-of <date>", "day from which all ages are counted, YYYY-MM-DD (default: today in UTC)")
    .option("--no-reuse", "build every part, even those whose inputs did not change")
    .option("--accept <gate...>", "publish despite a failed gate, such as TX:rows or MARKET:price-drift")
    .option("--reason <text>", "why the gates are accepted; recorded in the manifest")
    .option("--dry-run", "show what would be done, and do nothing")
    .option(
      "--part <dir>",
      "build one part, --state XX or --market, into this folder, to be published by assemble",
    )
    .option("--jobs <n>", jobsHelp)
    .option("--delta <dir...>", "delta folders copied from other servers, to be merged beside this one's")
    .option(
      "--explain [model]",
      "print the models of the market in the order in which they are made, with rows, seconds and memory of the published build; of a model, those that it needs; of TABLE.column, the way to where its value is computed, with the formula and who reads it; of a state (TX), the models of its parcels, of TX.MODEL those that it needs, of TX.COLUMN or TX.MODEL.COLUMN the way of a column from the source's own on; build nothing",
    )
    .option("--keep-models", "make the market again and leave its models for cattle sql --models")
    .option("--files", "print one line per file; the report has them in any case")
    .option("--json", "the result as JSON")
    .action(async (flags: BuildFlags) => {
      process.exitCode = await runBuild(flags);
    });
  cattle
    .command("assemble <dir...>")
    .description("gate and publish parts that build --part made; the rest is linked from the current build")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option("--accept <gate...>", "publish despite a failed gate")
    .option("--reason <text>", "why the gates are accepted")
    .option("--files", "print one line per file; the report has them in any case")
    .option("--json", "the result as JSON")
    .action(async (dirs: string[], flags: BuildFlags) => {
      const options = await buildOptions({...flags, reuse: true});
      process.exitCode = await measured(options, async () => {
        const result = await interruptible(options.data, () => assemble(dirs, options));
        return printBuildResult(result, options.data, flags);
      });
    });
}

async function runBuild(flags: BuildFlags): Promise<number> {
  if (flags.explain !== undefined) {
    const target = flags.explain === true ? undefined : flags.explain;
    return explainTarget(chosenData(flags.out), target, flags.json ?? false);
  }
  const options = await buildOptions(flags);
  if (flags.dryRun) return printPlan(await dryRun(options), flags.json ?? false);
  const {data} = options;
  if (flags.part === undefined) {
    return measured(options, async () =>
      printBuildResult(await interruptible(data, () => build(options)), data, flags),
    );
  }
  const {part} = flags;
  if (flags.keepModels)
    throw new UsageError("--keep-models keeps the models of a build, and --part publishes none.");
  const [name, ...others] = options.only ?? [];
  if (name === undefined || others.length > 0)
    throw new UsageError("--part builds one part: add --state XX or --market.");
  const made = await interruptible(data, () => buildPart(name, part, options), part);
  return printBuildResult(made, data, flags);
}

/** Runs a build and writes its metrics, even if it fails. A failure to write them is reported but stops nothing. */
export async function measured(options: BuildOptions, run: () => Promise<number>): Promise<number> {
  let code = 1;
  try {
    code = await run();
    return code;
  } finally {
    await writeBuildMetrics(options.data, code, options.now()).catch((error: unknown) => {
      writeNote(`metrics: not written: ${messageOf(error)}\n`);
    });
  }
}

/** Returns the options of a build from its flags and the settings. Throws a `UsageError` for an invalid flag. */
export async function buildOptions(flags: BuildFlags): Promise<BuildOptions> {
  refuseAbsentFolder(flags.raw);
  if (flags.keepModels && flags.state !== undefined && !flags.market)
    throw new UsageError("--keep-models needs the market: add --market, or leave --state out.");
  for (const dir of flags.delta ?? []) refuseNoDelta(dir);
  // Loaded lazily: the readers of all formats take longer to load than most other commands to run.
  const {projectStages} = await import("../parts/project-stages.ts");
  const {inProcesses} = await import("../parts/stage-jobs.ts");
  const data = chosenData(flags.out);
  const rawDir = flags.raw ?? data.raw;
  const now = runClock();
  const jobs = jobsOf(flags.jobs);
  const facts = {futuresLicensed: readSettings().CATTLE_FUTURES_LICENSED, decisions: readDecisions(data)};
  const stages = projectStages(facts);
  return {
    rawDir,
    listFiles: (needsDigest, onProgress) =>
      rawFiles(rawDir, {data, now, keep: flags.dryRun !== true, needsDigest, onProgress}),
    data,
    asOf: asOfDate(flags.asOf),
    only: askedParts(flags),
    noReuse: !flags.reuse,
    keepModels: flags.keepModels ?? false,
    acceptances: acceptances(flags),
    deltaFolders: flags.delta ?? [],
    allowNetworkFs: readSettings().CATTLE_ALLOW_NETWORK_FS,
    stages: jobs === 1 ? stages : inProcesses(stages, {...facts, jobs}),
    jobs,
    now,
    step: shownProgress({atOnce: jobs}),
  };
}

function jobsOf(text = "1"): number {
  if (!/^[1-9]\d?$/.test(text))
    throw new UsageError(`--jobs: ${JSON.stringify(text)} is not a number from 1 to 99.`);
  return Number(text);
}

function refuseAbsentFolder(dir: string | undefined): void {
  if (dir === undefined || existsSync(dir)) return;
  throw new UsageError(
    `--raw: ${dir} is not an existing folder; "cattle sample --to ${dir}" writes generated input.`,
  );
}

/** Refuses a folder that is not a copy of a server's delta; a wrong path would silently lose discoveries. */
function refuseNoDelta(dir: string): void {
  if (!existsSync(dir)) throw new UsageError(`--delta: ${dir} is not an existing folder.`);
  if (existsSync(join(dir, "delta")))
    throw new UsageError(`--delta: ${dir} is a data folder; name ${join(dir, "delta")}.`);
}

/** Returns the parts named by the flags; null if they name none, which means all. */
function askedParts({state, market = false}: BuildFlags): string[] | null {
  if (state === undefined && !market) return null;
  return [...(market ? [MARKET] : []), ...(state ?? []).map(stateCode)];
}

function stateCode(text: string): string {
  const code = stateCodeOf(text);
  if (code !== undefined) return code;
  throw new UsageError(
    `--state: ${JSON.stringify(text)} is neither code nor name of a state, DC, a territory or Manitoba.`,
  );
}

function acceptances({accept = [], reason}: BuildFlags): Acceptance[] {
  if (accept.length > 0 && !reason) throw new UsageError("--accept needs --reason: say why.");
  const accepted = accept.map((text) => {
    const [, part, gate] = /^([A-Z]{2}|MARKET|BUILD):([a-z-]+)$/.exec(text) ?? [];
    if (part === undefined || gate === undefined) {
      throw new UsageError(`--accept: ${JSON.stringify(text)} is not STATE:GATE (such as TX:rows).`);
    }
    return {part, gate, reason: reason!};
  });
  return sortedAcceptances(accepted);
}

/**
 * Lists the input files of a build. With `keep`, records when a file without a meta was first seen: in a meta file if the raw folder
 * belongs to the data folder, otherwise in the data folder. Throws a `UserError` if the raw folder is absent.
 */
export async function rawFiles(
  rawDir: string,
  {data, now, keep, ...options}: RawInputOptions,
): Promise<RawFile[]> {
  const listed = await listRawFiles(rawDir, options);
  const own = (await realpath(data.raw).catch(() => null)) === (await realpath(rawDir));
  if (keep) makeOwnFolder(data.root, sharedFolder);
  const {files, fresh} = await rememberFirstSeen(listed, {now: now(), book: data.firstSeen, own, keep});
  if (fresh.length > 0)
    say(
      `${countWithNoun(fresh.length, "file")} without a time of retrieval: first seen now, as ${own ? "their meta files" : data.firstSeen} say`,
    );
  const undated = files.filter(({retrievedAtFrom, sha256}) => retrievedAtFrom === "mtime" && sha256 !== "");
  if (undated.length > 0)
    say(
      `${countWithNoun(undated.length, "file")} without a time of retrieval; the build remembers when it saw them, and then has another id`,
    );
  return files;
}

function say(text: string): void {
  writeNote(`${text}\n`);
}

/**
 * Runs a build. On Ctrl-C it reports the state of the build and exits with 130; the next command cleans up the dead process's staging
 * folder and lock. `part` is the folder of a part, which is not published.
 */
export async function interruptible<T>(data: DataFolder, work: () => Promise<T>, part?: string): Promise<T> {
  const before = await publishedNow(data);
  const stop = () => {
    void stopText(data, before, part).then((text) => {
      writeNote(`\n${text}\n`);
      endProcess(STOPPED);
    });
  };
  process.once("SIGINT", stop);
  try {
    return await work();
  } finally {
    process.off("SIGINT", stop);
  }
}

async function stopText(data: DataFolder, before: string, part: string | undefined): Promise<string> {
  if (part !== undefined) return `Stopped. ${part} was not made; the same command begins again.`;
  const now = await publishedNow(data);
  if (now !== before) return `Stopped after publishing: ${now} is whole, and it is the one that is served.`;
  const served = now === "" ? "nothing is served, as before" : `${now} is served as before`;
  return `Stopped. Nothing was published: ${served}. The next build clears away what was begun.`;
}

/** Returns the id of the published build; empty if there is none or the link cannot be read. */
async function publishedNow(data: DataFolder): Promise<string> {
  return (await currentBuildId(data).catch(() => null)) ?? "";
}
