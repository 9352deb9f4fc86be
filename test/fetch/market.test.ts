import {readFileSync} from "node:fs";
import type {ServerResponse} from "node:http";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {addDays} from "../../lib/dates.ts";
import type {FetchSource} from "../../pipeline/fetch/jobs/source-address.ts";
import type {FeedOf} from "../../schemas/fetch-source.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {filesIn, night} from "./fetched.ts";
import {type MarketWorld, marketWorld, playMarket} from "./market-world.ts";
import {playedSources} from "./played-sources.ts";
import {json, ReplayServer} from "./replay-server.ts";

let server: ReplayServer;
let world: MarketWorld;
let sources: FetchSource[];
beforeEach(async () => {
  server = await ReplayServer.start();
  world = marketWorld("2026-11-19");
  playMarket(server, world);
  sources = playedSources(server.origin);
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
    "diesel-bulk": "diesel has the same reports",
    "nass-bulk": "nass has the same reports",
    "ams-text": "mars has the same reports",
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

test("a refused key is named with its setting, and the printed reports come in the same night", async () => {
  const both = [...source("ams-text"), ...source("mars")];
  const options = {rawDir: temporaryFolder(), ...withKeys};
  const secrets = {...world.keys, mars: "an-old-key"};
  const refused = await night(both, {...options, now: firstNight, secrets});
  expect(refused).toMatchObject([
    {source: "ams-text", status: "new", files: 3},
    {
      source: "mars",
      status: "key refused",
      reason: expect.stringMatching(/403: put a valid key into .*CATTLE_MARS_KEY_FILE/),
    },
  ]);
  server.forget();
  const cured = await night(both, {...options, now: secondNight});
  expect(cured).toMatchObject([
    {source: "ams-text", status: "not due", reason: "mars has the same reports"},
    {source: "mars", status: "new"},
  ]);
  expect(server.of("/texts")).toEqual([]);
});

test("without a contact the weather service is not asked", async () => {
  const [outcome] = await night(source("nws"), {
    rawDir: temporaryFolder(),
    environment: {CATTLE_CONTACT: ""},
  });
  expect(outcome).toMatchObject({status: "no contact", requests: 0});
});

test("sends only a few dozen conditional requests in a quiet night", async () => {
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
  const forecasts = server.seen.filter(({path}) => path.includes("/gridpoints/"));
  expect(server.seen.length - forecasts.length).toBeLessThan(100);
  expect(new Set(forecasts.map(({path}) => path)).size).toBe(forecasts.length);
  expect(filesIn(rawDir)).toEqual(before);
});

test("requests only a republished report again", async () => {
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

test("requests a truncated answer again in smaller windows", async () => {
  const rawDir = temporaryFolder();
  world.mostRows = 150;
  const [outcome] = await night(source("mars"), {rawDir, now: firstNight, ...withKeys});
  expect(outcome).toMatchObject({status: "new", reason: null});
  expect(rowsIn(rawDir)).toBe(12 * 52);
});

test("fetches a barn whatever its title says, and names what is skipped", async () => {
  const row = (slug: number, title: string, type: string) => ({
    ...{slug_id: String(slug), report_title: title, published_date: "11/18/2026 10:00:00"},
    market_types: [type],
  });
  world.furtherReports = [
    row(99101, "Nowhere Stockyard - Nowhere, GA", "Auction Livestock (Special)"),
    row(99102, "Invented Daily Cattle", "Direct Livestock - LMR Cattle"),
    row(99103, "Some Feeder Calf Sale - Nowhere, GA", "Tele-Auction of Calves"),
    row(99104, "Onions", "Terminal Market"),
  ];
  const [outcome] = await night(source("mars"), {rawDir: temporaryFolder(), now: firstNight, ...withKeys});
  const asked = new Set(server.of("/mars/reports/").map(({path}) => path.split("/").at(-1)));
  expect(asked).toContain("99101");
  expect(asked).not.toContain("99104");
  expect(outcome!.notes.join("\n")).toMatch(
    /4 listed reports are not of cattle[\s\S]*2 may be: 99102 Invented Daily Cattle \(Direct Livestock - LMR Cattle\); 99103/,
  );
});

test("requests a report again that the list marks as corrected", async () => {
  const rawDir = temporaryFolder();
  await night(source("mars"), {rawDir, now: firstNight, ...withKeys});
  server.forget();
  world.correctedSlugs = new Set([99004]);
  await night(source("mars"), {rawDir, now: secondNight, ...withKeys});
  expect(server.of("/mars/reports/").map(({path}) => path)).toEqual(["/mars/reports/99004"]);
});

test("requests three years in the first night, without a gap between windows", async () => {
  await night(source("mars"), {rawDir: temporaryFolder(), now: firstNight, ...withKeys});
  const windows = server
    .of("/mars/reports/99004")
    .map(({query}) => windowOf(query.get("q")!))
    .sort((a, b) => (a.from < b.from ? -1 : 1));
  expect(windows[0]!.from).toBe(addDays("2026-11-20", -1092));
  expect(windows.slice(1).map(({from}) => from)).toEqual(windows.slice(0, -1).map(({to}) => addDays(to, 1)));
  expect(windows.at(-1)!.to >= "2026-11-20").toBe(true);
});

test("requests only a window with a failed half again the next night", async () => {
  const rawDir = temporaryFolder();
  world.mostRows = 150;
  let isSick = true;
  const answers = server.answerOf("/mars/reports/99004");
  server.on("/mars/reports/99004", (request, reply) => {
    const {to} = windowOf(request.query.get("q")!);
    if (isSick && to < "2026-10-20" && to > "2026-09-20") return void reply.writeHead(500).end();
    return answers(request, reply);
  });
  const [first] = await night(source("mars"), {rawDir, now: firstNight, ...withKeys});
  expect(first).toMatchObject({status: "partial"});
  isSick = false;
  server.forget();
  const [second] = await night(source("mars"), {rawDir, now: secondNight, ...withKeys});
  expect(second).toMatchObject({status: "new", reason: null});
  const again = server.of("/mars/reports/").map(({query}) => windowOf(query.get("q")!));
  expect(again.some(({from, to}) => from <= "2026-09-21" && to < "2026-10-25")).toBe(true);
  expect(again.filter(({to}) => to < "2026-09-01")).toEqual([]);
  expect(rowsIn(rawDir)).toBe(12 * 52);
});

test.each([
  ["refused", (reply: ServerResponse) => void reply.writeHead(404).end()],
  ["cut off with the night", (reply: ServerResponse) => void reply.destroy()],
])("requests the newest weeks again of a report that were %s after its history came", async (_, fail) => {
  const rawDir = temporaryFolder();
  let isSick = true;
  const answers = server.answerOf("/mars/reports/99005");
  server.on("/mars/reports/99005", (request, reply) => {
    const {to} = windowOf(request.query.get("q")!);
    return isSick && to >= "2026-11-20" ? fail(reply) : answers(request, reply);
  });
  await night(source("mars"), {rawDir, now: firstNight, ...withKeys});
  isSick = false;
  server.forget();
  await night(source("mars"), {rawDir, now: secondNight, ...withKeys});
  expect(server.of("/mars/reports/").map(({path}) => path)).toContain("/mars/reports/99005");
  expect(rowsIn(rawDir)).toBe(12 * 52);
});

test("does not take a video report's story alone for a report without sales", async () => {
  world.furtherReports = [
    {
      ...{slug_id: "99201", report_title: "Nowhere Video", published_date: "11/18/2026 10:00:00"},
      market_types: ["Video Auction Livestock"],
    },
  ];
  const story = {
    reportSection: "Report Header",
    stats: {},
    results: [{slug_id: 99201, report_narrative: "x"}],
  };
  const details = {reportSection: "Report Details", stats: {}, results: []};
  let sections = [story];
  // As the service does: it returns only the story unless all sections are requested.
  server.on(
    "/mars/reports/99201",
    ({query}, reply) =>
      void reply.end(JSON.stringify(query.get("allSections") === "true" ? sections : [story])),
  );
  const rawDir = temporaryFolder();
  const [bare] = await night(source("mars"), {rawDir, now: firstNight, ...withKeys});
  expect(bare).toMatchObject({
    status: "partial",
    reason: expect.stringMatching(/expected a section of details, got only "Report Header"/),
  });
  sections = [story, details];
  const [whole] = await night(source("mars"), {rawDir, now: secondNight, ...withKeys});
  expect(whole).toMatchObject({status: "new", reason: null});
});

test("falls back to JSON if the printed index is no list, and reports if both fail", async () => {
  server.on("/texts/listPublishedReports", (_, reply) => void reply.end("<html>maintenance</html>"));
  const list = {
    reports: [{slugId: 99003, reportTitle: "Nowhere Livestock Auction", publishedDate: "11/18/2026"}],
  };
  server.on("/json-list", (_, reply) => void reply.end(JSON.stringify(list)));
  await night(source("ams-text"), {rawDir: temporaryFolder(), now: firstNight});
  expect(server.of("/mnreports").map(({path}) => path)).toEqual(["/mnreports/ams_99003.pdf"]);
  server.on("/json-list", (_, reply) => void reply.end("{}"));
  const [outcome] = await night(source("ams-text"), {rawDir: temporaryFolder(), now: firstNight});
  expect(outcome).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/expected a list of reports/),
  });
});

test("facilities are asked with the columns that tell livestock and points, by the numbers that the service gives them", async () => {
  const rawDir = temporaryFolder();
  await night(source("echo"), {rawDir, now: firstNight});
  const [download] = server.of("/echo/cwa_rest_services.get_download");
  expect(download!.query.get("qcolumns")).toBe("1,11,21,31,41,61,71,81,91,101,111,121,131,141,151");
});

test("a facility column that ECHO lost costs that column alone, in all states", async () => {
  const columnsLeft = (names: readonly string[]) =>
    server.on(
      "/echo/cwa_rest_services.metadata",
      json(() => ({
        Results: {ResultColumns: names.map((ObjectName, at) => ({ObjectName, ColumnID: at + 1}))},
      })),
    );
  columnsLeft((source("echo")[0]!.feed as FeedOf<"echo">).columns.slice(0, -1));
  const [outcome] = await night(source("echo"), {rawDir: temporaryFolder(), now: firstNight});
  expect(outcome).toMatchObject({
    ...{status: "new", files: 1},
    losses: [
      "PermitComponents: ECHO no longer has this column; if it has another name now, correct the entry",
    ],
  });
  columnsLeft(["AnotherName"]);
  const [moved] = await night(source("echo"), {rawDir: temporaryFolder(), now: firstNight});
  expect(moved).toMatchObject({status: "failed", fault: "moved", files: 0});
});

test("reports an error inside a 200 for its state, and continues with the others", async () => {
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
  expect(outcomes.map(({status}) => status)).toEqual(["failed", "new"]);
});

test("refuses an empty list of reports", async () => {
  server.on(
    "/mars/reports",
    json(() => []),
  );
  const [outcome] = await night(source("mars"), {rawDir: temporaryFolder(), now: firstNight, ...withKeys});
  expect(outcome).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/expected a list of reports/),
  });
});

