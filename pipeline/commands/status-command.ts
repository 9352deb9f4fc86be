import {stat} from "node:fs/promises";
import type {Command} from "commander";
import {ageDays} from "../../lib/dates.ts";
import {stateCodeOf} from "../../lib/geography/states.ts";
import {failedLayers, readLayerHealth} from "../../lib/registry/layer-health-files.ts";
import {readDecisions} from "../../lib/registry/layer-terms.ts";
import {loadWaves} from "../../lib/registry/parcel-sources.ts";
import {buildFolder, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {FetchStates} from "../fetch/fetch-states.ts";
import {nextDue} from "../fetch/jobs/cadence.ts";
import {registeredSources, wantedLayers} from "../fetch/jobs/known-sources.ts";
import {gateText} from "../parts/gate.ts";
import {partText, readPart} from "../parts/part-folder.ts";
import {heldBackParts} from "../parts/published-builds.ts";
import {allReports, isUnread, readBuildReport} from "../results/report-counts.ts";
import {chosenData, print, printJson, textTable} from "./command-line.ts";
import {deltaSummary, leaseState, lockState, publishedId, type RunState, unsoundFiles} from "./run-check.ts";
import {mainAttributes, newestVintage, percent, showState, termsOf} from "./state-coverage.ts";

/** A source's last run, and when it is due again; null if it is due now or no longer registered. */
type FetchedSource = FetchState & {readonly next_due: string | null};

/** Adds `status`, which shows coverage, freshness, delta, gates and unread files of the published build. */
export function statusCommand(cattle: Command): void {
  cattle
    .command("status [part]")
    .description(
      "show coverage, freshness, delta and gates of the published build, or describe the part in a folder",
    )
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option("--state <XX>", "counties and attributes of one state in full")
    .option("--json", "as JSON")
    .action(async (dir: string | undefined, flags: {out?: string; state?: string; json?: boolean}) => {
      if (dir !== undefined) {
        const {part} = await readPart(dir);
        if (flags.json) printJson(part);
        else print(partText(part));
        return;
      }
      const data = chosenData(flags.out);
      const fetched = await fetchStatus(data);
      if (fetched.length > 0 && (await currentBuildId(data)) === null && !flags.json)
        printFetchStatus(fetched);
      const buildId = await publishedId(data);
      const buildDir = buildFolder(data, buildId);
      const manifest = await readManifest(buildDir);
      const unread = allReports(await readBuildReport(buildDir))
        .filter(isUnread)
        .map(({path}) => path);
      const delta = (await stat(data.delta).catch(() => null)) === null ? null : await deltaSummary(data);
      const facts = {
        ...statusOf(manifest),
        fetched,
        unread_files: unread,
        delta,
        failed_layers: Object.fromEntries(failedLayers(await readLayerHealth(data, new Date()))),
        unsound_files: await unsoundFiles(data, buildId),
        lock: await lockState(data),
        leases: await leaseState(data),
      };
      if (flags.state !== undefined)
        showState(manifest, stateCodeOf(flags.state) ?? flags.state, {
          asJson: flags.json === true,
          decisions: readDecisions(data),
        });
      else if (flags.json) printJson(facts);
      else printStatus(facts, manifest);
    });
}

type Status = ReturnType<typeof statusOf>;

function statusOf(manifest: Manifest) {
  return {
    build_id: manifest.build_id,
    as_of_date: manifest.as_of_date,
    built_at: manifest.built_at,
    sample: manifest.sample,
    coverage: coverageOf(manifest),
    market: (manifest.market?.sources ?? []).map(({id, source_date}) => ({
      id,
      source_date,
      days_old: source_date === null ? null : ageDays(source_date, manifest.as_of_date),
    })),
    gates: manifest.gates.filter(({status}) => status !== "pass" && status !== "skipped"),
    held_back: heldBackParts(manifest),
  };
}

function coverageOf(manifest: Manifest) {
  const {states} = manifest;
  const waves = loadWaves();
  const names = new Set([...waves.map(({state}) => state), ...Object.keys(states)]);
  return [...names].sort().map((state) => {
    const part = states[state];
    return {
      state,
      coverage: part?.coverage ?? "planned",
      wave: waves.find((wave) => wave.state === state)?.wave ?? null,
      counties: part?.counties.length ?? 0,
      rows: part?.rows ?? 0,
      status: part?.status ?? null,
      vintage: part === undefined ? null : newestVintage(part),
      terms: part === undefined ? [] : termsOf(manifest, part),
      attributes: part?.fill ?? {},
    };
  });
}

function printStatus(
  facts: Status & {
    fetched: Awaited<ReturnType<typeof fetchStatus>>;
    unread_files: string[];
    delta: Awaited<ReturnType<typeof deltaSummary>> | null;
    failed_layers: Record<string, number>;
    unsound_files: string[];
    lock: RunState;
    leases: RunState;
  },
  manifest: Manifest,
): void {
  print(
    `${facts.build_id}  as of ${facts.as_of_date}  built ${facts.built_at}${facts.sample ? "  SAMPLE DATA" : ""}`,
  );
  const filledAreas = facts.coverage.filter(({rows}) => rows > 0);
  print(
    textTable(
      ["state", "coverage", "counties", "rows", "part", "vintage", ...mainAttributes, "terms"],
      filledAreas.map(({state, coverage, counties, rows, status, vintage, attributes, terms}) => [
        state,
        coverage,
        counties,
        rows,
        status ?? "",
        vintage ?? "",
        ...mainAttributes.map((name) => percent(attributes[name])),
        terms.map(({licence}) => licence ?? "not stated").join("; "),
      ]),
    ),
  );
  print(`${facts.coverage.length - filledAreas.length} states planned`);
  const sources = facts.market.map(({id, source_date, days_old}) => [
    id,
    source_date ?? "not stated",
    days_old ?? "-",
  ]);
  if (manifest.market !== null) print(textTable(["market source", "newest", "days old"], sources));
  if (facts.fetched.length > 0) printFetchStatus(facts.fetched);
  if (facts.delta !== null) {
    const {segments, records, badLines, strange} = facts.delta;
    print(`delta: ${records} records in ${segments} segments, ${badLines} damaged lines`);
    for (const each of strange) print(each);
  }
  const failed = Object.entries(facts.failed_layers).map(([mark, layers]) => `${layers} ${mark}`);
  if (failed.length > 0)
    print(`county layers that failed when last asked: ${failed.join(", ")} (cattle sources ls)`);
  for (const gate of facts.gates) print(`${gate.status}: ${gateText(gate)}`);
  for (const {part, because} of facts.held_back) print(`held back: ${part}: ${because}`);
  for (const path of facts.unread_files) print(`not read: ${path}`);
  for (const file of facts.unsound_files) print(`damaged: ${file}`);
  if (facts.lock.found !== "free") print(`build lock: ${facts.lock.found}`);
  if (facts.leases.fault) print(`leases: ${facts.leases.found}`);
}

/** Returns every source that was ever fetched, sorted by id. */
async function fetchStatus({raw}: DataFolder): Promise<FetchedSource[]> {
  const states = await new FetchStates(raw).all();
  const registered = registeredSources();
  const layers = wantedLayers({states: new Map()}, states, registered).sources;
  const cadences = new Map([...registered, ...layers].map(({id, cadence}) => [id, cadence]));
  return [...states.values()]
    .sort((a, b) => (a.source < b.source ? -1 : 1))
    .map((state) => {
      const cadence = cadences.get(state.source);
      const isWhole = state.status === "new" || state.status === "unchanged";
      const due = cadence === undefined || !isWhole ? null : nextDue(cadence, new Date(state.last_asked));
      return {...state, next_due: due === null ? null : due.toISOString()};
    });
}

/** Prints the sources with last and next times, and why the last run failed. */
function printFetchStatus(sources: readonly FetchedSource[]): void {
  const minute = (instant: string | null) => (instant === null ? "-" : `${instant.slice(0, 16)}Z`);
  print(
    textTable(
      ["fetched", "outcome", "last asked", "last new", "next due", "reason"],
      sources.map(({source, status, last_asked, last_new, next_due, reason}) => [
        source,
        status,
        minute(last_asked),
        minute(last_new),
        next_due === null ? "now" : minute(next_due),
        reason ?? "",
      ]),
    ),
  );
  for (const {source, losses} of sources) for (const loss of losses) print(`${source} lacks: ${loss}`);
}
