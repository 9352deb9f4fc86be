import {ageDays} from "../../lib/dates.ts";
import {buildFolder, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {freshnessGate} from "../parts/freshness-gate.ts";
import {freeBytes} from "../parts/preflight.ts";
import {heldBackParts} from "../parts/published-builds.ts";
import {Figures} from "./figures.ts";

/** Maximum number of builds to look back for a held-back part. */
const maxBuilds = 60;

/**
 * Writes `metrics/cattle_build.prom` in the data folder: the end of the last run, and the published build with its rows, gates, held-back
 * parts and source ages, as Prometheus text for node_exporter's textfile collector. Replaced by rename, so that readers never see a partial
 * file. Throws if the folder is not writable.
 */
export async function writeBuildMetrics(data: DataFolder, exitCode: number, at: Date): Promise<void> {
  const figures = new Figures("cattle_build");
  addEnd(figures, "build", at, {code: exitCode, of3: "something was left out"});
  figures.one("free_bytes", "Free bytes of the file system of the data folder", await freeBytes(data.root));
  const newest = await publishedManifest(data);
  if (newest !== null) {
    addPublished(figures, newest);
    figures.each(
      "held_back_builds",
      "Builds in a row in which the part was held back",
      "part",
      await heldBackRuns(data, newest),
    );
  }
  await figures.write(data);
}

function addPublished(figures: Figures, manifest: Manifest): void {
  const {market, states, sources, gates} = manifest;
  const parts = [...Object.values(states), ...(market === null ? [] : [market])];
  const bytes = parts.flatMap(({files}) => files).reduce((sum, {size}) => sum + size, 0);
  figures.one(
    "published_timestamp_seconds",
    "Instant of the published build",
    Date.parse(manifest.built_at) / 1000,
  );
  figures.one("bytes", "Bytes of the files of the published build", bytes);
  figures.each(
    "parcel_rows",
    "Parcels of the published build by state",
    "state",
    Object.entries(states).map(([state, {rows}]) => [state, rows]),
  );
  figures.each("market_rows", "Rows of the market's tables", "table", Object.entries(market?.rows ?? {}));
  figures.each(
    "gates",
    "Gates of the published build by result",
    "status",
    [...Map.groupBy(gates, ({status}) => status)].map(([status, group]) => [status, group.length]),
  );
  const sale = gates.find(({gate}) => gate === freshnessGate)?.figure ?? null;
  if (sale !== null)
    figures.one("newest_sale_age_days", "Days from the newest sale of a barn to the as-of date", sale);
  figures.each(
    "source_age_days",
    "Days from the last retrieval of a source to the as-of date",
    "source",
    sources.flatMap(({id, retrieved_at}) =>
      retrieved_at === null ? [] : [[id, ageDays(retrieved_at.slice(0, 10), manifest.as_of_date)] as const],
    ),
  );
}

/** Counts, for each part held back in the newest build, the consecutive builds that held it back. */
async function heldBackRuns(data: DataFolder, newest: Manifest): Promise<(readonly [string, number])[]> {
  const runs = new Map(heldBackParts(newest).map(({part}) => [part, 1]));
  let open = [...runs.keys()];
  let build: Manifest | null = newest;
  for (let i = 1; i < maxBuilds && open.length > 0 && build !== null; i++) {
    build = build.base_build_id === null ? null : await manifestOf(data, build.base_build_id);
    const held = new Set(build === null ? [] : heldBackParts(build).map(({part}) => part));
    open = open.filter((part) => held.has(part));
    for (const part of open) runs.set(part, runs.get(part)! + 1);
  }
  return [...runs];
}

async function publishedManifest(data: DataFolder): Promise<Manifest | null> {
  const id = await currentBuildId(data).catch(() => null);
  return id === null ? null : manifestOf(data, id);
}

function manifestOf(data: DataFolder, buildId: string): Promise<Manifest | null> {
  return readManifest(buildFolder(data, buildId)).catch(() => null);
}

/** A source that failed is due every night; one that was not asked for so long is asked no more: its key, its entry or its use is gone. */
const longestUnaskedMs = 2 * 24 * 3_600_000;

/** The market and the parcels of a night are runs of their own; together they end within this time, and the next night begins after it. */
const nightMs = 12 * 3_600_000;

/**
 * Writes `metrics/cattle_fetch.prom`: how many sources were asked in the night and how many did not answer in full; per source, when it last
 * succeeded, its consecutive failures, and the bytes of its last run; nothing of a source that failed and is asked no more. Throws if the
 * folder is not writable.
 */
export async function writeFetchMetrics(
  data: DataFolder,
  states: Iterable<FetchState>,
  at: Date,
): Promise<void> {
  const isAsked = ({failures, last_asked}: FetchState) =>
    failures === 0 || at.getTime() - Date.parse(last_asked) <= longestUnaskedMs;
  const asked = [...states].filter(isAsked).sort((a, b) => (a.source < b.source ? -1 : 1));
  const figures = new Figures("cattle_fetch");
  const each = (name: string, help: string, of: (state: FetchState) => number | null) => {
    const values = asked.map((state) => [state.source, of(state)] as const);
    figures.each(
      name,
      help,
      "source",
      values.filter((pair): pair is [string, number] => pair[1] !== null),
    );
  };
  addEnd(figures, "run of fetching", at);
  const ofNight = asked.filter(({last_asked}) => isWithin(nightMs, Date.parse(last_asked), at.getTime()));
  const notWhole = ofNight.filter(({failures}) => failures > 0);
  const until = "in the 12 hours before the last run ended";
  figures.one("asked", `Sources that were asked ${until}`, ofNight.length);
  figures.one("not_whole", `Sources that were asked ${until} and did not answer in full`, notWhole.length);
  each("last_good_timestamp_seconds", "Instant at which a source last answered in full", ({last_good}) =>
    last_good === null ? null : Date.parse(last_good) / 1000,
  );
  each("failed_runs", "Runs in a row in which a source was partial or failed", ({failures}) => failures);
  each(
    "nights_without_progress",
    "Nights in a row in which a source was asked, did not answer in full and brought nothing",
    ({nights_without_progress}) => nights_without_progress,
  );
  each("key_refused", "1 for a source whose key was refused in its last run", ({status}) =>
    Number(status === "key refused"),
  );
  each("moved", "1 for a source that is not what its entry says", ({fault}) => Number(fault === "moved"));
  each(
    "lost_facts",
    "Facts that the last answer of a source lacks although it came",
    ({losses}) => losses.length,
  );
  each("last_bytes", "Bytes that came from a source in its last run, unpacked", ({bytes}) => bytes);
  await figures.write(data);
}

function isWithin(lengthMs: number, instantMs: number, endMs: number): boolean {
  return instantMs <= endMs && endMs - instantMs <= lengthMs;
}

/** Writes `metrics/cattle_nightly.prom`: when the last night ended, and its exit code. Throws if it cannot be written. */
export async function writeNightMetrics(data: DataFolder, exitCode: number, at: Date): Promise<void> {
  const figures = new Figures("cattle_nightly");
  addEnd(figures, "night", at, {code: exitCode, of3: "something was left out or not fetched"});
  await figures.write(data);
}

/** Adds the end of the last run and its exit code; `of3` words exit code 3. */
function addEnd(figures: Figures, run: string, at: Date, exit?: {code: number; of3: string}): void {
  figures.one("last_run_timestamp_seconds", `Instant at which the last ${run} ended`, at.getTime() / 1000);
  if (exit !== undefined) {
    const help = `Exit code of the last ${run}: 0 done, 3 ${exit.of3}`;
    figures.one("last_run_exit_code", help, exit.code);
  }
}
