import {mkdir} from "node:fs/promises";
import {dirname, join} from "node:path";
import type {ModelRun} from "../../../lib/models/model-run.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {copySql} from "../../../lib/sql/sql-path.ts";
import {tablePath, type YearTable, yearPath} from "../../../lib/storage/build-layout.ts";
import {type MarketFileName, marketFiles} from "../../../schemas/market-files.ts";
import {quarantineColumns} from "../../../schemas/report-issue.ts";
import {saleEventColumns, summaryEventColumns} from "../../../schemas/sale-event.ts";
import {signalFiles, signalKey} from "../../../schemas/signal-files.ts";
import {fileColumnsOf} from "../../../schemas/vocabulary/market-column.ts";
import {priceRowColumns} from "../../../schemas/vocabulary/price-row.ts";
import {
  extentOf,
  footerEntries,
  footerOption,
  geoMetadata,
  type PartStamp,
  pointColumns,
} from "../../tables/footer.ts";
import {coded_issues, coded_words, codedRowsSql} from "../records/coded-rows.ts";
import {signalTables} from "../signals/signal-tables.ts";

/** The output folder, laid out like a build, and the metadata for file footers. */
export type MarketFiles = {readonly outDir: string; readonly stamp: PartStamp};

/**
 * Writes the rows of a query as a Parquet file and creates its folder. `order` must end in a unique key, so that the same rows
 * give the same bytes.
 */
export async function writeParquet(
  db: Database,
  {select, order}: {readonly select: string; readonly order: string},
  path: string,
  {outDir, stamp, more = {}}: MarketFiles & {readonly more?: Readonly<Record<string, string>>},
): Promise<void> {
  const place = join(outDir, path);
  await mkdir(dirname(place), {recursive: true});
  await db.run(
    copySql(
      `${select} ORDER BY ${order}`,
      place,
      "FORMAT parquet, COMPRESSION zstd",
      footerOption(footerEntries(path, stamp, more)),
    ),
  );
}

/** Number columns that sort rows like the texts of their key. */
const numbers: Partial<Record<MarketFileName, string>> = {price_history: "area_no, cell_no, week_end_date"};

/** Writes the answer files from tables of the same names, in key order. */
export async function writeAnswerFiles(db: Database, files: MarketFiles): Promise<void> {
  for (const name of Object.keys(marketFiles) as MarketFileName[]) {
    const {columns, key} = marketFiles[name];
    const isMap = name === "barns";
    const select = `SELECT ${fileColumnsOf(columns)}${isMap ? `, ${pointColumns}` : ""} FROM ${sqlName(name)}`;
    const order = numbers[name] ?? key.map((part) => `${sqlName(part)} NULLS FIRST`).join(", ");
    const more: Record<string, string> = isMap ? {geo: await barnPoints(db)} : {};
    await writeParquet(db, {select, order}, tablePath(name), {...files, more});
  }
}

/** GeoParquet metadata of the barns' points, so that map tools can open the table. */
async function barnPoints(db: Database): Promise<string> {
  const extent = await extentOf(db, "SELECT lon AS w, lat AS s, lon AS e, lat AS n FROM barns");
  return geoMetadata({geometryTypes: ["Point"], extent});
}

/** Writes the signal tables, each in key order; a table without rows still gets a file. */
export async function writeSignalFiles(db: Database, files: MarketFiles): Promise<void> {
  for (const table of signalTables) {
    const select = `SELECT ${fileColumnsOf(signalFiles[table].columns)} FROM signal_${table}`;
    await writeParquet(db, {select, order: signalKey.join(", ")}, tablePath(`signals/${table}`), files);
  }
}

const writtenColumns = {
  price_rows: priceRowColumns,
  price_rows_superseded: priceRowColumns,
  sale_events: saleEventColumns,
  summary_events: summaryEventColumns,
  quarantine: quarantineColumns,
} as const;
type WrittenTable = keyof typeof writtenColumns;

/** Tables that are written beside the answers and the signals. */
export const writtenTables = Object.keys(writtenColumns) as readonly WrittenTable[];

/** Sort order of each single-file table, ending in a unique key or in all columns that distinguish rows. */
const orders = {
  sale_events: "venue_id, sale_date, issue_id",
  summary_events: "report_slug, week_end_date, issue_id",
  quarantine: "source_path, issue_id NULLS FIRST, row_ordinal NULLS FIRST, reject_reason, detail, raw",
} as const;

/** Writes the normalised tables: price rows by year of the report's end, sale events, quarantine. */
export async function writeTableFiles(run: ModelRun, files: MarketFiles): Promise<void> {
  const {db} = run;
  await run.make(coded_words, coded_issues);
  await writeYears(db, "price_rows", files);
  await writeYears(db, "price_rows_superseded", files);
  for (const coded of [coded_words, coded_issues]) await run.release(coded);
  for (const [table, order] of Object.entries(orders) as [keyof typeof orders, string][]) {
    await writeParquet(
      db,
      {select: `SELECT ${columnsOf(table)} FROM ${table}`, order},
      tablePath(table),
      files,
    );
  }
}

/** Writes Hive partitions by year; a table without rows still gets one file, so that readers find its columns. */
async function writeYears(db: Database, table: YearTable, files: MarketFiles): Promise<void> {
  const years = await db.rows<{year: number}>(
    `SELECT DISTINCT year(report_end_date)::INTEGER AS year FROM ${table} ORDER BY year`,
  );
  for (const {year} of years.length === 0 ? [{year: 0}] : years) {
    const select = `SELECT ${columnsOf(table)} FROM (${codedRowsSql(table, year)})`;
    await writeParquet(db, {select, order: "(place << 32) + row_ordinal"}, yearPath(table, year), files);
  }
}

function columnsOf(table: WrittenTable): string {
  return fileColumnsOf(writtenColumns[table]);
}
