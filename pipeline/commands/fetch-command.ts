import {existsSync} from "node:fs";
import {dirname, resolve} from "node:path";
import type {Command} from "commander";
import {messageOf} from "../../lib/errors.ts";
import {programVersion} from "../../lib/paths.ts";
import {lockRun} from "../../lib/process/run-folder.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {readDecisions} from "../../lib/registry/layer-terms.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import {writeNote} from "../../lib/text/terminal-output.ts";
import {type PlannedSource, planFetch} from "../fetch/fetch-plan.ts";
import {exitCodeOf, FetchPaces, FetchStates, type Outcome} from "../fetch/fetch-states.ts";
import {namedSources, registeredSources, wantedLayers} from "../fetch/jobs/known-sources.ts";
import {type ProbeResult, probeSources} from "../fetch/probe/probe.ts";
import {runFetch} from "../fetch/run.ts";
import {isStated} from "../parcels/datasets.ts";
import {type DeltaInputs, readDeltaInputs} from "../parts/delta-inputs.ts";
import {freeBytes} from "../parts/preflight.ts";
import {currentBuild} from "../parts/published-builds.ts";
import {writeFetchMetrics} from "../report/build-metrics.ts";
import {chosenData, print, printJson, runClock, textTable} from "./command-line.ts";
import {duration, lackOfRoom, printFetchPlan, printOutcomes, progressOnStderr, size} from "./fetch-output.ts";
import {STOPPED, stopSignal} from "./stopping.ts";

type FetchFlags = {
  source?: string[];
  raw?: string;
  out?: string;
  dryRun?: boolean;
  probe?: boolean;
  json?: boolean;
};

/** Adds `fetch`. */
export function fetchCommand(cattle: Command): void {
  cattle
    .command("fetch")
    .description("fetch the sources that are due, and store what is new in the raw folder")
    .option("--source <id...>", "only these feeds, entries or cadastre layers, due or not")
    .option("--raw <dir>", "folder of raw files (default: raw/ in the data folder)")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option(
      "--dry-run",
      "show what would be requested, how often and how long it takes, without requesting anything",
    )
    .option(
      "--probe",
      "check each source: layer page, count, mapped columns, one row as it would be read; store only the measurements",
    )
    .option("--json", "plan, findings or outcomes as JSON")
    .action(async (flags: FetchFlags) => {
      const data = chosenData(flags.out);
      if (flags.probe) {
        process.exitCode = await probe(data, flags);
        return;
      }
      const plan = await fetchPlan(data, flags);
      if (flags.dryRun) {
        const means = {
          freeBytes: await freeBytes(existing(data.root)),
          hours: readSettings().CATTLE_FETCH_HOURS,
        };
        return printFetchPlan(plan, means, flags.json ?? false);
      }
      const {outcomes, isStopped} = await runPlan(data, plan, flags);
      printOutcomes(outcomes, flags.json ?? false);
      process.exitCode = isStopped ? STOPPED : exitCodeOf(outcomes);
    });
}

/** Returns the folder itself, or its nearest existing ancestor. */
function existing(dir: string): string {
  const path = resolve(dir);
  return existsSync(path) ? path : existing(dirname(path));
}

/** Plans a run from registry, settings and the outcomes of earlier runs; sends no request. */
export async function fetchPlan(
  data: DataFolder,
  {source, raw}: Pick<FetchFlags, "source" | "raw"> = {},
): Promise<PlannedSource[]> {
  const rawDir = raw ?? data.raw;
  const states = await new FetchStates(rawDir).all();
  const paces = await new FetchPaces(rawDir).all();
  const facts = {settings: readSettings(), states, paces, now: runClock()()};
  const decisions = readDecisions(data);
  if (source !== undefined) return planFetch(namedSources(source, decisions), {...facts, areNamed: true});
  const delta = await discoveries(data);
  const registry = registeredSources(decisions);
  const layers = wantedLayers(delta, states, registry, decisions);
  const sources = [...registry, ...layers.sources];
  return planFetch(sources, {...facts, areNamed: false, layerReasons: layers.reasons});
}

/** The parcels found on misses; without them, if they cannot be read, only layers that were never pulled are not asked. */
async function discoveries(data: DataFolder): Promise<Pick<DeltaInputs, "states">> {
  try {
    const delta = await readDeltaInputs([data.delta], await currentBuild(data));
    for (const {fault} of delta.states.values())
      if (fault !== undefined) writeNote(`found parcels not read: ${fault}\n`);
    return delta;
  } catch (error) {
    writeNote(`found parcels not read: ${messageOf(error)}\n`);
    return {states: new Map()};
  }
}

/**
 * Probes the named sources, or all of the registry, due or not; returns 3 if one moved or failed. It holds the fetch lock, because the
 * rates of hosts are those of one process.
 */
