import {readFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {type FetchSource, sourceOfMarketFeed} from "../../pipeline/fetch/fetch-source.ts";
import {loadMarketFeeds} from "../../pipeline/market/market-sources.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {filesIn, night} from "./fetched.ts";
import {type MarketWorld, marketWorld, playMarket} from "./market-world.ts";
import {ReplayServer} from "./replay-server.ts";
import {writeWorldRegistry} from "./world-registry.ts";

let server: ReplayServer;
let world: MarketWorld;
let sources: FetchSource[];
beforeEach(async () => {
  server = await ReplayServer.start();
  world = marketWorld("2026-11-19");
  playMarket(server, world);
  const registry = temporaryFolder();
  writeWorldRegistry(registry, server.origin);
  sources = loadMarketFeeds(join(registry, "market.json")).map(sourceOfMarketFeed);
});
afterEach(() => server.stop());

const firstNight = new Date("2026-11-20T05:30:00Z");
const secondNight = new Date("2026-11-21T05:31:00Z");
const source = (id: string) => sources.filter((each) => each.id === id);
const withKeys = {
  environment: {CATTLE_MARS_KEY_FILE: "mars", CATTLE_QUICKSTATS_KEY_FILE: "nass", CATTLE_EIA_KEY_FILE: "eia"},
  get secrets() {
    return {...world.keys};
  },
};

test("with all keys every feed is fetched, and without keys those that need none", async () => {
  const rawDir = temporaryFolder();
  const outcomes = await night(sources, {rawDir, now: firstNight, ...withKeys});
  const statuses = Object.fromEntries(outcomes.map(({source: id, status, reason}) => [id, reason ?? status]));
  expect(statuses).toEqual({
    lmr: "new",
    "ams-text": "CATTLE_MARS_KEY_FILE is set, and its source has the same reports",
    nass: "new",
    mars: "new",
    usdm: "new",
    nws: "new",
    "nws-forecasts": "new",
    diesel: "new",
    echo: "new",
    barns: "new",
  });
  const bare = await night(sources, {rawDir: temporaryFolder(), now: firstNight});
  expect(bare.filter(({status}) => status === "no key").map(({source: id}) => id)).toEqual([
    "nass",
    "mars",
    "diesel",
  ]);
  expect(bare.find(({source: id}) => id === "ams-text")).toMatchObject({status: "new", files: 3});
});

test("without a contact the weather service is not asked", async () => {
  const [outcome] = await night(source("nws"), {
    rawDir: temporaryFolder(),
    environment: {CATTLE_CONTACT: ""},
  });
  expect(outcome).toMatchObject({status: "no contact", requests: 0});
});

test("a quiet night sends conditional requests alone, and a few dozen of them", async () => {
  const rawDir = temporaryFolder();
  await night(sources, {rawDir, now: firstNight, ...withKeys});
  const before = filesIn(rawDir);
  server.forget();
  const outcomes = await night(sources, {rawDir, now: secondNight, ...withKeys});
  expect(outcomes.filter(({status}) => !["unchanged", "not due"].includes(status))).toEqual([]);
  const windows = server.seen.filter(({path}) => path.startsWith("/lmr"));
  const others = server.seen.filter((request) => !windows.includes(request));
  expect(others.filter(({headers}) => headers["if-none-match"] === undefined).map(({path}) => path)).toEqual(
    [],
  );
  expect(others.map(({status}) => status)).toEqual(others.map(() => 304));
  expect(server.seen.length).toBeLessThan(100);
  expect(filesIn(rawDir)).toEqual(before);
});

test("only a report that was published anew is asked for again", async () => {
  const rawDir = temporaryFolder();
  await night(source("mars"), {rawDir, now: firstNight, ...withKeys});
  server.forget();
  world.publishedAt = ({slug}, newest) =>
    slug === 99004
      ? "11/20/2026 15:00:00"
      : `${newest.slice(5, 7)}/${newest.slice(8)}/${newest.slice(0, 4)} 18:00:00`;
  world.correct = (sale, {slug}) =>
    slug === 99004 ? {...sale, rows: sale.rows.map((row) => ({...row, avgPrice: row.avgPrice + 1}))} : sale;
  const [outcome] = await night(source("mars"), {rawDir, now: secondNight, ...withKeys});
  expect(outcome).toMatchObject({status: "new"});
  expect(server.of("/mars/reports/").map(({path}) => path)).toEqual(["/mars/reports/99004"]);
});

test("an answer with fewer rows than the service has is asked for again in smaller windows", async () => {
  const rawDir = temporaryFolder();
  world.mostRows = 150;
  const [outcome] = await night(source("mars"), {rawDir, now: firstNight, ...withKeys});
  expect(outcome).toMatchObject({status: "new", reason: null});
  const rows = filesIn(join(rawDir, "market/mars"))
    .filter((name) => /^ams_99004_.*\.json$/.test(name) && !name.endsWith(".meta.json"))
    .flatMap((name) => {
      const body = JSON.parse(readFileSync(join(rawDir, "market/mars", name), "utf8")) as {
        results: unknown[];
      }[];
      return body.flatMap(({results}) => results);
    });
  expect(rows).toHaveLength(12 * 52);
});

test("an error inside a 200 is said for its state, and the others go on", async () => {
  world.echoErrors = new Set(["TX"]);
  const [outcome] = await night(source("echo"), {rawDir: temporaryFolder(), now: firstNight});
  expect(outcome).toMatchObject({
    status: "partial",
    files: 1,
    reason: expect.stringMatching(/TX: ECHO says: Query limit/),
  });
});

test("a source that fails stops no other", async () => {
  server.on("/usdm", (_, reply) => void reply.writeHead(500).end());
  const outcomes = await night([...source("usdm"), ...source("barns")], {
    rawDir: temporaryFolder(),
    now: firstNight,
  });
  expect(outcomes.map(({status}) => status)).toEqual(["partial", "new"]);
});

test("an answer to another question than the one that was asked is refused", async () => {
  world.correct = (sale) => ({...sale, date: sale.date.replace("2026", "2025")});
  const rawDir = temporaryFolder();
  server.on(
    "/mars/reports/99004",
    (_, reply) =>
      void reply.end(
        JSON.stringify([{stats: {}, results: [{slug_id: 99004, report_begin_date: "01/05/2019"}]}]),
      ),
  );
  const [outcome] = await night(source("mars"), {rawDir, now: firstNight, ...withKeys});
  expect(outcome!.reason).toMatch(/report_begin_date 2019-01-05 came, outside of/);
});

test("no key stands in any file, name, outcome or address without its own host", async () => {
  const rawDir = temporaryFolder();
  const outcomes = await night(sources, {rawDir, now: firstNight, ...withKeys});
  server.on(
    "/eia",
    (request, reply) => void reply.end(JSON.stringify({error: {message: request.query.get("api_key")}})),
  );
  outcomes.push(...(await night(source("diesel"), {rawDir, now: secondNight, ...withKeys})));
  expect(outcomes.at(-1)).toMatchObject({status: "failed", reason: expect.stringMatching(/\(key\)/)});
  const written = filesIn(rawDir).map((name) => `${name}\n${readFileSync(join(rawDir, name), "latin1")}`);
  const said = [...written, JSON.stringify(outcomes)].join("\n");
  const basic = Buffer.from(`${world.keys.mars}:`).toString("base64");
  for (const secret of [...Object.values(world.keys), basic])
    expect(said.includes(secret), secret).toBe(false);
});
