import {cpSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {gunzipSync} from "node:zlib";
import {afterEach, beforeEach, expect, test} from "vitest";
import type {Outcome} from "../../pipeline/fetch/fetch-states.ts";
import {sourceOfParcels} from "../../pipeline/fetch/jobs/source-address.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {ArcgisPull} from "../../schemas/layer-pull.ts";
import {CadastreSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type LayerHabits, layer} from "./arcgis-world.ts";
import {night, quickRate} from "./fetched.ts";
import {ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
beforeEach(async () => {
  server = await ReplayServer.start();
});
afterEach(() => server.stop());

const firstNight = new Date("2026-11-20T05:30:00Z");
const secondNight = new Date("2026-12-01T05:30:00Z");
const thirdNight = new Date("2026-12-12T05:30:00Z");

function layerSource(facts: Partial<CadastreSource> = {}) {
  return sourceOfParcels(
    CadastreSource.parse({
      ...{id: "us-az-test", name: "Test", authority: "county", licence: "invented", rate: quickRate},
      coverage: {country: "US", state: "AZ", counties: ["04003"]},
      terms: {store: true, bulk: true},
      cadastre: {url: `${server.origin}/arcgis/rest/services/Parcels/FeatureServer/0`, idField: "PARCEL_ID"},
      ...facts,
    }),
  )!;
}

const serve = (habits: LayerHabits) =>
  server.on("/arcgis/rest/services/Parcels/FeatureServer/0", layer(habits));

function pullIn(rawDir: string): ArcgisPull {
  const dir = join(rawDir, "parcels/us-az-test");
  const name = readdirSync(dir)
    .filter((each) => each.startsWith("pull-"))
    .sort()
    .at(-1)!;
  return ArcgisPull.parse(JSON.parse(readFileSync(join(dir, name, "pull.json"), "utf8")));
}

/** All object ids of the newest pull, in the order of its pages. */
function idsIn(rawDir: string): number[] {
  const dir = join(rawDir, "parcels/us-az-test");
  const name = readdirSync(dir)
    .filter((each) => each.startsWith("pull-"))
    .sort()
    .at(-1)!;
  return pullIn(rawDir).pages.flatMap(({file}) => {
    const page = JSON.parse(gunzipSync(readFileSync(join(dir, name, file))).toString()) as {
      features: {properties?: {OBJECTID: number}; attributes?: {OBJECTID: number}}[];
    };
    return page.features.map(({properties, attributes}) => (properties ?? attributes)!.OBJECTID);
  });
}

test.each<[string, Omit<LayerHabits, "rows">, ArcgisPull["method"]]>([
  ["honours what it is asked, its flag at the top", {}, "keyset"],
  ["has its flag under properties", {flag: "properties"}, "keyset"],
  ["has no flag", {flag: "none"}, "keyset"],
  ["caps pages below what it states", {cap: 130, flag: "none"}, "keyset"],
  ["answers with Esri JSON alone", {geojson: false}, "keyset"],
  ["refuses the GeoJSON that it offers", {refusesGeojson: true}, "keyset"],
  [
    "refuses the GeoJSON that it offers, and comparison by >",
    {refusesGeojson: true, refusesAbove: true},
    "offset",
  ],
  ["refuses the GeoJSON that it offers, and does not page", {refusesGeojson: true, pages: false}, "ranges"],
  ["ignores resultOffset", {ignoresOffset: true}, "keyset"],
  ["answers 500 beyond an offset", {mostOffset: 600}, "keyset"],
  ["refuses the count", {refusesCount: true}, "keyset"],
  ["refuses count and flag and caps its pages", {refusesCount: true, flag: "none", cap: 90}, "keyset"],
  ["answers 500 on every third page", {mostRows: 60}, "keyset"],
  ["cuts pages in the middle", {cuts: 2}, "keyset"],
  ["takes no comparison by >", {refusesAbove: true}, "offset"],
  ["takes no comparison by > and has no flag", {refusesAbove: true, flag: "none", cap: 130}, "offset"],
  ["takes no comparison by > and refuses the count", {refusesAbove: true, refusesCount: true}, "offset"],
  ["takes no comparison by > and ignores offsets", {refusesAbove: true, ignoresOffset: true}, "ranges"],
  ["sorts nothing", {unordered: true}, "ranges"],
  ["does not page", {pages: false}, "ranges"],
  ["neither pages nor lists its ids", {pages: false, refusesIds: true}, "ranges"],
])("a layer that %s is pulled whole", async (_, habits, method) => {
  const rawDir = temporaryFolder();
  serve({rows: 1234, maxRecordCount: 200, ...habits});
  const [outcome] = await night([layerSource()], {rawDir, now: firstNight});
  expect(outcome).toMatchObject({status: "new", reason: null});
  const pull = pullIn(rawDir);
  expect(pull).toMatchObject({
    complete: true,
    rows: 1234,
    method,
    counted: habits.refusesCount ? null : 1234,
  });
  const ids = idsIn(rawDir);
  expect([ids.length, new Set(ids).size]).toEqual([1234, 1234]);
});

test("reports fewer rows than counted as incomplete", async () => {
  const rawDir = temporaryFolder();
  serve({rows: 500, counts: 600, maxRecordCount: 200});
  const [outcome] = await night([layerSource()], {rawDir, now: firstNight});
  expect(outcome).toMatchObject({
    status: "partial",
    reason: "received 500 of the 600 rows that the service counted",
  });
  expect(pullIn(rawDir).complete).toBe(false);
  const [file] = await listRawFiles(rawDir);
  expect(file!.meta?.complete).toBeUndefined();
});

test("pulls a layer by ranges of ids at once if it refuses to page, though it says that it pages", async () => {
  const rawDir = temporaryFolder();
  serve({rows: 500, maxRecordCount: 200, refusesPages: true});
  const [outcome] = await night([layerSource()], {rawDir, now: firstNight});
  // Layer, count, the refused page, object ids, three pages, and the layer again at the end.
  expect(outcome).toMatchObject({status: "new", requests: 8});
  expect(pullIn(rawDir)).toMatchObject({complete: true, rows: 500, method: "ranges"});
});

test("reports a layer that needs a token as unsupported after one request", async () => {
  serve({rows: 5, needsToken: true});
  const [outcome] = await night([layerSource()], {rawDir: temporaryFolder(), now: firstNight});
  expect(outcome).toMatchObject({
    status: "failed",
    requests: 1,
    reason: expect.stringMatching(/unsupported.*token/),
  });
});

test.each<[string, Partial<CadastreSource>]>([
  ["another name", {layerName: "Tax_Parcels_2024"}],
  ["no id field", {cadastre: {url: "", idField: "APN_DASH"}}],
  ["far fewer rows", {accept: {minRows: 9000, maxRejectShare: 0.1, maxDropShare: 0.1, rows: []}}],
])("reports a layer with %s as moved, and reads nothing in its place", async (_, facts) => {
  serve({rows: 500});
  const url = `${server.origin}/arcgis/rest/services/Parcels/FeatureServer/0`;
  const source = layerSource({...facts, ...(facts.cadastre ? {cadastre: {...facts.cadastre, url}} : {})});
  const [outcome] = await night([source], {rawDir: temporaryFolder(), now: firstNight});
  expect(outcome).toMatchObject({status: "failed", reason: expect.stringMatching(/^moved/)});
  expect(server.seen.filter(({query}) => query.has("resultOffset"))).toEqual([]);
});

test("never pulls a whole layer whose terms lack bulk, named or not", async () => {
  serve({rows: 5});
  const source = layerSource({terms: {store: true, redistributeOwners: false, bulk: false}});
  const [outcome] = await night([source], {rawDir: temporaryFolder(), now: firstNight, areNamed: true});
  expect(outcome).toMatchObject({status: "not allowed"});
  expect(server.seen).toEqual([]);
});

test("never pulls a whole layer without publisher's terms, whatever its entry says", async () => {
  serve({rows: 5});
  const source = layerSource({licence: "not stated by the publisher"});
  const [outcome] = await night([source], {rawDir: temporaryFolder(), now: firstNight, areNamed: true});
  expect(outcome).toMatchObject({status: "not allowed", reason: expect.stringContaining("states no terms")});
  expect(server.seen).toEqual([]);
});

test("spends two requests on an unchanged layer, and pulls an edited one again beside the first pull", async () => {
  const rawDir = temporaryFolder();
  let edit = Date.UTC(2026, 9, 1);
  const habits = {rows: 300, maxRecordCount: 200, lastEdit: () => edit};
  serve(habits);
  await night([layerSource()], {rawDir, now: firstNight});
  server.forget();
  expect((await night([layerSource()], {rawDir, now: secondNight}))[0]).toMatchObject({status: "unchanged"});
  expect(server.seen).toHaveLength(2);
  edit = Date.UTC(2026, 11, 5);
  serve({...habits, change: (row) => ({...row, LAND_VALUE: 1})});
  expect((await night([layerSource()], {rawDir, now: thirdNight}))[0]).toMatchObject({status: "new"});
  expect(readdirSync(join(rawDir, "parcels/us-az-test"))).toEqual([
    "pull-20261120T053000Z",
    "pull-20261212T053000Z",
  ]);
});

test("pulls a layer without an edit time, but keeps no new pull for equal pages", async () => {
  const rawDir = temporaryFolder();
  serve({rows: 300, maxRecordCount: 200});
  await night([layerSource()], {rawDir, now: firstNight});
  const [outcome] = await night([layerSource()], {rawDir, now: secondNight});
  expect(outcome).toMatchObject({status: "unchanged", files: 0});
  expect(readdirSync(join(rawDir, "parcels/us-az-test"))).toEqual(["pull-20261120T053000Z"]);
});

test("pulls a layer again the next time, due or not, if it was edited during the pull", async () => {
  const rawDir = temporaryFolder();
  let edit = 1;
  serve({rows: 300, maxRecordCount: 200, lastEdit: () => edit++});
  const [outcome] = await night([layerSource()], {rawDir, now: firstNight});
  expect(outcome).toMatchObject({status: "partial", reason: expect.stringMatching(/edited during the pull/)});
  const soon = new Date(firstNight.getTime() + 60_000);
  serve({rows: 300, maxRecordCount: 200, lastEdit: () => 1_000});
  expect((await night([layerSource()], {rawDir, now: soon}))[0]).toMatchObject({status: "unchanged"});
  expect(pullIn(rawDir)).toMatchObject({edited: false, layer: {last_edit: "1970-01-01T00:00:01.000Z"}});
});

test("resumes an interrupted pull at its page, with the bytes of an undisturbed one", async () => {
  const [whole, parts] = [temporaryFolder(), temporaryFolder()];
  serve({rows: 5000, maxRecordCount: 100, mostRows: 60});
  const [{requests}] = (await night([layerSource()], {rawDir: whole, now: firstNight})) as [Outcome];
  const stop = new AbortController();
  const url = "/arcgis/rest/services/Parcels/FeatureServer/0";
  const undisturbed = layer({rows: 5000, maxRecordCount: 100, mostRows: 60});
  server.forget();
  server.on(url, (request, reply) => {
    if (server.seen.length === 30) stop.abort();
    return undisturbed(request, reply);
  });
  const [ended] = await night([layerSource()], {rawDir: parts, now: firstNight, signal: stop.signal});
  expect(ended).toMatchObject({status: "partial", reason: "the time of the run is over"});
  expect(await listRawFiles(parts)).toEqual([]);
  const asked = server.seen.length;
  server.on(url, undisturbed);
  expect((await night([layerSource()], {rawDir: parts, now: firstNight}))[0]).toMatchObject({status: "new"});
  expect(server.seen.length - asked).toBeLessThan(requests - 15);
  const digests = async (rawDir: string) =>
    (await listRawFiles(rawDir)).map(({path, sha256}) => [path, sha256]);
  expect(await digests(parts)).toEqual(await digests(whole));
});

test("reads a copy of a pull like the pull", async () => {
  const [rawDir, copy] = [temporaryFolder(), temporaryFolder()];
  serve({rows: 300, maxRecordCount: 200, lastEdit: () => Date.UTC(2026, 9, 1)});
  await night([layerSource()], {rawDir, now: firstNight});
  cpSync(rawDir, copy, {recursive: true});
  const facts = async (dir: string) =>
    (await listRawFiles(dir)).map(({absolutePath: _, identity: _there, ...file}) => file);
  expect(await facts(copy)).toEqual(await facts(rawDir));
  expect((await facts(rawDir)).map(({meta}) => [meta?.complete, meta?.last_modified])).toEqual(
    Array(2).fill([true, "2026-10-01T00:00:00.000Z"]),
  );
});