async function probe(data: DataFolder, {source, raw, json = false}: FetchFlags): Promise<number> {
  const decisions = readDecisions(data);
  const sources = source === undefined ? registeredSources(decisions) : namedSources(source, decisions);
  const settings = readSettings();
  const paces = new FetchPaces(raw ?? data.raw);
  const facts = {settings, states: new Map(), paces: await paces.all(), now: runClock()(), areNamed: true};
  using stop = stopSignal();
  await using _lock = await lockRun(data, "fetch");
  const results = await probeSources(planFetch(sources, facts), {
    ...{settings, paces, signal: stop.signal, now: runClock()},
    userAgent: userAgentOf(settings.CATTLE_CONTACT),
    onEnd: ({source: {id}, status}) => writeNote(`${id}  ${status}\n`),
  });
  printProbed(results, json);
  if (stop.signal.aborted) return STOPPED;
  return results.some(({status}) => status === "moved" || status === "failed") ? 3 : 0;
}

/** Runs a plan under the fetch lock and returns its outcomes. SIGINT and SIGTERM end it early; what was fetched stays. */
export async function runPlan(
  data: DataFolder,
  plan: readonly PlannedSource[],
  {raw, onEnd}: Pick<FetchFlags, "raw"> & {onEnd?: (outcome: Outcome) => void} = {},
): Promise<{readonly outcomes: Outcome[]; readonly isStopped: boolean}> {
  const settings = readSettings();
  const rawDir = raw ?? data.raw;
  const states = new FetchStates(rawDir);
  using stop = stopSignal();
  const lack = lackOfRoom(plan, await freeBytes(existing(data.root)));
  if (lack !== null) writeNote(`${lack}\n`);
  const release = await lockRun(data, "fetch");
  const listener = progressOnStderr();
  try {
    const outcomes = await runFetch(plan, {
      ...{rawDir, settings, states, signal: stop.signal},
      before: await states.all(),
      userAgent: userAgentOf(settings.CATTLE_CONTACT),
      listener: {
        ...listener,
        ends: (outcome) => {
          listener.ends(outcome);
          onEnd?.(outcome);
        },
      },
      now: runClock(),
    });
    return {outcomes, isStopped: stop.signal.aborted};
  } finally {
    await tryWriteMetrics(async () => writeFetchMetrics(data, (await states.all()).values(), runClock()()));
    await release();
  }
}

/** Writes metrics; a failure is reported but stops nothing. */
export async function tryWriteMetrics(write: () => Promise<void>): Promise<void> {
  await write().catch((error: unknown) => {
    writeNote(`metrics: not written: ${messageOf(error)}\n`);
  });
}

/** The name under which the program asks publishers. */
export function userAgentOf(contact: string): string {
  const program = `cattle-market-intelligence/${programVersion()}`;
  return contact === "" ? program : `${program} (${contact})`;
}

/** Prints the probe results, then the sample rows, and why a source differs from its entry. */
function printProbed(results: readonly ProbeResult[], json: boolean): void {
  if (json) {
    printJson(
      results.map(({source, ...result}) => ({source: source.id, terms: termsOf({source}), ...result})),
    );
    return;
  }
  print(
    textTable(
      ["source", "found", "terms", "rows", "page", "size", "time", "reason"],
      results.map((result) => {
        const {source, status, reason, rows, pageRows, cost} = result;
        return [
          source.id,
          status,
          termsOf(result),
          rows?.toLocaleString("en-US") ?? "-",
          pageRows?.toLocaleString("en-US") ?? "-",
          cost?.bytes == null ? "-" : size(cost.bytes),
          cost === null ? "-" : duration(cost.seconds),
          reason ?? "",
        ];
      }),
    ),
  );
  for (const {source, row} of results) {
    if (row === null || !("row" in row)) continue;
    const members = Object.entries(row.row).map(([name, value]) => `${name}=${cellText(value)}`);
    print(`${source.id}: ${members.join(" · ")}`);
  }
  const count = (status: ProbeResult["status"]) =>
    results.filter((result) => result.status === status).length;
  print(
    `${count("ok")} as expected, ${count("moved")} moved, ${count("failed")} failed, ${count("not asked")} not asked`,
  );
}

/** Words what a source's terms allow; a feed is offered by its publisher. */
function termsOf({source: {entry, bulkRefusal}}: Pick<ProbeResult, "source">): string {
  if (entry === null) return "-";
  if (bulkRefusal === null) return "may be taken";
  return isStated(entry.licence) ? "not taken whole" : "not known";
}

function cellText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value)
    ? value.map(cellText).join(", ")
    : typeof value === "object"
      ? "{…}"
      : String(value).slice(0, 60);
}
