import {join} from "node:path";
import {afterAll, beforeAll, expect, it, test} from "vitest";
import {type Database, openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {temporaryFolder} from "../server-fixture.ts";
import {
  answerTo,
  before,
  type Named,
  type Opened,
  openPastMarket,
  pagesOf,
  seed,
  today,
} from "./past-market.ts";

const folder = temporaryFolder();
let early: Opened;
let late: Opened;
let db: Database;
beforeAll(async () => {
  ({early, late} = await openPastMarket(folder.path));
  db = await openDatabase();
}, 120_000);
afterAll(async () => {
  db.close();
  for (const one of [early, late]) await one.server.close();
  folder.remove();
});

const reply = ({server}: Opened, question: string) => server.get(`/latest-prices?${question}`);
const ask = ({server}: Opened, question: string) => answerTo(server, `/latest-prices?${question}`);
const pages = ({server}: Opened, question: string) => pagesOf(server, `/latest-prices?${question}`);

const slugOf = (record: Named) => (record["upstream"] as {report_slug: string}).report_slug;
/** What a row is known by in both builds: the row's number counts over all reports of a venue in the latest prices. */
const figuresOf = (record: Named) =>
  ["cell_id", "price_avg", "price_min", "head_count", "avg_weight_lb"].map((name) => record[name]).join(" ");
/** Members that say what a build knew on its day, and the two ids. */
const ofTheDay = ["change_status", "evidence_id", "row_ordinal"];
const changes = ["change_week", "change_year", "matched", "last_sale", "then_sale", "year_sales"];

it(`V35 gives a past sale the records and evidence that the build of its day gave it (seed ${seed})`, async () => {
  const then = await ask(early, "class=steers,heifers,cow_calf_pairs&limit=500");
  const records = (then.records as Named[]).filter(({report_scope: scope}) => scope === "venue");
  const compared = {records: 0, changes: 0};
  for (const record of records) {
    const [venue, day] = [record["venue_id"], record["report_end_date"]];
    const rivals = records.filter(
      (other) => other["venue_id"] === venue && other["cell_id"] === record["cell_id"],
    );
    // The latest prices compare a cell's newest sale at a venue alone.
    const isNewest = rivals.every((other) => String(other["report_end_date"]) <= String(day));
    const left = (name: string) =>
      ofTheDay.includes(name) || (!isNewest && changes.some((prefix) => name.startsWith(prefix)));
    const past = await pages(late, `venue=${venue}&from=${day}&to=${before}&limit=100`);
    const twin = past.records.find(
      (other) =>
        other["report_end_date"] === day &&
        slugOf(other) === slugOf(record) &&
        figuresOf(other) === figuresOf(record),
    );
    expect(Object.keys(twin ?? {})).toEqual(Object.keys(record));
    const shared = (from: Named) => Object.fromEntries(Object.entries(from).filter(([name]) => !left(name)));
    expect(shared(twin!)).toEqual(shared(record));
    const evidenceOf = (of: Named[], {evidence_id}: Named) =>
      of.find((one) => one.evidence_id === evidence_id)!;
    if (isNewest)
      expect(shared(evidenceOf(past.evidence, twin!))).toEqual(
        shared(evidenceOf(then["evidence"] as Named[], record)),
      );
    compared.records += 1;
    if (isNewest && record["change_week"] !== null) compared.changes += 1;
  }
  expect(compared.records).toBeGreaterThan(30);
  expect(compared.changes).toBeGreaterThan(3);
});

/** The rows of a question, by a plain scan of the published table: report, day and number of the row. */
function scanned(where: string, order: string): Promise<{key: string}[]> {
  const files = sqlText(join(late.dir, "tables/price_rows/**/*.parquet"));
  return db.rows(`SELECT report_slug || ' ' || report_end_date || ' ' || number AS key FROM (
      SELECT *, row_number() OVER (PARTITION BY issue_id ORDER BY row_ordinal) AS number FROM read_parquet(${files})
    ) WHERE report_scope = 'venue' AND ${where} ORDER BY ${order}`);
}

const keyOf = (record: Named) => [slugOf(record), record["report_end_date"], record["row_ordinal"]].join(" ");

test.each([
  ["venue=creek&from=2026-02-01&to=2026-05-31", "report_slug = 'ams-9101'", "2026-02-01", "2026-05-31"],
  [
    "state=KS&class=heifers&to=2026-11-21&from=2025-11-21",
    "state = 'KS' AND class = 'heifers'",
    "2025-11-21",
    "2026-11-21",
  ],
  ["class=cow_calf_pairs&from=2026-06-01", "class = 'cow_calf_pairs'", "2026-06-01", "2026-11-21"],
  [
    "class=steers&weight=560&to=2025-12-31",
    "class = 'steers' AND weight_bin_low_lb = 550",
    "2024-12-30",
    "2025-12-31",
  ],
  ["venue=creek&from=2025-06-02&to=2025-06-02", "report_slug = 'ams-9101'", "2025-06-02", "2025-06-02"],
])("pages %s by cursor: each row of the table once, newest sale first", async (question, where, from, to) => {
  const inSpan = `${where} AND report_end_date BETWEEN DATE '${from}' AND DATE '${to}'`;
  const wanted = (await scanned(inSpan, "1")).map(({key}) => key);
  for (const limit of [7, 50]) {
    const {records, total} = await pages(late, `${question}&limit=${limit}`);
    expect(records.map(keyOf).sort()).toEqual(wanted);
    expect(total).toBe(wanted.length);
    const days = records.map((record) => String(record["report_end_date"]));
    expect(days).toEqual(days.toSorted().reverse());
  }
});

it("orders the rows of a question without a place by day, state, venue and cell", async () => {
  const {records} = await pages(late, "class=steers,heifers&from=2026-09-01&limit=33");
  const rank = (record: Named) =>
    ["state", "venue_id", "report_end_date", "cell_id"].map((name) => String(record[name]));
  const sorted = records.toSorted((a, b) => {
    const [[stateA, venueA, dayA, cellA], [stateB, venueB, dayB, cellB]] = [rank(a), rank(b)];
    const [left, right] = [
      [dayB!, stateA!, venueA!, slugOf(a), cellA!],
      [dayA!, stateB!, venueB!, slugOf(b), cellB!],
    ];
    const at = left.findIndex((value, i) => value !== right[i]);
    return at < 0 ? Number(a["row_ordinal"]) - Number(b["row_ordinal"]) : left[at]! < right[at]! ? -1 : 1;
  });
  expect(records.map(keyOf)).toEqual(sorted.map(keyOf));
  expect(records.length).toBeGreaterThan(50);
});

it("counts ages at the last day asked, and says which days it took", async () => {
  const body = await ask(late, "venue=creek&to=2026-03-31&limit=1");
  expect(body["query"]).toMatchObject({applied: {from: "2025-03-30", to: "2026-03-31"}});
  const [record] = body.records;
  expect(record!["age_days"]).toBe(
    (Date.parse("2026-03-31") - Date.parse(String(record!["report_end_date"]))) / 86_400_000,
  );
  expect(record!["freshness"]).toBe("fresh");
  const open = await ask(late, "venue=creek&from=2026-10-01&limit=1");
  expect(open["query"]).toMatchObject({applied: {from: "2026-10-01", to: today}});
});

it("puts trades behind the rows of barns: of a state those of regions that name it, without a place all", async () => {
  const {records} = await pages(late, "class=steers&from=2026-07-01&to=2026-08-31&limit=100");
  const isTrade = records.map((record) => record["report_scope"] === "direct");
  expect(isTrade).toEqual(isTrade.toSorted((a, b) => Number(a) - Number(b)));
  const trades = records.filter((record) => record["report_scope"] === "direct");
  expect(trades.map(({report_end_date, region}) => [report_end_date, region])).toEqual([
    ["2026-08-14", "Invented Hills (MT)"],
    ["2026-08-14", "Invented Plains (KS)"],
    ["2026-07-10", "Invented Hills (MT)"],
    ["2026-07-10", "Invented Plains (KS)"],
  ]);
  expect(trades[0]).toMatchObject({shrink: "2%", venue_id: null, state: null});
  const ofKansas = await pages(late, "state=KS&class=steers&from=2026-08-14&to=2026-08-14&limit=100");
  expect(ofKansas.records.flatMap(({region}) => region ?? [])).toEqual(["Invented Plains (KS)"]);
  const then = (await ask(early, "class=steers&limit=500")).records.filter(
    ({report_scope}) => report_scope === "direct",
  );
  const twins = (await pages(late, `class=steers&from=2026-08-14&to=${before}&limit=100`)).records.filter(
    ({report_scope}) => report_scope === "direct",
  );
  const shared = (from: object) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => !ofTheDay.includes(name)));
  expect(twins.map(shared)).toEqual(then.map(shared));
});

