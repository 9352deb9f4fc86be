import {mkdir} from "node:fs/promises";
import {dirname, join} from "node:path";
import {expect, test} from "vitest";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {tablePath, yearPath} from "../../../lib/storage/build-layout.ts";
import {marketGates} from "../../../pipeline/parts/market-gates.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

test("only warns for a week with few rows if a holiday is among its seven days, including the last", async () => {
  // Thanksgiving 2026 is November 26: six days before the first of these dates, seven before the second.
  expect(await recentRows("2026-12-02")).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("; Thanksgiving Day"),
  });
  expect(await recentRows("2026-12-03")).toMatchObject({status: "fail"});
});

test("warns if one report lacks the rows of the week, and stops if two do", async () => {
  expect(await recentRows("2026-09-10", ["ams-1"])).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("; report ams-1 alone lacks 600"),
  });
  expect(await recentRows("2026-09-10", ["ams-1", "ams-2"])).toMatchObject({status: "fail"});
});

test("compares the week with the mean of the middle two of the four weeks before", async () => {
  expect(await recentRows("2026-09-10", ["ams-1", "ams-2"], [400, 600, 1000, 1400])).toMatchObject({
    detail: expect.stringContaining("0 rows in the last 7 days, 800 before"),
  });
});

/** A market without a base build. */
const firstBuild = {base: null, baseAsOf: null, feeds: ["mars"], missingFiles: []};

/** The gate on last week's rows: none in that week, so many of the reports in each of the four weeks before. */
async function recentRows(asOf: string, reports = ["ams-1", "ams-2"], rows = [600, 600, 600, 600]) {
  const dir = temporaryFolder();
  const path = join(dir, yearPath("price_rows", 2026));
  await mkdir(dirname(path), {recursive: true});
  const db = await openDatabase({threads: 1});
  try {
    await db.run(`COPY (
      SELECT 'mars' AS source_id, 'market/mars/a.json' AS source_path, report AS report_slug, report AS issue_id, row_number() OVER () AS row_ordinal, 250.0 AS price_avg, 1 AS head_count,
        DATE ${sqlText(asOf)} - (7 * week + 1)::INTEGER AS report_end_date
      FROM (VALUES ${rows.map((n, i) => `(${i + 1}, ${n / reports.length})`).join(", ")}) AS weeks(week, n), range(n::BIGINT), unnest([${reports.map(sqlText).join(", ")}]) AS reports(report)
    ) TO ${sqlText(path)} (FORMAT parquet)`);
    const made = {files: [], rows: {}, sources: []};
    const staged = {dir, asOf, sample: false, made, files: [], sourceIds: ["mars"], ...firstBuild};
    return (await marketGates(db, staged, {})).find(({gate}) => gate === "recent-rows");
  } finally {
    db.close();
  }
}

test("names table, key, cell and file of the rows that stop the market", async () => {
  const dir = temporaryFolder();
  const db = await openDatabase({threads: 1});
  const put = async (path: string, rows: string) => {
    await mkdir(dirname(join(dir, path)), {recursive: true});
    await db.run(`COPY (${rows}) TO ${sqlText(join(dir, path))} (FORMAT parquet)`);
  };
  try {
    await put(
      yearPath("price_rows", 2026),
      `SELECT 'mars' AS source_id, 'ams-1' AS report_slug, 'ams-1@2026-09-15' AS issue_id, n AS row_ordinal, -1.0 AS price_avg,
        'market/mars/a.json' AS source_path, DATE '2026-09-15' AS report_end_date FROM (VALUES (7), (7)) AS t(n)`,
    );
    await put(
      tablePath("county_prices"),
      `SELECT '20057' AS county_fips, 'feeder-bulls-cwt' AS cell_id, 'pc-1' AS evidence_id, 300.0 AS price_avg, NULL::INTEGER AS head_count,
        NULL::INTEGER AS contributing_head, DATE '2026-09-15' AS last_sale_date FROM range(2)`,
    );
    await put(
      tablePath("evidence"),
      "SELECT 'pc-1' AS evidence_id, ['cell:x', 'report:ams-1@2026-09-15'] AS entity_ids",
    );
    await put(
      tablePath("report_issues"),
      "SELECT 'ams-1@2026-09-15' AS issue_id, 'market/mars/a.json' AS source_path",
    );
    const made = {files: [], rows: {}, sources: []};
    const staged = {
      dir,
      asOf: "2026-09-16",
      sample: false,
      made,
      files: [],
      sourceIds: ["mars"],
      ...firstBuild,
    };
    const told = new Map((await marketGates(db, staged, {})).map(({gate, detail}) => [gate, detail]));
    const [row, cell] = [
      "issue_id ams-1@2026-09-15, row_ordinal 7 of market/mars/a.json",
      "county_fips 20057, cell_id feeder-bulls-cwt of market/mars/a.json",
    ];
    expect(told.get("duplicates")).toBe(
      `price_rows 1 (${row} and ${row}), county_prices 1 (${cell} and ${cell})`,
    );
    expect(told.get("prices-positive")).toBe(`${row} and ${row}`);
    expect(told.get("aggregates-complete")).toBe(
      `prices without head or date: county_prices 2 (${cell} and ${cell})`,
    );
  } finally {
    db.close();
  }
});
