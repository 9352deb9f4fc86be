import {writeFile} from "node:fs/promises";
import {join} from "node:path";
import {type Database, sqlText} from "../../lib/sql/duckdb.ts";
import {jsonLine} from "./json-line.ts";
import {reportSlug} from "./words/report-slug.ts";

/** Text columns that describe the cattle and the basis of a row; rows share few combinations of them. */
export const wordColumns = [
  "commodity",
  "class",
  "frame",
  "muscle_grade",
  "quality_grade",
  "yield_grade",
  "grade",
  "breed",
  "dressing",
  "age",
  "pregnancy_stage",
  "age_stage_dressing",
  "offspring_weight",
  "lot_desc",
  "price_unit",
  "weight_collect",
  "freight",
] as const;
export type WordColumn = (typeof wordColumns)[number];

/** Texts of a report row in the publisher's words. */
export const rawTextColumns = [
  "slug",
  "report_title",
  "published",
  "final_ind",
  "market_type",
  "location_name",
  "location_city",
  "location_state",
  ...wordColumns,
] as const;

/** Dates as text, ISO or as published: they are read once for each issue, not for each row. */
export const rawDateColumns = ["report_date", "report_begin_date", "report_end_date", "vintage"] as const;

export const rawNumberColumns = [
  "weight_break_low",
  "weight_break_high",
  "avg_weight",
  "avg_weight_min",
  "avg_weight_max",
  "avg_price",
  "avg_price_min",
  "avg_price_max",
  "head_count",
  "receipts",
  "receipts_prior",
  "receipts_year_ago",
] as const;

export type RawTextColumn = (typeof rawTextColumns)[number];
export type RawDateColumn = (typeof rawDateColumns)[number];
export type RawNumberColumn = (typeof rawNumberColumns)[number];
export type RawColumn = RawTextColumn | RawDateColumn | RawNumberColumn;

/** One price row in the publisher's words, as a reader hands it over. */
export type RawReportRow = {[C in RawTextColumn | RawDateColumn]?: string | null} & {
  [C in RawNumberColumn]?: number | null;
} & {
  narrative?: boolean | null;
  /** Set where the reader knows that the row must not be priced. */
  reject_reason?: string | null;
  reject_detail?: string | null;
};

/** The header of one report issue of a file. */
export type RawReportHeader = {
  slug: string;
  report_title: string | null;
  report_begin_date: string;
  report_end_date: string;
  published: string | null;
  final_ind: string | null;
  is_correction: boolean;
  narrative: boolean | null;
  no_sale: boolean;
  /** Receipts by the label of the commodity; `total` for all. */
  receipts: Record<string, number | null>;
  receipts_prior: Record<string, number | null>;
  receipts_year_ago: Record<string, number | null>;
};

const fileColumns = [
  "file_no INTEGER",
  "path VARCHAR",
  "feed VARCHAR",
  "source_id VARCHAR",
  "retrieved_at TIMESTAMP",
  "verified_at TIMESTAMP",
];
const rowColumns = [
  ...rawTextColumns.map((name) => `${name} VARCHAR`),
  ...rawDateColumns.map((name) => `${name} VARCHAR`),
  ...rawNumberColumns.map((name) => `${name} DOUBLE`),
  "narrative BOOLEAN",
  "reject_reason VARCHAR",
  "reject_detail VARCHAR",
];
const headerColumns = [
  "slug VARCHAR",
  "report_title VARCHAR",
  "report_begin_date DATE",
  "report_end_date DATE",
  "published VARCHAR",
  "final_ind VARCHAR",
  "is_correction BOOLEAN",
  "narrative BOOLEAN",
  "no_sale BOOLEAN",
  "receipts MAP(VARCHAR, DOUBLE)",
  "receipts_prior MAP(VARCHAR, DOUBLE)",
  "receipts_year_ago MAP(VARCHAR, DOUBLE)",
];

/**
 * Creates the empty staging tables `raw_files`, `raw_rows` and `raw_headers` that every reader fills. Rows are kept in the
 * order in which they were inserted: their `rowid` counts them.
 */
export async function createStaging(db: Database): Promise<void> {
  await db.run(`CREATE OR REPLACE TABLE raw_files (${fileColumns.join(", ")});
    CREATE OR REPLACE TABLE raw_rows (file_no INTEGER, ${rowColumns.join(", ")});
    CREATE OR REPLACE TABLE raw_headers (file_no INTEGER, ${headerColumns.join(", ")})`);
}

/** Facts of one file, and the rows and headers that were read from it in JavaScript. */
export type StagedFile = {
  readonly fileNo: number;
  readonly path: string;
  readonly feed: string;
  readonly sourceId: string;
  readonly retrievedAt: string;
  readonly verifiedAt: string | null;
  readonly rows: readonly RawReportRow[];
  readonly headers: readonly RawReportHeader[];
};

/** Puts thousands of files into the staging tables at once, each table by way of one file of JSON lines in `tempDir`. */
export async function stageFiles(db: Database, files: readonly StagedFile[], tempDir: string): Promise<void> {
  const known = files.map((file) => ({
    file_no: file.fileNo,
    path: file.path,
    feed: file.feed,
    source_id: file.sourceId,
    retrieved_at: file.retrievedAt,
    verified_at: file.verifiedAt,
  }));
  const rows = files.flatMap((file) => file.rows.map((row) => ({file_no: file.fileNo, ...row})));
  const headers = files.flatMap((file) =>
    file.headers.map((header) => ({file_no: file.fileNo, ...header, slug: reportSlug(header.slug)})),
  );
  await insertJson(db, "raw_files", fileColumns, known, tempDir);
  await insertJson(db, "raw_rows", ["file_no INTEGER", ...rowColumns], rows, tempDir);
  await insertJson(db, "raw_headers", ["file_no INTEGER", ...headerColumns], headers, tempDir);
}

async function insertJson(
  db: Database,
  table: string,
  columns: readonly string[],
  values: readonly object[],
  tempDir: string,
): Promise<void> {
  if (values.length === 0) return;
  const path = join(tempDir, `${table}.ndjson`);
  await writeFile(path, values.map((value) => `${jsonLine(value)}\n`).join(""));
  const types = columns.map(
    (column) => `${column.split(" ")[0]}: ${sqlText(column.slice(column.indexOf(" ") + 1))}`,
  );
  await db.run(`INSERT INTO ${table} BY NAME
    SELECT * FROM read_json(${sqlText(path)}, format = 'newline_delimited', columns = {${types.join(", ")}})`);
}
