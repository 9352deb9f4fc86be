import {readFileSync} from "node:fs";
import {join} from "node:path";
import {afterEach, beforeEach, describe, expect, test} from "vitest";
import {type Database, openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {MARKET, stateTablePath, tablePath} from "../../lib/storage/build-layout.ts";
import {buildFolder} from "../../lib/storage/data-folder.ts";
import {buildOptions} from "../../pipeline/commands/build-commands.ts";
import {build} from "../../pipeline/publish/build.ts";
import {allReports, rejectedRows, sumText} from "../../pipeline/results/report-counts.ts";
import {addsUp, type BuildReport, type FileReport} from "../../schemas/build-report.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";

/** Days on which builds are made: the last one, or all with CORPUS_ALL=1. */
const days = ["2026-08-23", "2026-09-27", "2026-10-03", "2026-10-10", "2026-11-21"];
const asked = process.env.CORPUS_ALL === "1" ? days : days.slice(-1);

/** Codes of files refused as a whole: their rows are counted but are in no table. */
const wholeFiles = ["column_missing", "source_refused"];

type Counted = {path: string; reason: string; n: number};

describe.skipIf(corpus === null)("a build of the whole corpus", {timeout: 1_800_000}, () => {
  let db: Database;
  beforeEach(async () => {
    db = await openDatabase();
  });
  afterEach(() => db.close());

  test.each(asked)(
    "at %s is published, and every row of every file is accounted for by table and line",
    async (asOf) => {
      const out = temporaryFolder();
      const options = await buildOptions({raw: corpus!, out, asOf, reuse: true});
      const {outcome, heldBack, buildId, report} = await build(options);
      expect([outcome, heldBack]).toEqual(["published", []]);
      const reports = allReports(report);
      process.stderr.write(figures(asOf, reports));
      expect(reports.filter((each) => !addsUp(each))).toEqual([]);
      const dir = buildFolder(options.data, buildId);
      expect(await rejectsDiffer(db, dir, reports)).toEqual([]);
      expect(await acceptedDiffer(db, dir, report)).toEqual([]);
      expect(await printedDiffer(db, dir, reports)).toEqual([]);
    },
  );
});

function figures(asOf: string, reports: readonly FileReport[]): string {
  const sum = (count: (report: FileReport) => number) => sumText(reports, count);
  return `corpus at ${asOf}: ${reports.length} files, ${sum(({rowsIn}) => rowsIn)} rows in = ${sum(({accepted}) => accepted)} accepted + ${sum(rejectedRows)} rejected + ${sum(({merged}) => merged)} merged\n`;
}

/** Files and reasons whose number of rejected rows differs between the report and the reject tables. */
async function rejectsDiffer(db: Database, dir: string, reports: readonly FileReport[]): Promise<string[]> {
  const rows = await db.rows<Counted>(
    `SELECT source_path AS path, reject_reason AS reason, count(*)::INTEGER AS n FROM read_parquet(${sqlText(join(dir, tablePath("quarantine")))}) GROUP BY ALL
     UNION ALL SELECT source_path, reason, count(*)::INTEGER FROM read_parquet(${sqlText(join(dir, "tables/parcel_rejects/*/*.parquet"))}) GROUP BY ALL`,
  );
  const inTables = new Map<string, number>(rows.map(({path, reason, n}) => [`${path} ${reason}`, n]));
  const inReport = new Map<string, number>(
    reports.flatMap(({path, rejected}) =>
      Object.entries(rejected)
        .filter(([code]) => !wholeFiles.includes(code))
        .map(([code, n]) => [`${path} ${code}`, n] as const),
    ),
  );
  return [...new Set([...inTables.keys(), ...inReport.keys()])]
    .filter((key) => inTables.get(key) !== inReport.get(key))
    .map((key) => `${key}: ${inReport.get(key) ?? 0} reported, ${inTables.get(key) ?? 0} in the table`);
}

/** States whose parcel table has a different number of rows than their files' accepted rows. */
async function acceptedDiffer(db: Database, dir: string, {parts}: BuildReport): Promise<string[]> {
  const differ: string[] = [];
  for (const [state, files] of Object.entries(parts).filter(([part]) => part !== MARKET)) {
    const path = sqlText(join(dir, stateTablePath("parcels", state)));
    const [found] = await db.rows<{n: number}>(`SELECT count(*)::INTEGER AS n FROM read_parquet(${path})`);
    const accepted = files.reduce((sum, file) => sum + file.accepted, 0);
    if (accepted !== found!.n) differ.push(`${state}: ${accepted} accepted, ${found!.n} in the table`);
  }
  return differ;
}

/** A printed price row as a person recognises it: head count, weights and prices, ending in a price. */
const printedRow = /^\s*\S+(?:\s+\S+)*?\s+\d+\s+[\d,]+(?:-[\d,]+)?\s+[\d,]+\s+[\d,]+\.\d\d/;

/**
 * Printed reports with more lines that look like price rows than rows read, or with another number of priced rows than accepted
 * ones.
 */
async function printedDiffer(db: Database, dir: string, reports: readonly FileReport[]): Promise<string[]> {
  const rows = await db.rows<{path: string; n: number}>(
    `SELECT source_path AS path, count(*)::INTEGER AS n FROM (
       SELECT source_path FROM read_parquet(${sqlText(join(dir, "tables/price_rows/*/rows.parquet"))})
       UNION ALL SELECT source_path FROM read_parquet(${sqlText(join(dir, "tables/price_rows_superseded/*/rows.parquet"))}))
     GROUP BY ALL`,
  );
  const priced = new Map(rows.map(({path, n}) => [path, n]));
  return reports
    .filter(({unit, status}) => unit === "ams-text" && status === "read")
    .flatMap(({path, rowsIn, accepted}) => {
      const lines = readFileSync(join(corpus!, path), "utf8").split("\n");
      const printed = lines.filter((line) => printedRow.test(line)).length;
      const said = `${path}: ${printed} printed, ${rowsIn} rows in, ${accepted} accepted, ${priced.get(path) ?? 0} priced`;
      return printed > rowsIn || accepted !== (priced.get(path) ?? 0) ? [said] : [];
    });
}
