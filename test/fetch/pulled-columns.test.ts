import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {type FetchSource, sourceOfParcels} from "../../pipeline/fetch/jobs/source-address.ts";
import {ArcgisPull} from "../../schemas/layer-pull.ts";
import {ParcelSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type LayerHabits, layer} from "./arcgis-world.ts";
import {filesIn, night, quickRate} from "./fetched.ts";
import {ReplayServer} from "./replay-server.ts";
import {countyEntry} from "./world-registry.ts";

let server: ReplayServer;
beforeEach(async () => {
  server = await ReplayServer.start();
});
afterEach(() => server.stop());

/** The nine columns of the invented county beside 111 that no map uses, as in a statewide cadastre of 121. */
const wide = (row: number) => ({
  ...{PARCEL_ID: `100-${row}-A`, COUNTY: "COCHISE", OWNER: `INVENTED HOLDINGS ${row} LLC`},
  ...{SITE_ADDR: `${100 + row} W SAGE RD`, SITE_CITY: "NOWHERE", SITE_ZIP: "85610"},
  ...{ACRES: 0.4, LAND_VALUE: 10_000 + row, USE_DESC: "AGRICULTURAL"},
  ...Object.fromEntries(Array.from({length: 111}, (_, i) => [`EXTRA_${i}`, i % 3 === 0 ? null : row * i])),
});

const edited = () => Date.UTC(2026, 10, 1);
const serve = (habits: Partial<LayerHabits> = {}) =>
  server.on(
    "/county/FeatureServer/0",
    layer({rows: 600, maxRecordCount: 200, attributes: wide, lastEdit: edited, ...habits}),
  );

const county = (changes: object = {}): FetchSource =>
  sourceOfParcels(ParcelSource.parse({...countyEntry(server.origin, quickRate), ...changes}))!;

function newestPull(rawDir: string): ArcgisPull {
  const dir = join(rawDir, "parcels/us-az-cochise");
  const name = readdirSync(dir)
    .filter((each) => each.startsWith("pull-"))
    .sort()
    .at(-1)!;
  return ArcgisPull.parse(JSON.parse(readFileSync(join(dir, name, "pull.json"), "utf8")));
}

const used = [
  ...["OBJECTID", "PARCEL_ID", "OWNER", "SITE_ADDR", "SITE_CITY", "SITE_ZIP"],
  ...["ACRES", "LAND_VALUE", "USE_DESC"],
];

test("L4: of 121 columns those that the map uses are asked for, in less than a third of the bytes", async () => {
  serve();
  const [all] = await night([county({proposedMap: true})], {rawDir: temporaryFolder()});
  const rawDir = temporaryFolder();
  const [some] = await night([county()], {rawDir});
  expect(some).toMatchObject({status: "new", losses: [], notes: []});
  expect(newestPull(rawDir)).toMatchObject({columns: used, lacks: [], rows: 600, complete: true});
  process.stdout.write(
    `600 rows of 121 columns: ${all!.bytes} bytes; of those that the map uses: ${some!.bytes}\n`,
  );
  expect(some!.bytes).toBeLessThan(all!.bytes / 3);
});

test("L4: a margin that the entry keeps is asked for, too", async () => {
  serve();
  const rawDir = temporaryFolder();
  await night([county({keep: ["extra_7", "NOT_THERE"]})], {rawDir});
  expect(newestPull(rawDir).columns).toEqual([...used, "EXTRA_7"]);
});

test("L4: a map that needs another column has an unchanged layer pulled again, and says why", async () => {
  serve();
  const rawDir = temporaryFolder();
  const [first, later, third] = [1, 12, 23].map((day) => new Date(Date.UTC(2026, 10, day)));
  await night([county()], {rawDir, now: first!});
  expect((await night([county()], {rawDir, now: later!}))[0]).toMatchObject({status: "unchanged"});
  const [again] = await night([county({keep: ["COUNTY"]})], {rawDir, now: third!});
  const because = "pulled again: the map needs COUNTY, which the last pull did not ask for";
  expect(again).toMatchObject({status: "new", notes: [because]});
  expect(filesIn(rawDir).filter((name) => name.endsWith("pull.json"))).toHaveLength(2);
});

test("L4: a layer that refuses a list of columns is asked for all, and that is said", async () => {
  serve({refusesColumns: true});
  const rawDir = temporaryFolder();
  const [outcome] = await night([county()], {rawDir});
  expect(outcome).toMatchObject({
    status: "new",
    notes: ["the layer refuses a list of columns: all came, which takes more time and room"],
  });
  expect(newestPull(rawDir)).toMatchObject({columns: null, rows: 600, complete: true});
});
