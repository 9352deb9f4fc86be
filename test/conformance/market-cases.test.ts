import {copyFileSync, mkdirSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {tablePath} from "../../lib/storage/build-layout.ts";
import {marketStage} from "../../pipeline/parts/project-stages.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

/** Builds a case of `corpus/cases/market/` as of a day, and queries its tables, which are named in `$name`. */
async function queryCase(name: string, asOf: string, sql: string): Promise<Record<string, unknown>[]> {
  const folder = temporaryFolder();
  const raw = join(folder, "raw", "market", "ams-text");
  mkdirSync(raw, {recursive: true});
  const from = join(corpus!, "cases", "market", name);
  for (const file of readdirSync(from)) copyFileSync(join(from, file), join(raw, file));
  const outDir = join(folder, "build");
  const files = await listRawFiles(join(folder, "raw"));
  await marketStage({files, outDir, asOf, previousDir: null, sample: false, tempDir: join(folder, "temp")});
  using db = await openDatabase();
  return await db.rows(
    sql.replaceAll(/\$(\w+)/g, (_, table) => `read_parquet(${sqlText(join(outDir, tablePath(table)))})`),
  );
}

describe.skipIf(corpus === null)("cases of the market corpus", {timeout: 300_000}, () => {
  it("V27: a summary of Friday lacks Saturday's sale, says so, and is at most medium", async () => {
    const [record] = await queryCase(
      "summary-before-its-week-ended",
      "2026-07-27",
      `SELECT price_avg::DOUBLE AS price, completeness, claim, confidence->>'$.level' AS level, limitations,
        contradictions->>'$[0].kind' AS kind FROM $state_prices JOIN $evidence USING (evidence_id) WHERE state = 'KS'`,
    );
    expect(record).toMatchObject({price: 338, level: "medium", kind: "summary_incomplete"});
    expect(JSON.parse(String(record!["completeness"]))).toMatchObject({
      ...{status: "incomplete", printed_on: "2026-07-24", stated_receipts: 1978, known_receipts: 6235},
      missing_sales: [{venue_id: "ks-dodge-city", sale_date: "2026-07-25", receipts: 6235}],
    });
    expect(record!["claim"]).toMatch(/does not hold the whole week.*1,978 head.*6,235/);
  });
});
