import {type ChildProcess, execFileSync} from "node:child_process";
import {mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {addDays} from "../../lib/dates.ts";
import {DeltaWriter} from "../../lib/delta/segment-writer.ts";
import {parcelIdSpellings} from "../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {fillDisk} from "../crash/fill-disk.ts";
import {cannotMount, mountNewImage, unmountMapped} from "../crash/mounts.ts";
import type {LayerHabits} from "./arcgis-world.ts";
import {ended, keyless, LiveCattle, listening} from "./live-cattle.ts";
import {type LiveWorld, startLiveWorld} from "./live-world.ts";
import {ReplayServer} from "./replay-server.ts";
import {playStates, type StateLayers} from "./state-layers.ts";

// The first nights of an operator, from an empty folder: without keys; with keys and a word on terms; with a host, a layer, a token, a
// column, a clock and a disk that are not as they should be; and the night after a miss. `make live-demo` runs it behind the week; it prints what each
// night said, and ends with 1 at the first thing that is not as it should be.

const dir = mkdtempSync(join(tmpdir(), "cattle-live-"));
const data = join(dir, "data");
const registry = join(dir, "registry");
const firstDay = "2026-11-19";
const firstStates = ["AR", "AZ", "CT", "DC", "MB", "MT", "NJ", "UT"];
/** If a small disk can be mounted, the data is on it, and fills it up. */
const hasDisk = cannotMount() === null;
const changed = 17;
const future = "2031-01-01T00:00:00.000Z";
let program: LiveCattle;
let layers: StateLayers;
let edited = Date.parse("2026-11-01T00:00:00Z");

async function main(): Promise<void> {
  if (hasDisk) mountNewImage(join(dir, "data.img"), data, 4000);
  const world = await startLiveWorld(registry, firstDay);
  const sick = await ReplayServer.start();
  layers = playStates({here: world.server, sick}, registry, () => edited);
  program = new LiveCattle({dir, data, registry}, world);
  await withoutKeys();
  await withKeys(world);
  await withTroubles(world);
  if (hasDisk) await onFullDisk(world);
  await nightAfterMiss(world);
  await Promise.all([world.server.stop(), sick.stop()]);
}

async function withoutKeys(): Promise<void> {
  title("first night: without a key");
  const said = await night(addDays(firstDay, 1), {more: keyless, code: 0});
  check(
    "what has no key is named",
    said.includes("no key: nass (set CATTLE_QUICKSTATS_KEY_FILE); mars"),
    true,
  );
  check("the market comes from printed reports", (manifest().market?.rows["price_rows"] ?? 0) > 0, true);
  check("eight areas are live, seven of them on the words of their publishers", liveStates(), firstStates);
  check("North Carolina waits for a word on its terms", said.includes("not allowed: us-nc-onemap"), true);
}

async function withKeys(world: LiveWorld): Promise<void> {
  title("second night: with keys, and a word on the terms of North Carolina");
  const decision = ["--licence", "open, as its page says", "--evidence", "https://example.org/terms"];
  await finished("sources allow", program.start(["sources", "allow", "us-nc-onemap", ...decision]));
  const before = manifest();
  await night(addDays(firstDay, 2), {code: 0, world});
  check("the service of the market is asked", world.server.of("/mars/reports/").length > 3, true);
  check("North Carolina is live, too", liveStates(), [...firstStates, "NC"].sort());
  check("what did not change costs two requests", world.server.of("/us-mt-service/").length, 2);
  check(
    "and is linked from the build before",
    manifest().states["MT"]!.built_in,
    before.states["MT"]!.built_in,
  );
  await tenEndpoints();
}

async function withTroubles(world: LiveWorld): Promise<void> {
  title(
    "third night: a sick host, a moved layer, a token, a renamed column, a wrong clock, a full disk; and news",
  );
  const first = manifest();
  const change = (id: string, more: Partial<LayerHabits>) => {
    const one = layers.get(id)!;
    one.habits = {...one.habits, ...more};
  };
  edited = Date.parse(`${firstDay}T12:00:00Z`);
  layers.get("us-ar-statewide")!.isSick = true;
  change("us-ct-statewide", {name: "Parcels_2027"});
  change("us-ut-statewide", {needsToken: true});
  change("us-nc-onemap", {renames: {parno: "PARCEL_NO"}});
  // A night under a wrong clock recorded that Montana's layer was fetched in 2031.
  const statePath = join(data, "raw/.fetch/us-mt-service.json");
  const state = JSON.parse(readFileSync(statePath, "utf8")) as object;
  writeFileSync(
    statePath,
    JSON.stringify({...state, last_asked: future, last_good: future, last_new: future}),
  );
  // A file for which the disk has no room.
  world.server.on("/directory.json", (_, reply) => {
    reply.writeHead(200, {"content-type": "application/json", "content-length": String(2 ** 50)});
    reply.write("[", () => setTimeout(() => reply.destroy(), 50));
  });
  haveNews(world);
  const said = await night(addDays(firstDay, 3), {code: 3, world});
  const reasons: Record<string, RegExp> = {
    "us-ar-statewide": /status 503, asks us to wait 60 min/,
    "us-ct-statewide": /moved: the layer is named "Parcels_2027"/,
    "us-ut-statewide": /unsupported: the layer requires a token/,
    "us-nc-onemap": /moved: the layer has no field "parno" \(ids\.raw\)/,
    barns: /free on the disk, \d+ MiB are needed/,
  };
  for (const [source, reason] of Object.entries(reasons))
    check(`${source} says why`, lineOf(said, source).match(reason) === null ? lineOf(said, source) : "", "");
  check("Montana is asked in spite of its clock", world.server.of("/us-mt-service/").length > 1, true);
  check("the last good rows of all states stay", liveStates(), [...firstStates, "NC"].sort());
  for (const id of ["AR", "CT", "UT", "NC"])
    check(`${id} is that of the build before`, manifest().states[id]!.built_in, first.states[id]!.built_in);
  const figures = readFileSync(join(data, "metrics/cattle_fetch.prom"), "utf8");
  check("figures tell who failed", figures.match(/failed_runs\{source="\S+"\} [1-9]/g)?.length, 5);
  const nights = readFileSync(join(data, "metrics/cattle_nightly.prom"), "utf8");
  check("and how the night ended", nights.includes("cattle_nightly_last_run_exit_code 3"), true);
  await probeOfTroubles();
  const reports = world.server.of("/mars/reports/").map(({path}) => path);
  check("one report is asked for again", reports, ["/mars/reports/99005"]);
  await servedNews();
}

/** A probe in the daytime reports the same in seconds, for the layers it is given. */
async function probeOfTroubles(): Promise<void> {
  const ids = ["us-mt-service", "us-ct-statewide", "us-ut-statewide", "us-nc-onemap"];
  const {code, out} = await ended(program.start(["fetch", "--probe", "--source", ...ids]));
  process.stdout.write(out);
  check("a probe ends with 3 when a layer moved", code, 3);
  check("and counts them", out.includes("1 as expected, 2 moved, 1 failed, 0 not asked"), true);
}

/** One report was corrected, and one parcel of Cochise County has another value. */
function haveNews(world: LiveWorld): void {
  world.market.publishedAt = ({slug}, newest) =>
    `${american(slug === 99005 ? addDays(firstDay, 2) : newest)} 15:00:00`;
  world.market.correct = (sale, {slug}) =>
    slug === 99005 ? {...sale, rows: sale.rows.map((row) => ({...row, avgPrice: row.avgPrice + 2}))} : sale;
  const isChanged = (row: Record<string, unknown>) => row["OWNER"] === `INVENTED HOLDINGS ${changed} LLC`;
  world.county.habits = {
    ...world.county.habits,
    lastEdit: () => edited,
    change: (row) => (isChanged(row) ? {...row, LAND_VALUE: 777_777} : row),
  };
}

async function servedNews(): Promise<void> {
  await serving(async (ask) => {
    const prices = (await ask("/price-by-county?state=AZ&limit=200")) as {
      records: {change_status?: string}[];
    };
    check(
      "change_status says revised",
      prices.records.some(({change_status}) => change_status === "revised"),
      true,
    );
    const found = (await ask(
      `${parcels}parcel-id-lookup?parcelId=117-0000-A&state=AZ&county=Cochise`,
    )) as Found;
    check("the parcel's new value is served", found.property.totalLandValue, 777_777);
    check("with its new vintage", found.property.provenance.default.vintage, firstDay);
  });
}

async function onFullDisk(world: LiveWorld): Promise<void> {
  title("a night on a disk that is full");
  const before = manifest();
  const {bavail, bsize} = statfsSync(data);
  execFileSync("fallocate", ["-l", String((bavail - 16) * bsize), join(data, "filler")]);
  const free = fillDisk(join(data, "filler-rest"));
  const said = await night(addDays(firstDay, 4), {code: 4, world});
  check(
    "the sources that were due are not reached, for want of room",
    /^not reached: lmr, ams-text, mars, .* \(\d+ MiB free on the disk, 1024 MiB are needed\)$/m.test(said),
    true,
  );
  check("and no request was sent", world.server.seen.length, 0);
  check("the build says what room it needs", /nightly: .*build failed: .* MiB free/.test(said), true);
  check("what was published stays", manifest().build_id, before.build_id);
  free();
  rmSync(join(data, "filler"));
}

async function nightAfterMiss(world: LiveWorld): Promise<void> {
  const writer = new DeltaWriter({
    folder: join(data, "delta"),
    writer: deadWriter,
    baseBuildId: manifest().build_id,
  });
  await writer.append(find);
  await writer.close();
  title("fifth night: with room again, after a miss");
  await night(addDays(firstDay, 5), {code: 3, world});
  check("after a miss the whole county is pulled", world.server.of("/miss/").length > 3, true);
  check("and live", liveCounties("AZ"), ["04003", "04023"]);
  check(
    "the segment of the find is retired",
    readdirSync(join(data, "delta")).filter((name) => name.endsWith(".ndjson")),
    [],
  );
  await serving(async (ask) => {
    const found = (await ask(
      `${parcels}parcel-id-lookup?parcelId=103-0000-A&state=AZ&county=Santa%20Cruz`,
    )) as Found;
    check("the find gave way to the county's own row", found.property.totalLandValue, 10_003);
    check("its answer comes from the dataset", found.metadata.lookup.origin, "dataset");
  });
}

const parcels = "/public/land-agent/property/";
type Found = {
  property: {totalLandValue: number; provenance: {default: {vintage: string}}};
  metadata: {lookup: {origin: string}};
};

async function tenEndpoints(): Promise<void> {
  await serving(async (ask) => {
    for (const path of [
      ...["/price-by-county?state=AZ", "/price-by-state?state=OK", "/latest-prices?lat=31.9&lon=-109.9"],
      ...["/cattle-sale-barn-directory?state=AZ", "/barns?state=AZ", "/dealers/stats"],
      `${parcels}address-lookup?address=105+W+Sage+Rd&state=AZ&city=Nowhere`,
      `${parcels}parcel-id-lookup?parcelId=105-0000-A&state=AZ&county=Cochise`,
      `${parcels}location-search?latitude=31.9002&longitude=-109.8998&radius=0.5`,
      `${parcels}owner-search?owner=INVENTED+HOLDINGS+5+LLC&state=AZ`,
    ])
      await ask(path);
  });
}

async function serving(use: (ask: (path: string) => Promise<unknown>) => Promise<void>): Promise<void> {
  const key = (await finished("keys", program.start(["keys", "create", "--label", "demo"]))).trim();
  const environment = {
    CATTLE_PORT: "0",
    CATTLE_METRICS_PORT: "0",
    CATTLE_CADASTRE: "0",
    CATTLE_LOG_LEVEL: "info",
  };
  const child = program.start(["serve"], environment);
  try {
    const origin = await listening(child);
    await use(async (path) => {
      const reply = await fetch(origin + path, {headers: {"x-api-key": key}});
      check(`GET ${path.split("?")[0]}`, reply.status, 200);
      return reply.json();
    });
  } finally {
    child.kill("SIGKILL");
  }
}

/** Runs a night, which must exit with this code, and returns its output. */
async function night(
  day: string,
  {more = {}, code, world}: {more?: Record<string, string>; code: number; world?: LiveWorld},
): Promise<string> {
  world?.server.forget();
  const end = await ended(program.startNight(day, more));
  process.stdout.write(end.out);
  check("the night ends with", end.code === code ? code : `${end.code}: ${end.err.slice(-2000)}`, code);
  return end.out;
}

function title(text: string): void {
  process.stdout.write(`\n== ${text}\n`);
}

/** The line of a source in the table of outcomes. */
function lineOf(said: string, source: string): string {
  return said.split("\n").find((line) => line.startsWith(`${source} `)) ?? "no line";
}

async function finished(what: string, child: ChildProcess): Promise<string> {
  const {code, out, err} = await ended(child);
  if (code !== 0 && code !== 3) throw new Error(`cattle ${what} ended with ${code}:\n${out}\n${err}`);
  return out;
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(data, "current/manifest.json"), "utf8")) as Manifest;
}

