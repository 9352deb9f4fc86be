import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {gunzipSync} from "node:zlib";
import {afterEach, beforeEach, expect, test} from "vitest";
import {FetchPaces} from "../../pipeline/fetch/fetch-states.ts";
import {sourceOfParcels} from "../../pipeline/fetch/jobs/source-address.ts";
import {ArcgisPull} from "../../schemas/layer-pull.ts";
import {CadastreSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type LayerHabits, layer} from "./arcgis-world.ts";
import {night, quickRate} from "./fetched.ts";
import {ReplayServer} from "./replay-server.ts";

const path = "/county/FeatureServer/0";
const firstNight = new Date("2026-11-20T05:30:00Z");
const secondNight = new Date("2026-11-21T05:30:00Z");
const before = Date.UTC(2026, 9, 1);

let server: ReplayServer;
let rawDir: string;
/** The layer as it is now. */
let now: LayerHabits;
/** Changes the layer after so many answered pages. */
let events: Map<number, () => void>;
let pages: number;

beforeEach(async () => {
  server = await ReplayServer.start();
  [rawDir, events, pages] = [temporaryFolder(), new Map(), 0];
  server.on(path, (request, reply) => {
    if (request.query.get("returnGeometry") === "true") events.get(pages++)?.();
    return layer(now)(request, reply);
  });
});
afterEach(() => server.stop());

function source() {
  return sourceOfParcels(
    CadastreSource.parse({
      ...{id: "us-az-test", name: "Test", authority: "county", licence: "invented", rate: quickRate},
      coverage: {country: "US", state: "AZ", counties: ["04003"]},
      terms: {store: true, bulk: true},
      cadastre: {url: server.origin + path, idField: "PARCEL_ID"},
    }),
  )!;
}

type Row = {OBJECTID: number; LAND_VALUE: number};

function newestPull(): {pull: ArcgisPull; rows: Row[]} {
  const parent = join(rawDir, "parcels/us-az-test");
  const name = readdirSync(parent)
    .filter((each) => each.startsWith("pull-"))
    .sort()
    .at(-1)!;
  const pull = ArcgisPull.parse(JSON.parse(readFileSync(join(parent, name, "pull.json"), "utf8")));
  const rows = pull.pages.flatMap(({file}) => {
    const page = JSON.parse(gunzipSync(readFileSync(join(parent, name, file))).toString());
    return (page as {features: {properties: Row}[]}).features.map(({properties}) => properties);
  });
  return {pull, rows};
}

/** The id of a row in the played layer. */
const idOf = (row: number) => 10 + row + Math.floor(row / 7);

test("loses no row when one is deleted and one added between two pages", async () => {
  now = {rows: 2500, maxRecordCount: 500};
  // The deleted row was already fetched: by offset, every later row would shift by one.
  events.set(2, () => {
    now = {...now, rows: 2501, gone: new Set([3])};
  });
  const [outcome] = await night([source()], {rawDir, now: firstNight});
  const {pull, rows} = newestPull();
  const came = new Set(rows.map(({OBJECTID}) => OBJECTID));
  expect(pull).toMatchObject({complete: true, method: "keyset", edited: true});
  expect(came.size).toBe(rows.length);
  for (let row = 0; row < 2501; row++) if (row !== 3) expect(came.has(idOf(row))).toBe(true);
  expect(outcome).toMatchObject({
    status: "partial",
    reason: expect.stringContaining("pulled again next time"),
  });
});

/** Ends the first night after so many pages, and changes the layer before the second. */
async function twoNights(endAt: number, change: () => void): Promise<void> {
  const stop = new AbortController();
  events.set(endAt, () => stop.abort());
  await night([source()], {rawDir, now: firstNight, signal: stop.signal});
  expect(readdirSync(join(rawDir, "parcels/us-az-test"))).toEqual([".pull-20261120T053000Z"]);
  change();
  server.forget();
}