test("refuses an answer to another question", async () => {
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
  expect(outcome!.reason).toMatch(/report_begin_date 2019-01-05 is outside/);
});

test("asks for the pages of an EIA series until all are here, also of a service that makes them smaller", async () => {
  const rawDir = temporaryFolder();
  let isSick = true;
  server.on("/eia", ({query}, reply) => {
    const offset = Number(query.get("offset"));
    const data = ["a", "b", "c", "d", "e", "f", "g"].slice(offset, offset + 3);
    reply.statusCode = isSick && offset === 3 ? 500 : 200;
    void reply.end(JSON.stringify({response: {total: "7", data}}));
  });
  const asked = () => server.of("/eia").map(({query}) => query.get("offset"));
  const ask = (now: Date) => night(source("diesel"), {rawDir, now, ...withKeys});
  expect(await ask(firstNight)).toMatchObject([{status: "failed"}]);
  isSick = false;
  server.forget();
  expect(await ask(secondNight)).toMatchObject([{status: "new", files: 2}]);
  expect(asked()).toEqual(["0", "3", "6"]);
  server.forget();
  expect(await ask(new Date(secondNight.getTime() + 86_400_000))).toMatchObject([{status: "unchanged"}]);
  expect(asked()).toEqual(["0"]);
});

test("puts no key into any file, name, outcome or URL of another host", async () => {
  const rawDir = temporaryFolder();
  const outcomes = await night(sources, {rawDir, now: firstNight, ...withKeys});
  server.on(
    "/eia",
    (request, reply) => void reply.end(JSON.stringify({error: {message: request.query.get("api_key")}})),
  );
  outcomes.push(...(await night(source("diesel"), {rawDir, now: secondNight, ...withKeys})));
  expect(outcomes.at(-1)).toMatchObject({status: "failed", reason: expect.stringMatching(/\(key\)/)});
  world.correctedSlugs = new Set([99004]);
  server.on(
    "/mars/reports/99004",
    json(() => [{results: [{slug_id: world.keys.mars}]}]),
  );
  outcomes.push(...(await night(source("mars"), {rawDir, now: secondNight, ...withKeys})));
  expect(outcomes.at(-1)).toMatchObject({
    status: "partial",
    reason: expect.stringMatching(/got \(key\)/),
  });
  const written = filesIn(rawDir).map((name) => `${name}\n${readFileSync(join(rawDir, name), "latin1")}`);
  const said = [...written, JSON.stringify(outcomes)].join("\n");
  const basic = Buffer.from(`${world.keys.mars}:`).toString("base64");
  for (const secret of [...Object.values(world.keys), basic])
    expect(said.includes(secret), secret).toBe(false);
});

/** Counts the distinct rows of report 99004 in all its files: every night fetches the last weeks again. */
function rowsIn(rawDir: string): number {
  const rows = filesIn(join(rawDir, "market/mars"))
    .filter((name) => /^ams_99004_.*\.json$/.test(name) && !name.endsWith(".meta.json"))
    .map(
      (name) => JSON.parse(readFileSync(join(rawDir, "market/mars", name), "utf8")) as {results: unknown[]}[],
    )
    .flatMap((body) => body.flatMap(({results}) => results));
  return new Set(rows.map((row) => JSON.stringify(row))).size;
}

function windowOf(query: string): {from: string; to: string} {
  const [from, to] = /=(\S+):(\S+)$/.exec(query)!.slice(1) as [string, string];
  const iso = (text: string) => text.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, "$3-$1-$2");
  return {from: iso(from), to: iso(to)};
}
