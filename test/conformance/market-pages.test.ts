import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {addDays, saturdayOf} from "../../lib/dates.ts";
import {roundHalfAway} from "../../lib/rounding.ts";
import {type Database, openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {marketServing, tablePath, yearPath} from "../../lib/storage/build-layout.ts";
import {buildMarket} from "../../pipeline/market/build-market.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";

type PriceRecord = Record<string, unknown> & {
  cell_id: string;
  county_fips: string | null;
  state: string;
  head_count: number | null;
  contributing_head: number | null;
  thin: boolean;
  lot_descriptors: string[];
  last_sale_date: string;
  report_slug?: string | null;
  history: {week_end_date: string; price_avg: number; head_count: number; venues_reporting: number | null}[];
};

const zips = ["67801", "73036", "57501", "79101", "93701", "68901", "65301", "97801", "35401", "10001"];
const lists = [
  ...zips.map((zip) => `/price-by-county?zip=${zip}`),
  "/price-by-county?",
  "/price-by-county?class=steers,heifers",
  "/price-by-state?",
  "/price-by-state?state=KS",
  "/latest-prices?",
  "/latest-prices?lat=37.75&lon=-100",
  "/barns?",
  "/cattle-sale-barn-directory?",
];

describe.skipIf(corpus === null)("pages, order and history over the market of the corpus", () => {
  const folder = temporaryFolder();
  let server: TestServer;
  let db: Database;
  const out = join(folder.path, "build");
  const ask = async (path: string) => (await server.get(path)).json();
  const records = async (path: string) =>
    (await ask(path)).records.filter(
      ({report_scope: scope}) => scope !== "mandatory",
    ) as unknown as PriceRecord[];
  const parquet = (path: string) => `read_parquet(${sqlText(join(out, path))})`;

  beforeAll(async () => {
    const files = (await listRawFiles(corpus ?? "")).filter(({kind}) => kind === "market");
    const tempDir = join(folder.path, "temp");
    await buildMarket({files, outDir: out, asOf: "2026-08-23", previousDir: null, sample: false, tempDir});
    const generation = generationOf(openMarketArtifacts(join(out, marketServing)));
    server = await testServer({generation: () => generation});
    db = await openDatabase();
  });
  afterAll(async () => {
    db.close();
    await server.close();
    folder.remove();
  });

  it.each(lists)("the pages of %s together are the whole, with nothing twice", async (path) => {
    const whole = await ask(`${path}&limit=500`);
    const {total} = whole["page"] as {total: number};
    const pages: unknown[] = [];
    for (let offset = 0; offset < total; offset += 70)
      pages.push(...(await ask(`${path}&limit=70&offset=${offset}&evidence=none`)).records);
    expect(pages.length).toBe(total);
    expect(pages.slice(0, 500)).toEqual(whole.records);
    expect(new Set(pages.map((record) => JSON.stringify(record))).size).toBe(total);
    const usual = await ask(path);
    expect(usual.records).toEqual(whole.records.slice(0, 25));
  });

  it.each(["KS", "MO", "WI", "AL"])(
    "orders the cells of %s by what matters first, as plain SQL does",
    async (state) => {
      const rows = await db.rows<{cell_id: string}>(
        `SELECT cell_id FROM ${parquet(tablePath("state_prices"))} WHERE state = $state ORDER BY ${plainOrder}`,
        {state},
      );
      const served = await records(`/price-by-state?state=${state}&limit=500`);
      expect(served.map(({cell_id}) => cell_id)).toEqual(rows.map(({cell_id}) => cell_id));
    },
  );

  it("answers a ZIP with its county first and then counties within 150 miles, each by what matters first", async () => {
    for (const zip of zips) {
      const near = await records(`/price-by-county?zip=${zip}&limit=500`);
      const counties = [...Map.groupBy(near, ({county_fips}) => county_fips)];
      for (const [county, found] of counties) {
        const rows = await db.rows<{cell_id: string}>(
          `SELECT cell_id FROM ${parquet(tablePath("county_prices"))} WHERE county_fips = $county ORDER BY ${plainOrder}`,
          {county: String(county)},
        );
        const cells = new Set(found.map(({cell_id}) => cell_id));
        const ordered = rows.map(({cell_id}) => cell_id).filter((cell) => cells.has(cell));
        expect(found.map(({cell_id}) => cell_id)).toEqual(ordered);
        expect(found[0]!["distance_mi"]).toBeLessThanOrEqual(150);
      }
      const others = counties.slice(1).map(([, [first]]) => Number(first!["distance_mi"]));
      expect(others).toEqual(others.toSorted((a, b) => a - b));
    }
  });

  it("has a history for every county and state record that plain arithmetic over price_rows gives", async () => {
    const counties = await records("/price-by-county?commodity=feeder_cattle&history=156&limit=500");
    const states = await records("/price-by-state?commodity=feeder_cattle&history=156&limit=500");
    let weeks = 0;
    for (const record of [...counties, ...states].filter(
      ({lot_descriptors}) => lot_descriptors.length === 0,
    )) {
      expect([record.cell_id, record.history]).toEqual([record.cell_id, await plainHistory(record)]);
      weeks += record.history.length;
    }
    expect(weeks).toBeGreaterThan(250);
  });

  it("keeps all weeks of a cell in the table, also those of years ago", async () => {
    const cell = {cell_id: "feeder-steers-ml1-0500-0549-cwt", frame: "medium_and_large", muscle_grade: "1"};
    const kind = {commodity: "feeder_cattle", class: "steers", weight_bin: "500-549", price_unit: "per_cwt"};
    const weeks = await db.rows<PriceRecord["history"][number]>(
      `SELECT week_end_date::VARCHAR AS week_end_date, price_avg::DOUBLE AS price_avg, head_count, venues_reporting
      FROM ${parquet(tablePath("price_history"))}
      WHERE area_type = 'state' AND area = 'NM' AND cell_id = $cell ORDER BY week_end_date`,
      {cell: cell.cell_id},
    );
    expect(weeks.length).toBeGreaterThan(200);
    const record = {...cell, ...kind, state: "NM", county_fips: null, last_sale_date: "2026-08-22"};
    expect(weeks).toEqual(await plainHistory(record as unknown as PriceRecord, 1000));
  });

  type PlainRow = {
    day: string;
    venue: string | null;
    area: string | null;
    head: number;
    weight: number;
    price: number;
    possible: boolean;
  };

  async function plainHistory(record: PriceRecord, most = 156): Promise<PriceRecord["history"]> {
    const official = record.report_slug != null;
    const low = Number(String(record["weight_bin"]).split("-")[0]);
    const rows = await db.rows<PlainRow>(
      `SELECT p.report_end_date::VARCHAR AS day, p.venue_id AS venue, b.county_fips AS area, head_count AS head,
        coalesce(avg_weight_lb, weight_bin_low_lb + 25)::DOUBLE AS weight, price_avg::DOUBLE AS price,
        coalesce(head_count <= 20000 AND NOT coalesce(head_count > 1.02 * e.receipts, false), false) AS possible
      FROM ${parquet(yearPath("price_rows", "*"))} AS p
      LEFT JOIN ${parquet(tablePath("barns"))} AS b USING (venue_id)
      LEFT JOIN (SELECT issue_id, max(receipts) AS receipts FROM (
        SELECT issue_id, receipts FROM ${parquet(tablePath("sale_events"))} UNION ALL
        SELECT issue_id, receipts FROM ${parquet(tablePath("summary_events"))}) GROUP BY issue_id) AS e USING (issue_id)
      WHERE p.report_program = 'voluntary' AND p.state = $state AND commodity = $commodity AND class = $class
        AND frame IS NOT DISTINCT FROM $frame AND muscle_grade IS NOT DISTINCT FROM $grade
        AND price_unit = $unit AND len(lot_descriptors) = 0 AND weight_bin_low_lb = $low AND head_count > 0 AND price_avg > 0
        AND quality_grade IS NULL AND dressing IS NULL
        AND ${official ? "report_scope = 'state_summary' AND report_slug = $slug" : "report_scope = 'venue' AND $slug IS NULL"}`,
      {
        state: record.state,
        commodity: String(record["commodity"]),
        class: String(record["class"]),
        frame: record["frame"] as string | null,
        grade: record["muscle_grade"] as string | null,
        unit: String(record["price_unit"]),
        low,
        slug: record.report_slug ?? null,
      },
    );
    const possible = rows.filter((row) => row.possible);
    const kept = official ? possible : possible.filter((row) => !isOutlier(row, possible));
    const inArea = kept.filter(({area}) => record.county_fips === null || area === record.county_fips);
    const since = addDays(saturdayOf(record.last_sale_date), -7 * most);
    return [...Map.groupBy(inArea, ({day}) => (official ? day : saturdayOf(day)))]
      .filter(([week]) => week > since)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([week, some]) => {
        const sum = (value: (row: PlainRow) => number) => some.reduce((all, row) => all + value(row), 0);
        const byPound = record["price_unit"] === "per_cwt";
        const weight = (row: PlainRow) => row.head * (byPound ? row.weight : 1);
        // Integer cents, so that sums are exact as in the build.
        const cents = sum((row) => weight(row) * Math.round(row.price * 100));
        return {
          week_end_date: week,
          price_avg: roundHalfAway(cents / (sum(weight) * 100), 2),
          head_count: sum(({head}) => head),
          venues_reporting: official ? null : new Set(some.map(({venue}) => venue)).size,
        };
      });
  }
});