test("continues a pull over two nights despite added, deleted and edited rows, re-requesting only edited pages", async () => {
  const edits = new Map<number, number>();
  now = {rows: 3000, maxRecordCount: 200, lastEdit: () => before, edits};
  await twoNights(9, () => {
    edits.set(250, Date.UTC(2026, 10, 20, 18));
    edits.set(3000, Date.UTC(2026, 10, 20, 18));
    const change = (row: Record<string, unknown>) =>
      row["OWNER"] === "INVENTED HOLDINGS 250 LLC" ? {...row, LAND_VALUE: 777_777} : row;
    now = {...now, rows: 3001, change, lastEdit: () => Date.UTC(2026, 10, 20, 18)};
  });
  expect((await night([source()], {rawDir, now: secondNight}))[0]).toMatchObject({status: "new"});
  const {pull, rows} = newestPull();
  expect(pull).toMatchObject({
    ...{complete: true, edited: false, counted: 3001, rows: 3001},
    ...{started_at: "2026-11-20T05:30:00Z", finished_at: "2026-11-21T05:30:00Z"},
  });
  expect(new Set(rows.map(({OBJECTID}) => OBJECTID)).size).toBe(3001);
  expect(rows.filter(({LAND_VALUE}) => LAND_VALUE === 777_777).map(({OBJECTID}) => OBJECTID)).toEqual([
    idOf(250),
  ]);
  const again = server.seen.filter(({query}) => /OBJECTID >= \d+/.test(query.get("where") ?? ""));
  expect(again).toHaveLength(2);
  // What was current then is not pulled again.
  const third = new Date(secondNight.getTime() + 10 * 24 * 3_600_000);
  expect((await night([source()], {rawDir, now: third}))[0]).toMatchObject({status: "unchanged"});
});

test("includes a row added after the last page before the pull ends", async () => {
  const edits = new Map([[1000, Date.UTC(2026, 10, 20, 18)]]);
  const lastEdit = () => {
    // The two pages and the empty one after them were answered.
    if (pages < 3) return before;
    now = {...now, rows: 1001};
    return Date.UTC(2026, 10, 20, 18);
  };
  now = {rows: 1000, maxRecordCount: 500, lastEdit, edits};
  expect((await night([source()], {rawDir, now: firstNight}))[0]).toMatchObject({status: "new"});
  const {pull, rows} = newestPull();
  expect(pull).toMatchObject({complete: true, edited: false, counted: 1001});
  expect(rows.map(({OBJECTID}) => OBJECTID)).toContain(idOf(1000));
});

test("completes a two-night pull of a layer without edit times, and pulls it again", async () => {
  now = {rows: 3000, maxRecordCount: 200, lastEdit: () => before};
  await twoNights(9, () => {
    const change = (row: Record<string, unknown>) =>
      row["OWNER"] === "INVENTED HOLDINGS 5 LLC" ? {...row, LAND_VALUE: 777_777} : row;
    now = {...now, change, gone: new Set([2900]), lastEdit: () => Date.UTC(2026, 10, 20, 18)};
  });
  const [outcome] = await night([source()], {rawDir, now: secondNight});
  expect(outcome).toMatchObject({status: "partial", reason: expect.stringContaining("pulled again")});
  expect(newestPull().pull).toMatchObject({complete: true, edited: true, counted: 2999, rows: 2999});
  const third = new Date("2026-11-22T05:30:00Z");
  expect((await night([source()], {rawDir, now: third}))[0]).toMatchObject({status: "new"});
  expect(newestPull().pull).toMatchObject({
    complete: true,
    edited: false,
    started_at: "2026-11-22T05:30:00Z",
  });
  expect(newestPull().rows.some(({LAND_VALUE}) => LAND_VALUE === 777_777)).toBe(true);
});

test("restarts a pull by offset when the count changed, because rows would have shifted", async () => {
  now = {rows: 3000, maxRecordCount: 200, refusesAbove: true};
  await twoNights(9, () => {
    now = {...now, gone: new Set([2])};
  });
  await night([source()], {rawDir, now: secondNight});
  expect(newestPull().pull).toMatchObject({
    method: "offset",
    complete: true,
    started_at: "2026-11-21T05:30:00Z",
  });
  expect(newestPull().rows).toHaveLength(2999);
});

test("does not continue a pull when the layer's fields changed", async () => {
  now = {rows: 3000, maxRecordCount: 200};
  await twoNights(9, () => {
    now = {...now, renames: {OWNER: "OWNER_NM"}};
  });
  await night([source()], {rawDir, now: secondNight});
  expect(newestPull().pull.started_at).toBe("2026-11-21T05:30:00Z");
});

test("keeps the bytes of a row that a night measured where a later pull ends before its first page", async () => {
  const measured = async () => (await new FetchPaces(rawDir).all()).get("us-az-test")!;
  now = {rows: 300, maxRecordCount: 200, lastEdit: () => before};
  await night([source()], {rawDir, now: firstNight});
  const {bytes_per_row: first} = await measured();
  expect(first).toBeGreaterThan(1);
  now = {...now, rows: 301, lastEdit: () => Date.UTC(2026, 10, 25)};
  const stop = new AbortController();
  events.set(pages, () => stop.abort());
  const later = new Date(firstNight.getTime() + 10 * 24 * 3_600_000);
  await night([source()], {rawDir, now: later, signal: stop.signal});
  expect(await measured()).toMatchObject({measured_at: later.toISOString(), bytes_per_row: first});
});
