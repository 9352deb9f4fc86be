import type {Command} from "commander";
import {isUserError, messageOf, textOfFault} from "../../lib/errors.ts";
import {lockRun} from "../../lib/process/run-folder.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import {writeNote} from "../../lib/text/terminal-output.ts";
import type {PlannedSource} from "../fetch/fetch-plan.ts";
import {exitCodeOf, isNotWhole, type Outcome} from "../fetch/fetch-states.ts";
import {notAsked} from "../fetch/run.ts";
import {warningWords} from "../parts/freshness-gate.ts";
import {type BuildResult, build, exitCode} from "../publish/build.ts";
import {collectGarbage} from "../publish/gc.ts";
import {writeNightMetrics} from "../report/build-metrics.ts";
import {allReports, isUnread} from "../results/report-counts.ts";
import {buildOptions, jobsHelp, measured} from "./build-commands.ts";
import {printKeptBack, shortReason} from "./build-output.ts";
import {chosenData, print, runClock} from "./command-line.ts";
import {fetchPlan, runPlan, tryWriteMetrics} from "./fetch-command.ts";
import {linesToMend, printOutcomes} from "./fetch-output.ts";
import {STOPPED} from "./stopping.ts";

/** The outcome of one part of the night. */
type PartEnd = {readonly code: number; readonly words: string};

type NightFlags = {out?: string; jobs?: string; delta?: string[]};

/** Exit codes from best to worst. */
const byWeight = [0, 3, 4, 1, STOPPED];

/** Adds `nightly`: fetches and publishes the market, then the parcels state by state; then gc, and a one-line verdict. */
export function nightlyCommand(cattle: Command): void {
  cattle
    .command("nightly")
    .description(
      "fetch and publish the market, then the parcels state by state, and remove old builds and raw files; prints a one-line verdict and exits with the worst part's code",
    )
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option("--jobs <n>", jobsHelp)
    .option("--delta <dir...>", "delta folders copied from other servers, to be merged beside this one's")
    .action(async (flags: NightFlags) => {
      process.exitCode = await runNight(chosenData(flags.out), flags);
    });
}

/**
 * Runs the night's parts in sequence; a failing part does not stop the others, but a part that a person stopped ends the night. Throws a
 * `UserError` if a night is already running.
 */
async function runNight(data: DataFolder, flags: NightFlags): Promise<number> {
  await using _lock = await lockRun(data, "nightly");
  const plan = await fetchPlan(data);
  const isMarket = ({source}: PlannedSource) => source.kind === "market";
  const parcels = plan.filter((planned) => !isMarket(planned));
  const steps: readonly (() => Promise<PartEnd | PartEnd[]>)[] = [
    () => ended("market", () => fetchPart(data, plan.filter(isMarket))),
    () => ended("build", () => buildPart(flags)),
    () => parcelParts(data, parcels, flags),
    () => ended("gc", () => gcPart(data)),
  ];
  const parts: PartEnd[] = [];
  for (const step of steps) {
    parts.push(...[await step()].flat());
    if (parts.some(isStopped)) break;
  }
  const code = byWeight.at(Math.max(...parts.map((part) => byWeight.indexOf(part.code)))) ?? 1;
  await tryWriteMetrics(() => writeNightMetrics(data, code, runClock()()));
  print(`nightly: ${parts.map(({words}) => words).join("; ")}; exit ${code}`);
  return code;
}

function isStopped({code}: PartEnd): boolean {
  return code === STOPPED;
}

async function ended(name: string, work: () => Promise<PartEnd>): Promise<PartEnd> {
  try {
    const {code, words} = await work();
    return {code, words: `${name} ${words}`};
  } catch (error) {
    const isOurs = isUserError(error) || !(error instanceof Error);
    writeNote(`${textOfFault(error)}\n`);
    // A night without any raw file publishes nothing, but nothing is broken.
    const code = name === "build" && isOurs ? 4 : 1;
    return {code, words: `${name} failed: ${messageOf(error).split("\n")[0]}`};
  }
}