/** V7 against the rows of the 28 days up to the Saturday of the row's week. */
function isOutlier(row: {day: string; price: number}, all: readonly {day: string; price: number}[]): boolean {
  const end = saturdayOf(row.day);
  const prices = all.filter(({day}) => day >= addDays(end, -28) && day <= end).map(({price}) => price);
  if (prices.length < 7) return false;
  const middle = medianOf(prices);
  const mad = medianOf(prices.map((price) => Math.abs(price - middle)));
  return (
    mad > 0 &&
    Math.abs((0.6745 * (row.price - middle)) / mad) > 6 &&
    Math.abs(row.price - middle) > 0.2 * middle
  );
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** The order of `docs/design/market.md` section 9, reimplemented as cases of cell ids. */
const plainOrder = `
  CASE cell_id WHEN 'feeder-steers-ml1-0500-0549-cwt' THEN 1 WHEN 'feeder-steers-ml1-0750-0799-cwt' THEN 2
    WHEN 'feeder-heifers-ml1-0500-0549-cwt' THEN 3 WHEN 'feeder-heifers-ml1-0750-0799-cwt' THEN 4
    ELSE CASE WHEN headline AND class = 'cows' THEN 5 WHEN headline AND class = 'bulls' THEN 6
      WHEN headline AND class = 'bred_cows' THEN 7 WHEN headline THEN 8
      WHEN thin THEN 11 WHEN lot_descriptors <> [] THEN 10 ELSE 9 END END,
  greatest(coalesce(head_count, 0), coalesce(contributing_head, 0)) DESC, cell_id`;