function liveCounties(state: string): string[] {
  const counties = manifest().states[state]?.counties ?? [];
  return counties
    .filter(({complete}) => complete)
    .map(({county_key}) => county_key)
    .sort();
}

function liveStates(): string[] {
  return Object.keys(manifest().states)
    .filter((state) => liveCounties(state).length > 0)
    .sort();
}

function check(what: string, came: unknown, expected: unknown): void {
  if (JSON.stringify(came) !== JSON.stringify(expected))
    throw new Error(
      `${what}: came ${JSON.stringify(came)}, expected ${JSON.stringify(expected)}. Kept: ${dir}`,
    );
  process.stdout.write(`ok  ${what}\n`);
}

function american(date: string): string {
  return `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
}

const {tok, std, loose} = parcelIdSpellings("103-0000-A");
const deadWriter = {host: "nowhere", bootId: "boot-1", pidNamespace: "pid:[1]", pid: 4711, startTicks: "1"};
const find = {
  ...({kind: "upsert", v: 1, country: "US", query: "parcel_id"} as const),
  key: {state: "AZ", county: "04023", parcelId: tok},
  parcelUid: "04023-103-0000-A",
  row: {
    ...{
      parcel_id: "103-0000-A",
      parcel_id_tok: tok,
      parcel_id_std: std,
      parcel_id_loose: loose,
      land_value: 1,
    },
    ...{lon: -110.9, lat: 31.5, point_method: "centroid"},
    ...{xmin: -110.9, ymin: 31.5, xmax: -110.9, ymax: 31.5},
  },
  provenance: {
    ...{sourceId: "us-az-santa-cruz", vintage: "2026-10-01", retrievedAt: "2026-11-20T10:00:00.000Z"},
    ...({vintageBasis: "layer_edit", authority: "county"} as const),
  },
  proposedMap: true,
  sourceId: "us-az-santa-cruz",
  vintage: "2026-10-01",
};

try {
  await main();
} finally {
  if (hasDisk) unmountMapped(data);
}
rmSync(dir, {recursive: true, force: true});