/**
 * Fetches the parcels. A state is built and published as soon as all of its sources have ended, while others are still being fetched. A
 * final build covers the rest, such as a state whose build failed.
 */
async function parcelParts(
  data: DataFolder,
  plan: readonly PlannedSource[],
  flags: NightFlags,
): Promise<PartEnd[]> {
  if (!plan.some(({action}) => action === "ask")) {
    printOutcomes(plan.map(notAsked), false);
    return [];
  }
  const waiting = Map.groupBy(
    plan.filter(({action}) => action === "ask"),
    ({source}) => source.state ?? "",
  );
  const stateOf = new Map(plan.map(({source}) => [source.id, source.state ?? ""]));
  const hasNews = new Set<string>();
  let building = Promise.resolve();
  const onEnd = ({source, status, files}: Outcome): void => {
    const state = stateOf.get(source) ?? "";
    if (status === "new" || files > 0) hasNews.add(state);
    const left = waiting.get(state)?.filter((planned) => planned.source.id !== source) ?? [];
    waiting.set(state, left);
    if (left.length > 0 || state === "" || !hasNews.has(state)) return;
    building = building.then(async () => {
      const {words} = await ended(state, () => buildPart(flags, state));
      print(`nightly: ${words}`);
    });
  };
  const fetched = await ended("parcels", () => fetchPart(data, plan, onEnd));
  await building;
  return isStopped(fetched) ? [fetched] : [fetched, await ended("build", () => buildPart(flags))];
}

async function fetchPart(
  data: DataFolder,
  plan: readonly PlannedSource[],
  onEnd?: (outcome: Outcome) => void,
): Promise<PartEnd> {
  const {outcomes, ...run} = await runPlan(data, plan, onEnd === undefined ? {} : {onEnd});
  printOutcomes(outcomes, false);
  const count = (...statuses: Outcome["status"][]) =>
    outcomes.filter(({status}) => statuses.includes(status));
  const bad = outcomes.filter(isNotWhole).map(({source}) => source);
  const underWay = count("under way").map(({source, reason}) => `${source} ${reason}`);
  const toMend = linesToMend(outcomes);
  const words = [
    `${count("new").length} new, ${count("unchanged").length} unchanged`,
    ...(underWay.length === 0 ? [] : [`${underWay.length} under way (${underWay.join("; ")})`]),
    bad.length === 0 ? "0 not whole" : `${bad.length} not whole (${bad.join(", ")})`,
    ...(toMend.length === 0 ? [] : [`${toMend.length} to mend`]),
  ].join(", ");
  for (const line of toMend) print(`to mend: ${line}`);
  return run.isStopped ? {code: STOPPED, words: `stopped, ${words}`} : {code: exitCodeOf(outcomes), words};
}

/** Builds what is due, or only the named state. */
async function buildPart(flags: NightFlags, state?: string): Promise<PartEnd> {
  const options = await buildOptions({
    ...flags,
    reuse: true,
    ...(state === undefined ? {} : {state: [state]}),
  });
  let end: PartEnd = {code: 1, words: "failed"};
  await measured(options, async () => {
    end = builtEnd(await build(options));
    return end.code;
  });
  return end;
}

function builtEnd(result: BuildResult): PartEnd {
  printKeptBack(result);
  for (const file of allReports(result.report).filter(isUnread)) print(`not read: ${shortReason(file)}`);
  return {code: exitCode(result), words: buildWords(result)};
}

function buildWords({outcome, buildId, heldBack, report, gates}: BuildResult): string {
  const reports = allReports(report);
  const unread = reports.filter(isUnread).length;
  const notes = [
    heldBack.length > 0 && `${heldBack.length} held back`,
    unread > 0 && `${unread} files not read`,
    ...warningWords(reports, gates),
  ].filter((note) => note !== false);
  return [`${outcome} ${buildId}`, ...notes].join(", ");
}

async function gcPart(data: DataFolder): Promise<PartEnd> {
  const {remove, raw} = await collectGarbage(data);
  return {code: 0, words: `removed ${remove.length} builds and ${raw.length} old files`};
}
