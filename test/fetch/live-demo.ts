import type {ChildProcess} from "node:child_process";
import {mkdtempSync, readdirSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {addDays} from "../../lib/dates.ts";
import {DeltaWriter} from "../../lib/delta/segment-writer.ts";
import {parcelIdForms} from "../../lib/parcels/parcel-id/parcel-id-forms.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {ended, LiveCattle} from "./live-cattle.ts";
import {type LiveWorld, startLiveWorld} from "./live-world.ts";

// From an empty folder: a night, a server, ten endpoints; a second night in which one report and one parcel changed; a miss, and
// the night after it. `make live-demo` runs it; it ends with 1 at the first thing that is not as it should be.

const dir = mkdtempSync(join(tmpdir(), "cattle-live-"));
const data = join(dir, "data");
const registry = join(dir, "registry");
const firstDay = "2026-11-19";
let program: LiveCattle;

async function main(): Promise<void> {
  const world = await startLiveWorld(registry, firstDay);
  program = new LiveCattle({dir, data, registry}, world);
  await night(addDays(firstDay, 1));
  check("first night: the market and Arizona are built", Object.keys(manifest().states), ["AZ"]);
  check("Cochise County is live", liveCounties(), ["04003"]);
  const first = manifest();
  await tenEndpoints();
  await secondNight(world, first);
  await nightAfterMiss(world);
  await world.server.stop();
}

async function secondNight(world: LiveWorld, first: Manifest): Promise<void> {
  const changed = 17;
  world.market.publishedAt = ({slug}, newest) =>
    `${american(slug === 99005 ? addDays(firstDay, 1) : newest)} 15:00:00`;
  world.market.correct = (sale, {slug}) =>
    slug === 99005 ? {...sale, rows: sale.rows.map((row) => ({...row, avgPrice: row.avgPrice + 2}))} : sale;
  const edited = Date.parse(`${firstDay}T12:00:00Z`);
  const habits = world.county.habits;
  const isChanged = (row: Record<string, unknown>) => row["OWNER"] === `INVENTED HOLDINGS ${changed} LLC`;
  world.county.habits = {
    ...habits,
    lastEdit: () => edited,
    change: (row) => (isChanged(row) ? {...row, LAND_VALUE: 777_777} : row),
  };
  world.server.forget();
  await night(addDays(firstDay, 2));
  const reports = world.server.of("/mars/reports/").map(({path}) => path);
  check("second night: one report is asked for again", reports, ["/mars/reports/99005"]);
  // The night publishes the market in a build before that of Arizona, which links it from there.
  check(
    "the market is built anew before Arizona is",
    [manifest().market!.status, manifest().market!.built_in.slice(0, 8), manifest().states["AZ"]!.status],
    ["reused", addDays(firstDay, 2).replaceAll("-", ""), "built"],
  );
  check("it is another build", manifest().build_id === first.build_id, false);
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
  await night(addDays(firstDay, 3), world);
  check("third night: Arizona is reused", manifest().states["AZ"]!.status, "reused");
}

async function nightAfterMiss(world: LiveWorld): Promise<void> {
  const writer = new DeltaWriter({
    folder: join(data, "delta"),
    writer: deadWriter,
    baseBuildId: manifest().build_id,
  });
  await writer.append(find);
  await writer.close();
  world.server.forget();
  await night(addDays(firstDay, 4));
  check("after a miss the whole county is pulled", world.server.of("/miss/").length > 3, true);
  check("and live", liveCounties(), ["04003", "04023"]);
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

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const look = (chunk: Buffer) => {
      said += chunk.toString();
      const [, port] = /127\.0\.0\.1:(\d+)/.exec(said) ?? /"port":\s*(\d+)/.exec(said) ?? [];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout!.on("data", look);
    child.stderr!.on("data", look);
    child.once("exit", () => reject(new Error(`serve ended: ${said}`)));
  });
}

async function night(day: string, world?: LiveWorld): Promise<void> {
  if (world !== undefined) world.server.forget();
  const said = await finished("nightly", program.startNight(day));
  process.stdout.write(`${said.trimEnd().split("\n").at(-1)}\n`);
}

async function finished(what: string, child: ChildProcess): Promise<string> {
  const {code, out, err} = await ended(child);
  if (code !== 0 && code !== 3) throw new Error(`cattle ${what} ended with ${code}:\n${out}\n${err}`);
  return out;
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(data, "current/manifest.json"), "utf8")) as Manifest;
}

function liveCounties(): string[] {
  const counties = Object.values(manifest().states).flatMap((state) => state.counties);
  return counties
    .filter(({complete}) => complete)
    .map(({county_key}) => county_key)
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

const {tok, std, loose} = parcelIdForms("103-0000-A");
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

await main();
rmSync(dir, {recursive: true, force: true});
