import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {afterAll, beforeAll, expect, it, test} from "vitest";
import {addDays} from "../../../lib/dates.ts";
import {type Database, openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {marketServing} from "../../../lib/storage/build-layout.ts";
import {marketStage} from "../../../pipeline/parts/project-stages.ts";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";
import {openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {directRow, directTitle, marsAnswer, marsRow, metaFetched} from "../../pipeline/market/raw-folder.ts";
import {randomFrom} from "../../pipeline/market/recomputed/answers.ts";
import {
  generationOf,
  type TestBody,
  type TestServer,
  temporaryFolder,
  testServer,
} from "../server-fixture.ts";

const folder = temporaryFolder();
const seed = Number(process.env["SEED"] ?? 20261128);
const below = randomFrom(seed);
const random = () => below(1_000_000) / 1_000_000;
/** The day of the earlier build, and of the later one, 60 weeks after the first sale. */
const [before, today] = ["2026-08-20", "2026-11-21"];
const firstDay = "2025-06-02";

const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));

/** Three barns, one with two report numbers, and a video report. */
const markets = [
  {town: "Sample Creek", state: "NE", slug: 9101, weekday: 0},
  {town: "Sample Gulch", state: "KS", slug: 9102, weekday: 2},
  {town: "Sample Gulch", state: "KS", slug: 9103, weekday: 4},
  {town: "Sample Ford", state: "KS", slug: 9104, weekday: 3},
];

function feeder() {
  const low = 50 * between(10, 13);
  const weight = random() < 0.1 ? null : between(low, low + 49);
  const price = between(25_000, 45_000) / 100;
  return {
    class: any(["Steers", "Heifers"]),
    muscle_grade: any(["1", "1", "1-2"]),
    lot_desc: any(["None", "None", "None", "Unweaned"]),
    head_count: any([between(1, 9), between(20, 90), between(20, 90), 9_000]),
    ...{avg_weight: weight, avg_weight_min: weight && low, avg_weight_max: weight && low + 49},
    ...{weight_break_low: low, weight_break_high: low + 50},
    avg_price: random() < 0.03 ? price * 3 : price,
    ...(random() < 0.2
      ? {avg_price_min: null, avg_price_max: null}
      : {avg_price_min: price - 2, avg_price_max: price + 3}),
  };
}

function pair() {
  const price = 10 * between(150, 400);
  return {
    ...{
      commodity: "Replacement Cattle",
      class: "Cow-Calf Pairs",
      price_unit: "Per Family",
      frame: "Medium and Large",
    },
    ...{
      age: any(["2-4", "5-8"]),
      pregnancy_stage: "O",
      offspring_weight_est: "150-300",
      head_count: between(1, 20),
    },
    ...{
      avg_weight: 1150,
      avg_weight_min: 1100,
      avg_weight_max: 1200,
      weight_break_low: 1100,
      weight_break_high: 1200,
    },
    ...{avg_price: price, avg_price_min: price - 50, avg_price_max: price + 100},
  };
}

const said = [
  "Compared to last week, feeder steers and heifers sold 5.00 higher. Demand good for moderate supply.",
  "Feeder steers sold 20.00 to 30.00 lower. Heifers were not well tested.",
  "No comparable trends.",
];

/** The rows of the sales of a market, by the day of the sale. */
function salesOf({town, state, slug, weekday}: (typeof markets)[number]): [day: string, rows: object[]][] {
  return Array.from({length: 76}, (_, week) => addDays(firstDay, 7 * week + weekday)).flatMap((day) => {
    if (day > today || random() < 0.08) return [];
    const shared = {
      ...{report_date: day, report_begin_date: day, report_end_date: day, published_date: `${day} 18:00:00`},
      ...{market_location_name: town, market_location_city: town, market_location_state: state},
      ...{slug_id: slug, slug_name: `AMS_${slug}`, report_title: `${town} Livestock - ${town}, ${state}`},
      ...{
        receipts: any([null, between(200, 2_000)]),
        report_narrative: any(said),
        final_ind: any(["Final", "Preliminary"]),
      },
    };
    const lots = Array.from({length: between(6, 30)}, () => (random() < 0.8 ? feeder() : pair()));
    return [[day, lots.map((lot) => marsRow({...shared, ...lot}))]];
  });
}

/** Three months of a direct report: its trades have a region and terms, and no barn. */
const tradeDays = ["2026-06-05", "2026-07-10", "2026-08-14"];
const tradesOf = (day: string) =>
  JSON.stringify([
    {
      reportSection: "Report Header",
      results: [
        {
          slug_id: 9710,
          report_title: directTitle,
          report_end_date: day,
          report_narrative: "Net weights after a 2% shrink.",
        },
      ],
    },
    {
      reportSection: "Report Details",
      stats: {returnedRows: 2},
      results: ["Invented Plains (KS)", "Invented Hills (MT)"].map((geographical_location) =>
        directRow({
          ...{report_date: day, report_begin_date: day, report_end_date: day},
          geographical_location,
        }),
      ),
    },
  ]);

