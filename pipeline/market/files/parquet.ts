import {mkdir} from "node:fs/promises";
import {dirname, join} from "node:path";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {tablePath, type YearTable, yearPath} from "../../../lib/storage/build-layout.ts";
import {namesOf} from "../../../schemas/market-column.ts";
import {type MarketFileName, marketFiles} from "../../../schemas/market-files.ts";
import {marketTables} from "../tables.ts";
import {codedRowsSql, makeCodedTexts} from "./coded-rows.ts";

/** Writes a query's rows as Parquet, and makes the folder of the file. `order` must end in a unique key: the same rows then give the same bytes. */
export async function writeParquet(db: Database, select: string, order: string, path: string): Promise<void> {
  await mkdir(dirname(path), {recursive: true});
  await db.run(`COPY (${select} ORDER BY ${order}) TO ${sqlText(path)} (FORMAT parquet, COMPRESSION zstd)`);
}

/** Writes the files of the answers from tables of the same names, in the order of their keys. */
export async function writeAnswerFiles(db: Database, outDir: string): Promise<void> {
  for (const name of Object.keys(marketFiles) as MarketFileName[]) {
    const {columns, key} = marketFiles[name];
    const names = columns.map((column) => sqlName(column.name)).join(", ");
    const order = key.map((part) => `${sqlName(part)} NULLS FIRST`).join(", ");
    await writeParquet(db, `SELECT ${names} FROM ${sqlName(name)}`, order, join(outDir, tablePath(name)));
  }
}

/** Writes the normalised tables: price rows by year of the report's end, sale events, quarantine. */
export async function writeTableFiles(db: Database, outDir: string): Promise<void> {
  await makeCodedTexts(db);
  await writeYears(db, "price_rows", outDir);
  await writeYears(db, "price_rows_superseded", outDir);
  const events = `SELECT ${columnsOf("sale_events")} FROM sale_events`;
  await writeParquet(db, events, "venue_id, sale_date, issue_id", join(outDir, tablePath("sale_events")));
  const weeks = `SELECT ${columnsOf("summary_events")} FROM summary_events`;
  const weekOrder = "report_slug, week_end_date, issue_id";
  await writeParquet(db, weeks, weekOrder, join(outDir, tablePath("summary_events")));
  const kept = `SELECT ${columnsOf("quarantine")} FROM quarantine`;
  const order = "source_path, issue_id NULLS FIRST, row_ordinal NULLS FIRST, reject_reason, detail, raw";
  await writeParquet(db, kept, order, join(outDir, tablePath("quarantine")));
}

/** Hive partitions by year; a table without rows gives one file without rows, so that readers find its columns. */
async function writeYears(db: Database, table: YearTable, outDir: string): Promise<void> {
  const years = await db.rows<{year: number}>(
    `SELECT DISTINCT year(report_end_date)::INTEGER AS year FROM ${table} ORDER BY year`,
  );
  for (const {year} of years.length === 0 ? [{year: 0}] : years) {
    const select = `SELECT ${columnsOf(table)} FROM (${codedRowsSql(table)}) JOIN (${issuePlaces(table)}) USING (issue_id, issue_version)
      WHERE year(report_end_date) = ${year}`;
    await writeParquet(db, select, "(place << 32) + row_ordinal", join(outDir, yearPath(table, year)));
  }
}

/**
 * SQL: each issue version with its place in the order of the file. One whole number for each row sorts a million wide
 * rows in half the time that the two texts and the number take, into the same order.
 */
function issuePlaces(table: string): string {
  return `SELECT issue_id, issue_version, row_number() OVER (ORDER BY issue_id, issue_version) AS place
    FROM (SELECT DISTINCT issue_id, issue_version FROM ${table})`;
}

function columnsOf(table: keyof typeof marketTables): string {
  return namesOf(marketTables[table] ?? []);
}
