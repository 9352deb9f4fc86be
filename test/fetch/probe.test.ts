import {mkdirSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {afterAll, beforeAll, beforeEach, expect, test} from "vitest";
import {ModelRun} from "../../lib/models/model-run.ts";
import {lockRun} from "../../lib/process/run-folder.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {readLayerHealth} from "../../lib/registry/layer-health-files.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {planFetch} from "../../pipeline/fetch/fetch-plan.ts";
import {FetchPaces, FetchStates} from "../../pipeline/fetch/fetch-states.ts";
import {
  type FetchSource,
  sourceOfMarketFeed,
  sourceOfParcels,
} from "../../pipeline/fetch/jobs/source-address.ts";
import {type ProbeResult, probeSources} from "../../pipeline/fetch/probe/probe.ts";
import {loadFeedFetches} from "../../pipeline/market/reference/market-sources.ts";
import {stageEntry} from "../../pipeline/parcels/stage-entry.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {FeedFetch} from "../../schemas/fetch-source.ts";
import {ArcgisPull} from "../../schemas/layer-pull.ts";
import {ParcelSource} from "../../schemas/parcel-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type LayerHabits, layer} from "./arcgis-world.ts";
import {fileSource, filesIn, night, quickRate} from "./fetched.ts";
import {ended, LiveCattle} from "./live-cattle.ts";
import {startLiveWorld} from "./live-world.ts";
import {marketWorld, playMarket} from "./market-world.ts";
import {file, ReplayServer} from "./replay-server.ts";
import {countyEntry} from "./world-registry.ts";

const path = "/county/FeatureServer/0";
const day = new Date("2026-11-20T05:30:00Z");
const world = marketWorld("2026-11-19");
const secrets = {"/mars": world.keys.mars, "/nass": world.keys.nass, "/eia": world.keys.eia};

let server: ReplayServer;
let rawDir: string;
beforeAll(async () => {
  server = await ReplayServer.start();
  playMarket(server, world);
});
afterAll(() => server.stop());
beforeEach(() => {
  rawDir = temporaryFolder();
  server.forget();
});

function county(facts: Record<string, unknown> = {}): FetchSource {
  return sourceOfParcels(ParcelSource.parse({...countyEntry(server.origin, quickRate), ...facts}))!;
}

const serve = (habits: LayerHabits) => server.on(path, layer(habits));

async function probe(
  sources: readonly FetchSource[],
  environment: Record<string, string> = {},
): Promise<ProbeResult[]> {
  const settings = readSettings(
    {CATTLE_CONTACT: "nobody@example.org", ...environment},
    (name) => secrets[name as "/mars"],
  );
  return probeSources(planFetch(sources, {settings, states: new Map(), now: day, areNamed: true}), {
    ...{settings, paces: new FetchPaces(rawDir), signal: new AbortController().signal, now: () => day},
    userAgent: "cattle-market-intelligence/test (nobody@example.org)",
    onEnd: () => undefined,
  });
}

test("reports a layer that matches its entry, with count, page, size, hours and its first row as a build reads it", async () => {
  serve({rows: 1200, maxRecordCount: 500});
  const [found] = await probe([county()]);
  expect(found).toMatchObject({status: "ok", reason: null, rows: 1200, pageRows: 500, requests: 3});
  expect(found!.cost).toMatchObject({requests: 4 + 3, measured: true});
  expect(found!.cost!.bytes).toBeGreaterThan(1200 * 20);
  expect(found!.row).toMatchObject({
    row: {
      county_key: "04003",
      parcel_id: "100-0000-A",
      owner_raw: "INVENTED HOLDINGS 0 LLC",
      land_value: 10_000,
    },
  });
  expect(filesIn(rawDir)).toEqual([".fetch/paces/us-az-cochise.json"]);
});

test("plans with what the last run measured of a layer", async () => {
  serve({rows: 1200, maxRecordCount: 500, cap: 100});
  await night([county()], {rawDir, now: day});
  const paces = await new FetchPaces(rawDir).all();
  const settings = readSettings({CATTLE_CONTACT: "nobody@example.org"});
  const [planned] = planFetch([county()], {settings, states: new Map(), paces, now: day, areNamed: true});
  // Twelve pages of the largest size that the server allowed, plus four questions.
  expect(planned!.cost).toMatchObject({measured: true, requests: 4 + 12});
});

test("a layer that lost columns other than number, county and outline is pulled and read without them, and each is named", async () => {
  serve({rows: 1200, renames: {OWNER: "OWNER_NM", ACRES: "GIS_ACRES"}});
  const lost = [
    "fields.owner_raw: the layer no longer has its column OWNER; if it has another name now, correct the entry",
    "area.from: the layer no longer has its column ACRES; if it has another name now, correct the entry",
  ];
  const [found] = await probe([county()]);
  expect(found).toMatchObject({status: "ok", reason: `lacks ${lost.join("; ")}`});
  const {row} = found!.row as {row: Record<string, unknown>};
  expect(row).toMatchObject({county_key: "04003", parcel_id: "100-0000-A", land_value: 10_000});
  expect(Object.keys(row)).not.toContain("owner_raw");
  const [outcome] = await night([county()], {rawDir, now: day});
  expect(outcome).toMatchObject({status: "new", reason: null, losses: lost});
  const pull = filesIn(rawDir).find((name) => /\/pull-[^/]*\/pull\.json$/.test(name))!;
  expect(ArcgisPull.parse(JSON.parse(readFileSync(join(rawDir, pull), "utf8"))).lacks).toEqual([
    {fact: "fields.owner_raw", column: "OWNER"},
    {fact: "area.from", column: "ACRES"},
  ]);
  const states = await new FetchStates(rawDir).all();
  expect(states.get("us-az-cochise")).toMatchObject({status: "new", failures: 0, losses: lost});
  expect(await remarksOfBuild()).toEqual([
    "lost fact: fields.owner_raw: the pulled layer no longer has its column OWNER; if it has another name now, correct the entry. " +
      "lost fact: area.from: the pulled layer no longer has its column ACRES; if it has another name now, correct the entry.",
  ]);
});

/** What the report of a build remarks on the pages of the layer, once for all of them. */
async function remarksOfBuild(): Promise<(string | undefined)[]> {
  await using db = await openDatabase();
  const files = await listRawFiles(rawDir);
  const request = {files, asOf: "2026-11-21", tempDir: temporaryFolder(), firstNumber: 0};
  const staged = await stageEntry(new ModelRun(db), {entry: county().entry as ParcelSource, ...request});
  expect(staged.files.length).toBeGreaterThan(1);
  return staged.files.flatMap(({remarks = []}) => remarks);
}

test.each<[string, LayerHabits, Record<string, unknown>, Partial<ProbeResult>]>([
  [
    "renamed the column of the number",
    {rows: 1200, renames: {PARCEL_ID: "PIN", ACRES: "GIS_ACRES"}},
    {},
    {
      status: "moved",
      reason: 'moved: the layer has no field "PARCEL_ID" (ids.raw); correct the entry',
    },
  ],
  ["has another name", {rows: 1200, name: "Tax_2027"}, {layerName: "Parcels"}, {status: "moved"}],
  [
    "counts far fewer rows",
    {rows: 12},
    {accept: {minRows: 900, maxRejectShare: 0.1, maxDropShare: 0.1, rows: []}},
    {status: "moved", reason: expect.stringContaining("counts 12 rows")},
  ],
  [
    "is empty",
    {rows: 0},
    {accept: {minRows: 0, maxRejectShare: 0.1, maxDropShare: 0.1, rows: []}},
    {status: "moved"},
  ],
  [
    "needs a token",
    {rows: 5, needsToken: true},
    {},
    {status: "failed", reason: expect.stringMatching(/unsupported.*token/)},
  ],
  [
    "is of another county by now",
    {rows: 50, change: (row) => ({...row, PARCEL_ID: null})},
    {},
    {status: "moved", reason: expect.stringContaining("its rows are rejected")},
  ],
])("reports a layer that %s, and does not start its pull", async (_, habits, facts, expected) => {
  serve(habits);
  expect((await probe([county(facts)]))[0]).toMatchObject(expected);
});

test("shows a row of a layer that refuses to be told how many to send", async () => {
  serve({rows: 50, refusesPages: true});
  expect((await probe([county()]))[0]).toMatchObject({status: "ok"});
});

test("does not start a pull whose column of numbers is gone, and keeps the last good rows", async () => {
  serve({rows: 300, maxRecordCount: 200});
  await night([county()], {rawDir, now: day});
  const pulls = () => readdirSync(join(rawDir, "parcels/us-az-cochise"));
  expect(pulls()).toEqual(["pull-20261120T053000Z"]);
  serve({rows: 300, maxRecordCount: 200, renames: {PARCEL_ID: "PIN"}});
  server.forget();
  const [outcome] = await night([county()], {rawDir, now: new Date("2026-12-02T05:30:00Z")});
  expect(outcome).toMatchObject({
    status: "failed",
    reason: expect.stringContaining('"PARCEL_ID" (ids.raw)'),
  });
  expect(pulls()).toEqual(["pull-20261120T053000Z"]);
  expect(server.seen.filter(({query}) => query.get("returnGeometry") === "true")).toEqual([]);
});

test("reports a host that is gone, an error page, and a file that became a page", async () => {
  server.on("/gone.csv", (_, reply) => void reply.writeHead(404).end());
  server.on(
    "/page.csv",
    (_, reply) => void reply.writeHead(200, {"content-type": "text/html"}).end("<html></html>"),
  );
  server.on(
    "/there.csv",
    file(() => Buffer.alloc(5000, "a,b\n"), {type: "text/csv"}),
  );
  const dead = fileSource("http://127.0.0.1:1/dead.csv");
  const found = await probe([
    dead,
    ...["gone", "page", "there"].map((name) =>
      fileSource(`${server.origin}/${name}.csv`, {id: `dealers-${name}`}),
    ),
  ]);
  expect(found.map(({status}) => status)).toEqual(["failed", "failed", "moved", "ok"]);
  expect(found[3]!.row).toMatchObject({row: {type: "text/csv", bytes: 5000}});
});

/** The feeds of the registry, asked of this server. */
function feeds(): FetchSource[] {
  const paths: Record<string, string> = {
    ...{lmr: "/lmr", "ams-text": "/texts", mars: "/mars", nass: "/nass", usdm: "/usdm", nws: "/nws"},
    ...{"nws-forecasts": "/nws", diesel: "/eia", echo: "/echo"},
  };
  return loadFeedFetches()
    .filter(({id}) => id in paths)
    .map(({hosts: _, ...feed}) =>
      sourceOfMarketFeed(
        FeedFetch.parse({
          ...{...feed, url: server.origin + paths[feed.id]!, rate: quickRate},
          ...(feed.protocol === "ams-text"
            ? {files: `${server.origin}/mnreports/ams_{slug}.pdf`, jsonList: `${server.origin}/json-list`}
            : {}),
        }),
      ),
    );
}

test("asks each feed for its list and a proof in a few requests, but none that lacks its key", async () => {
  const keys = {
    CATTLE_MARS_KEY_FILE: "/mars",
    CATTLE_QUICKSTATS_KEY_FILE: "/nass",
    CATTLE_EIA_KEY_FILE: "/eia",
  };
  const found = await probe(feeds(), keys);
  const facts = Object.fromEntries(
    found.map(({source, status, reason}) => [source.id, `${status} ${reason ?? ""}`.trim()]),
  );
  expect(facts).toMatchObject({
    mars: "ok",
    lmr: "ok",
    nass: "ok",
    usdm: "ok",
    nws: "ok",
    diesel: "ok",
    echo: "ok",
  });
  expect(Math.max(...found.map(({requests}) => requests))).toBeLessThanOrEqual(3);
  const rows = Object.fromEntries(found.map(({source, row}) => [source.id, row]));
  // Each row as a build makes it, with the columns of its tables.
  expect(rows).toMatchObject({
    mars: {row: {report_slug: "ams-99004", commodity: "feeder_cattle", price_unit: "per_cwt"}},
    lmr: {row: {signal: "direct_cattle", valid_from: "2026-11-16"}},
    nass: {row: {signal: "inventory", value: 980_000, unit: "head"}},
    usdm: {row: {signal: "drought", key: "04003", d1_pct: 30, worst_class: "D2"}},
    nws: {why: "its first answer has no row of ours"},
    "nws-forecasts": {row: {signal: "forecast", value: 71, unit: "degF"}},
    diesel: {row: {signal: "diesel", price_usd_per_gal: 3.811}},
  });
  const keyless = await probe(feeds());
  expect(
    keyless
      .filter(({status}) => status === "not asked")
      .map(({source}) => source.id)
      .sort(),
  ).toEqual(["diesel", "mars", "nass"]);
  expect(keyless.find(({source}) => source.id === "ams-text")).toMatchObject({
    status: "ok",
    row: {row: {report_slug: "ams-99001", row_ordinal: 1, price_unit: "per_cwt"}},
  });
});

/** Removes members from the rows of a market answer. */
function lacking(path: string, ...members: string[]): void {
  const asIs = server.answerOf(path);
  server.on(path, (request, reply) => {
    const end = reply.end.bind(reply);
    reply.end = ((text: unknown) =>
      end(
        JSON.stringify(JSON.parse(String(text)), (name, value: unknown) =>
          members.includes(name) ? undefined : value,
        ),
      )) as typeof reply.end;
    return asIs(request, reply);
  });
}

test.each<[string, string, string[], RegExp]>([
  ["mars", "/mars/reports/", ["avg_price"], /needed column missing: expected avg_price/],
  ["lmr", "/lmr/reports", ["report_date"], /members report_title.*expected a report date/],
  ["usdm", "/usdm", ["D0", "D1"], /expected MapDate/],
  ["usdm", "/usdm", ["MapDate"], /a map of undefined is outside/],
  ["nass", "/nass/api_GET", ["Value"], /expected .*value/i],
  ["diesel", "/eia", ["value"], /^moved: market\/diesel\//],
  ["nws-forecasts", "/nws/gridpoints", ["startTime"], /none of its rows can be read|startTime/],
])("reports a feed that lacks a required member: %s", async (id, path, members, reason) => {
  lacking(path, ...members);
  const keys = {
    CATTLE_MARS_KEY_FILE: "/mars",
    CATTLE_QUICKSTATS_KEY_FILE: "/nass",
    CATTLE_EIA_KEY_FILE: "/eia",
  };
  const [found] = await probe(
    feeds().filter((source) => source.id === id),
    keys,
  );
  playMarket(server, world);
  expect(found).toMatchObject({
    status: expect.stringMatching(/^(moved|failed)$/),
    reason: expect.stringMatching(reason),
  });
});

test("prints a table or JSON, exits with 3 if something changed, and asks nothing beside a night", async () => {
  const root = temporaryFolder();
  const registry = join(root, "registry");
  const live = await startLiveWorld(registry, "2026-11-19");
  const program = new LiveCattle({dir: root, data: join(root, "data"), registry}, live);
  const run = (...more: string[]) =>
    ended(program.start(["fetch", "--probe", "--source", "us-az-cochise", "usdm", ...more]));
  // A probe sets no file right, whatever its time.
  const meta = join(root, "data/raw/market/usdm/usdm_20280101T053000Z.json.meta.json");
  const metaText = JSON.stringify({url: "https://x.example", retrieved_at: "2028-01-01T05:30:00Z"});
  mkdirSync(dirname(meta), {recursive: true});
  writeFileSync(meta.replace(".meta.json", ""), "[]");
  writeFileSync(meta, metaText);
  const well = await run();
  expect(readFileSync(meta, "utf8")).toBe(metaText);
  live.county.habits = {...live.county.habits, renames: {PARCEL_ID: "PIN"}};
  const moved = await run("--json");
  live.server.forget();
  const beside = await (async () => {
    await using _lock = await lockRun({run: join(root, "data/run")}, "fetch");
    return await run();
  })();
  expect(beside).toMatchObject({code: 1, out: "", err: expect.stringContaining("fetch.lock")});
  expect(live.server.seen).toEqual([]);
  await live.server.stop();
  expect([well.code, moved.code]).toEqual([0, 3]);
  expect(well.out).toMatch(/^us-az-cochise +ok +may be taken +1,200 +500 /m);
  expect(well.out).toMatch(/^usdm: signal=drought · key=04003/m);
  expect(well.out).toContain("2 as expected, 0 moved, 0 failed, 0 not asked");
  const told = JSON.parse(moved.out) as {source: string; status: string}[];
  expect(told.map(({source, status}) => [source, status])).toEqual([
    ["us-az-cochise", "moved"],
    ["usdm", "ok"],
  ]);
});

test("reports a refused key without quoting it", async () => {
  server.on(
    "/nass/api_GET",
    ({query}, reply) =>
      void reply.writeHead(200).end(JSON.stringify({error: [`no such key ${query.get("key")}`]})),
  );
  const [found] = await probe(
    feeds().filter(({id}) => id === "nass"),
    {CATTLE_QUICKSTATS_KEY_FILE: "/nass"},
  );
  expect(found).toMatchObject({status: "failed", reason: expect.stringContaining("no such key (key)")});
  playMarket(server, world);
});

test("sources probe keeps the marks of layers for servers and for sources ls, leaves out layers of this day, and marks none without a network", async () => {
  const root = temporaryFolder();
  const registry = join(root, "registry");
  const live = await startLiveWorld(registry, "2026-11-19");
  const program = new LiveCattle({dir: root, data: join(root, "data"), registry}, live);
  const run = (...args: string[]) => ended(program.start(["sources", ...args]));
  const health = async () => readLayerHealth({run: join(root, "data/run")}, new Date());

  expect(await run("probe", "--state", "arizona")).toMatchObject({code: 0, out: "1 layer asked: 1 good\n"});
  const first = await health();
  expect(first.get("us-az-santa-cruz")).toMatchObject({mark: "good", failures: 0});
  expect(await run("probe")).toMatchObject({code: 0, out: "no layer asked; 1 asked within a day\n"});
  expect((await run("ls")).out).toMatch(/^us-az-santa-cruz .*good, today$/m);

  live.server.on("/miss/FeatureServer/0", layer({rows: 4, needsToken: true}));
  const closed = await run("probe", "us-az-santa-cruz", "--again", "--json");
  expect([closed.code, JSON.parse(closed.out)]).toEqual([
    3,
    [{id: "us-az-santa-cruz", state: "AZ", mark: "token", reason: expect.stringContaining("token")}],
  ]);
  expect((await health()).get("us-az-santa-cruz")).toMatchObject({mark: "token", failures: 1});

  await live.server.stop();
  const before = await health();
  expect(await run("probe", "--again")).toMatchObject({
    code: 1,
    err: expect.stringContaining("none of 1 layer could be reached"),
  });
  expect(await health()).toEqual(before);
  expect(await run("probe", "us-az-nowhere")).toMatchObject({code: 2});
});