type Opened = {server: TestServer; dir: string};

async function opened(asOf: string): Promise<Opened> {
  const files = (await listRawFiles(join(folder.path, "raw", asOf))).filter(({kind}) => kind === "market");
  const dir = join(folder.path, asOf);
  await marketStage({
    files,
    outDir: dir,
    asOf,
    previousDir: null,
    sample: false,
    tempDir: join(folder.path, "temp"),
  });
  const generation = generationOf(openMarketArtifacts(join(dir, marketServing)), {
    asOf,
    buildId: `${asOf.replaceAll("-", "")}-aaaaaa`,
  });
  return {dir, server: await testServer({generation: () => generation})};
}

let [early, late]: Opened[] = [];
let db: Database;
beforeAll(async () => {
  for (const market of markets) {
    const sales = salesOf(market);
    for (const [asOf, from, to] of [
      [before, "", before],
      [today, "", before],
      [today, before, today],
    ] as const) {
      const path = join(folder.path, "raw", asOf, "market/mars", `${market.slug}-${to}.json`);
      mkdirSync(dirname(path), {recursive: true});
      writeFileSync(path, marsAnswer(sales.flatMap(([day, rows]) => (day > from && day <= to ? rows : []))));
      writeFileSync(`${path}.meta.json`, metaFetched(`${to}T20:00:00Z`));
    }
  }
  for (const day of tradeDays)
    for (const asOf of [before, today]) {
      const path = join(folder.path, "raw", asOf, "market/mars", `trades-${day}.json`);
      writeFileSync(path, tradesOf(day));
      writeFileSync(`${path}.meta.json`, metaFetched(`${day}T20:00:00Z`));
    }
  [early, late] = [await opened(before), await opened(today)];
  db = await openDatabase();
}, 120_000);
afterAll(async () => {
  db.close();
  for (const one of [early, late]) await one!.server.close();
  folder.remove();
});

const ask = (of: Opened, question: string) => of.server.get(`/latest-prices?${question}`);

type Record_ = Record<string, unknown> & {evidence_id: string};
type Paged = {records: Record_[]; evidence: Record_[]; total: number};

async function answerTo(of: Opened, question: string): Promise<TestBody> {
  const reply = await ask(of, question);
  if (reply.status !== 200) throw new Error(`${question}: ${reply.text}`);
  return reply.json();
}

/** All pages of a question, by cursor. */
async function pagesOf(of: Opened, question: string): Promise<Paged> {
  const found: Paged = {records: [], evidence: [], total: 0};
  for (let cursor = ""; ; ) {
    const body = await answerTo(of, `${question}${cursor}`);
    const {total, next_cursor: next} = body["page"] as {total: number; next_cursor: string | null};
    found.records.push(...(body.records as Record_[]));
    found.evidence.push(...(body["evidence"] as Record_[]));
    if (next === null) return {...found, total};
    cursor = `&cursor=${next}`;
  }
}

const slugOf = (record: Record_) => (record["upstream"] as {report_slug: string}).report_slug;
/** What a row is known by in both builds: the row's number counts over all reports of a venue in the latest prices. */
const figuresOf = (record: Record_) =>
  ["cell_id", "price_avg", "price_min", "head_count", "avg_weight_lb"].map((name) => record[name]).join(" ");
/** Members that say what a build knew on its day, and the two ids. */
const ofTheDay = ["change_status", "evidence_id", "row_ordinal"];
const changes = ["change_week", "change_year", "matched", "last_sale", "then_sale", "year_sales"];

it(`V35 gives a past sale the records and evidence that the build of its day gave it (seed ${seed})`, async () => {
  const then = await answerTo(early!, "venue=sample&limit=500");
  const records = then.records as Record_[];
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
    const past = await pagesOf(late!, `venue=${venue}&from=${day}&to=${before}&limit=100`);
    const twin = past.records.find(
      (other) =>
        other["report_end_date"] === day &&
        slugOf(other) === slugOf(record) &&
        figuresOf(other) === figuresOf(record),
    );
    expect(Object.keys(twin ?? {})).toEqual(Object.keys(record));
    const shared = (from: Record_) =>
      Object.fromEntries(Object.entries(from).filter(([name]) => !left(name)));
    expect(shared(twin!)).toEqual(shared(record));
    const evidenceOf = (of: Record_[], {evidence_id}: Record_) =>
      of.find((one) => one.evidence_id === evidence_id)!;
    if (isNewest)
      expect(shared(evidenceOf(past.evidence, twin!))).toEqual(
        shared(evidenceOf(then["evidence"] as Record_[], record)),
      );
    compared.records += 1;
    if (isNewest && record["change_week"] !== null) compared.changes += 1;
  }
  expect(compared.records).toBeGreaterThan(30);
  expect(compared.changes).toBeGreaterThan(3);
});

