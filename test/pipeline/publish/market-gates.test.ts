import {mkdir} from "node:fs/promises";
import {dirname, join} from "node:path";
import {expect, test} from "vitest";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {yearPath} from "../../../lib/storage/build-layout.ts";
import {marketGates} from "../../../pipeline/publish/market-gates.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

test("lets a week with few rows pass with a warning where a holiday is among its seven days, its last day too", async () => {
  // Thanksgiving Day of 2026 is November 26: six days before the first of these dates, seven before the second.
  expect(await recentRows("2026-12-02")).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("; Thanksgiving Day"),
  });
  expect(await recentRows("2026-12-03")).toMatchObject({status: "fail"});
});

/** The gate on rows of the last week: no row in it, 600 in each of the four weeks before. */
async function recentRows(asOf: string) {
  const dir = temporaryFolder();
  const path = join(dir, yearPath("price_rows", 2026));
  await mkdir(dirname(path), {recursive: true});
  const db = await openDatabase({threads: 1});
  try {
    await db.run(`COPY (
      SELECT 'mars' AS source_id, 'ams-1' AS issue_id, row_number() OVER () AS row_ordinal, 250.0 AS price_avg, 1 AS head_count,
        DATE ${sqlText(asOf)} - (7 * week + 1)::INTEGER AS report_end_date
      FROM range(1, 5) AS weeks(week), range(600) AS n
    ) TO ${sqlText(path)} (FORMAT parquet)`);
    const made = {files: [], rows: {}, sources: []};
    const staged = {dir, asOf, made, files: [], sourceIds: ["mars"], base: null};
    return (await marketGates(db, staged, {})).find(({gate}) => gate === "recent-rows");
  } finally {
    db.close();
  }
}