it("says no_rows with the last known sale for days without one", async () => {
  const body = await ask(late, "venue=creek&from=2024-01-01&to=2024-02-01");
  expect([body["result_status"], body.records]).toEqual(["no_rows", []]);
  expect(body["last_known_source_date"]).toMatch(/^2026-11-/);
});

test.each([
  ["from=2026-02-30", "from", "is not a date, YYYY-MM-DD"],
  ["to=yesterday", "to", "is not a date, YYYY-MM-DD"],
  ["from=2026-03-02&to=2026-03-01", "from", "is after to"],
  ["from=2026-11-22", "from", "is after the build's day, 2026-11-21"],
  ["from=2025-01-01&to=2026-01-03", "from", "is more than 366 days before to"],
  ["from=2026-11-01&order=price", "order", "compares the newest sales, not those of from and to"],
  ["to=2026-11-01&rate_per_mile=4", "rate_per_mile", "compares the newest sales, not those of from and to"],
  ["from=2026-11-01&cursor=AAAA", "cursor", "is not a cursor that an answer gave"],
  ["cursor=AAAA", "cursor", "pages past sales: repeat from and to with it"],
  ["to=2026-11-01&cursor=AAAA&offset=5", "offset", "is a second place beside cursor"],
])("refuses %s", async (question, name, reason) => {
  const refused = await reply(late, question);
  expect([refused.status, refused.json().invalid_params[0]]).toMatchObject([400, {name, reason}]);
});

it("refuses the cursor of another build or question, so that no row comes twice and none is lost", async () => {
  const question = "venue=creek&from=2026-01-01&to=2026-06-30&limit=5";
  const {page} = (await ask(late, question)) as unknown as {page: {next_cursor: string}};
  const refused = async (of: Opened, asked: string) =>
    (await reply(of, `${asked}&cursor=${page.next_cursor}`)).json().invalid_params[0]!.reason;
  expect(await refused(early, question)).toBe(
    "is of build 20261121-aaaaaa; 20260820-aaaaaa is served now: begin again without it",
  );
  expect(await refused(late, question.replace("06-30", "06-29"))).toBe(
    "is of another question: repeat its parameters, or begin without it",
  );
  // The size of a page is no part of the question.
  expect(
    (await reply(late, `${question.replace("limit=5", "limit=9")}&cursor=${page.next_cursor}`)).status,
  ).toBe(200);
});