/** The rows of a question, by a plain scan of the published table: report, day and number of the row. */
function scanned(where: string, order: string): Promise<{key: string}[]> {
  const files = sqlText(join(late!.dir, "tables/price_rows/**/*.parquet"));
  return db.rows(`SELECT report_slug || ' ' || report_end_date || ' ' || number AS key FROM (
      SELECT *, row_number() OVER (PARTITION BY issue_id ORDER BY row_ordinal) AS number FROM read_parquet(${files})
    ) WHERE report_scope = 'venue' AND ${where} ORDER BY ${order}`);
}

const keyOf = (record: Record_) =>
  [slugOf(record), record["report_end_date"], record["row_ordinal"]].join(" ");

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
    const {records, total} = await pagesOf(late!, `${question}&limit=${limit}`);
    expect(records.map(keyOf).sort()).toEqual(wanted);
    expect(total).toBe(wanted.length);
    const days = records.map((record) => String(record["report_end_date"]));
    expect(days).toEqual(days.toSorted().reverse());
  }
});

it("orders the rows of a question without a place by day, state, venue and cell", async () => {
  const {records} = await pagesOf(late!, "class=steers,heifers&from=2026-09-01&limit=33");
  const rank = (record: Record_) =>
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
  const body = await answerTo(late!, "venue=creek&to=2026-03-31&limit=1");
  expect(body["query"]).toMatchObject({applied: {from: "2025-03-30", to: "2026-03-31"}});
  const [record] = body.records;
  expect(record!["age_days"]).toBe(
    (Date.parse("2026-03-31") - Date.parse(String(record!["report_end_date"]))) / 86_400_000,
  );
  expect(record!["freshness"]).toBe("fresh");
  const open = await answerTo(late!, "venue=creek&from=2026-10-01&limit=1");
  expect(open["query"]).toMatchObject({applied: {from: "2026-10-01", to: today}});
});

it("puts trades behind the rows of barns: of a state those of regions that name it, without a place all", async () => {
  const {records} = await pagesOf(late!, "class=steers&from=2026-07-01&to=2026-08-31&limit=100");
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
  const ofKansas = await pagesOf(late!, "state=KS&class=steers&from=2026-08-14&to=2026-08-14&limit=100");
  expect(ofKansas.records.flatMap(({region}) => region ?? [])).toEqual(["Invented Plains (KS)"]);
  const then = (await answerTo(early!, "class=steers&limit=500")).records.filter(
    ({report_scope}) => report_scope === "direct",
  );
  const twins = (await pagesOf(late!, `class=steers&from=2026-08-14&to=${before}&limit=100`)).records.filter(
    ({report_scope}) => report_scope === "direct",
  );
  const shared = (from: object) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => !ofTheDay.includes(name)));
  expect(twins.map(shared)).toEqual(then.map(shared));
});

it.each(["from=2024-01-01&to=2024-02-01", "from=2026-11-22", "from=2027-01-01&to=2027-02-01"])(
  "says no_rows with the last known sale for days without one: %s",
  async (days) => {
    const body = await answerTo(late!, `venue=creek&${days}`);
    expect([body["result_status"], body.records]).toEqual(["no_rows", []]);
    expect(body["last_known_source_date"]).toMatch(/^2026-11-/);
  },
);

test.each([
  ["from=2026-02-30", "from", "is not a date, YYYY-MM-DD"],
  ["to=yesterday", "to", "is not a date, YYYY-MM-DD"],
  ["from=2026-03-02&to=2026-03-01", "from", "is after to"],
  ["from=2025-01-01&to=2026-01-03", "from", "is more than 366 days before to"],
  ["from=2026-11-01&order=price", "order", "compares the newest sales, not those of from and to"],
  ["to=2026-11-01&rate_per_mile=4", "rate_per_mile", "compares the newest sales, not those of from and to"],
  ["from=2026-11-01&cursor=AAAA", "cursor", "is not a cursor that an answer gave"],
  ["cursor=AAAA", "cursor", "pages past sales: repeat from and to with it"],
  ["to=2026-11-01&cursor=AAAA&offset=5", "offset", "is a second place beside cursor"],
])("refuses %s", async (question, name, reason) => {
  const reply = await ask(late!, question);
  expect([reply.status, reply.json().invalid_params[0]]).toMatchObject([400, {name, reason}]);
});

it("refuses the cursor of another build or question, so that no row comes twice and none is lost", async () => {
  const question = "venue=creek&from=2026-01-01&to=2026-06-30&limit=5";
  const {page} = (await answerTo(late!, question)) as unknown as {page: {next_cursor: string}};
  const refused = async (of: Opened, asked: string) =>
    (await ask(of, `${asked}&cursor=${page.next_cursor}`)).json().invalid_params[0]!.reason;
  expect(await refused(early!, question)).toBe(
    "is of build 20261121-aaaaaa; 20260820-aaaaaa is served now: begin again without it",
  );
  expect(await refused(late!, question.replace("06-30", "06-29"))).toBe(
    "is of another question: repeat its parameters, or begin without it",
  );
  // The size of a page is no part of the question.
  expect(
    (await ask(late!, `${question.replace("limit=5", "limit=9")}&cursor=${page.next_cursor}`)).status,
  ).toBe(200);
});
