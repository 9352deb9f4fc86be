import {BOOLEAN, DATE, DOUBLE, INTEGER, MAP, TIMESTAMP, VARCHAR} from "@duckdb/node-api";
import {appendRows, createTable, type TableColumn} from "../../lib/sql/append-rows.ts";
import type {Database} from "../../lib/sql/duckdb.ts";

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
  "delivery",
  "delivery_current",
  "purchase_type",
  "basis_futures_month",
  "region",
  "category",
] as const;
export type WordColumn = (typeof wordColumns)[number];

/** Texts that tell one issue of a file from another; those of dates are ISO or as published. */
export const issueTextColumns = [
  "slug",
  "report_title",
  "published",
  "final_ind",
  "market_type",
  "market_type_category",
  "location_name",
  "location_city",
  "location_state",
] as const;
export const issueDateColumns = ["report_date", "report_begin_date", "report_end_date", "vintage"] as const;
export const issueColumns = [...issueTextColumns, ...issueDateColumns] as const;
export type IssueTexts = Record<(typeof issueColumns)[number], string | null>;

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

/** All texts of a row in the publisher's words, and then its numbers. */
export const rawColumns = [
  ...issueTextColumns,
  ...wordColumns,
  ...issueDateColumns,
  ...rawNumberColumns,
] as const;
export type RawColumn = (typeof rawColumns)[number];
type RawNumberColumn = (typeof rawNumberColumns)[number];

/** One price row in the publisher's words, as a reader hands it over; its file is numbered when it is staged. */
export type RawReportRow = {file_no?: number} & {
  [C in Exclude<RawColumn, RawNumberColumn>]?: string | null;
} & {
  [C in RawNumberColumn]?: number | null;
} & {
  narrative?: boolean | null;
  /** Set where the reader knows that the row must not be priced. */
  reject_reason?: string | null;
  reject_detail?: string | null;
};

/** Receipts by the label of the commodity; `total` for all. */
export type Receipts = Readonly<Record<string, number | null>>;

/** The header of one report issue of a file. */
export type RawReportHeader = {
  file_no?: number;
  slug: string | null;
  report_title: string | null;
  report_begin_date: string;
  report_end_date: string;
  published: string | null;
  final_ind: string | null;
  is_correction?: boolean;
  narrative: boolean | null;
  no_sale?: boolean;
  /** Terms of the trades that a market comment states for feeder cattle. */
  shrink?: string | null;
  slide?: string | null;
  receipts: Receipts;
  receipts_prior: Receipts;
  receipts_year_ago: Receipts;
};

const columnsOf = (names: readonly string[], type: TableColumn["type"]): TableColumn[] =>
  names.map((name) => ({name, type}));

const fileColumns = [
  ...columnsOf(["file_no"], INTEGER),
  ...columnsOf(["path", "source_id"], VARCHAR),
  ...columnsOf(["retrieved_at", "verified_at"], TIMESTAMP),
];
const rowColumns = [
  ...columnsOf(["file_no"], INTEGER),
  ...columnsOf([...issueColumns, ...wordColumns], VARCHAR),
  ...columnsOf(rawNumberColumns, DOUBLE),
  ...columnsOf(["narrative"], BOOLEAN),
  ...columnsOf(["reject_reason", "reject_detail"], VARCHAR),
];
const headerColumns = [
  ...columnsOf(["file_no"], INTEGER),
  ...columnsOf(["slug", "report_title"], VARCHAR),
  ...columnsOf(["report_begin_date", "report_end_date"], DATE),
  ...columnsOf(["published", "final_ind", "shrink", "slide"], VARCHAR),
  ...columnsOf(["is_correction", "narrative", "no_sale"], BOOLEAN),
  ...columnsOf(["receipts", "receipts_prior", "receipts_year_ago"], MAP(VARCHAR, DOUBLE)),
];

/**
 * SQL: keys of the word combination and of the issue of a row. They are hashes and live for one run only; that no two
 * combinations share one is checked where the combinations are read.
 */
const wordKey = `(hash(${wordColumns.join(", ")}) >> 1)::BIGINT`;
const issueKey = `(hash(file_no, ${issueColumns.join(", ")}) >> 1)::BIGINT`;

/**
 * Creates the staging tables that readers fill, empty. Rows share few combinations of words and few issues, so a row of `staged_rows` has
 * its place, its numbers and the keys of both; the texts of a key stand once a file. Views part them into `raw_rows`, `raw_words` and
 * `raw_issues`.
 */
export async function createStaging(db: Database): Promise<void> {
  await createTable(db, "raw_files", fileColumns);
  await createTable(db, "row_batch", rowColumns);
  await createTable(db, "raw_headers", headerColumns);
  const parted = (names: readonly string[]) =>
    names.map((name, i) => `texts[${i + 1}] AS ${name}`).join(", ");
  await db.run(`CREATE TABLE staged_rows AS SELECT NULL::BIGINT AS word_key, NULL::BIGINT AS issue_key,
      NULL::VARCHAR[] AS texts, * EXCLUDE (${[...issueColumns, ...wordColumns].join(", ")}) FROM row_batch;
    CREATE VIEW raw_rows AS SELECT rowid AS row_no, * EXCLUDE (texts) FROM staged_rows WHERE texts IS NULL;
    CREATE VIEW raw_words AS SELECT word_key, ${parted(wordColumns)}
      FROM (SELECT DISTINCT word_key, texts FROM staged_rows WHERE issue_key IS NULL);
    CREATE VIEW raw_issues AS SELECT file_no, issue_key, ${parted(issueColumns)}
      FROM (SELECT DISTINCT file_no, issue_key, texts FROM staged_rows WHERE word_key IS NULL)`);
}

/** Drops what `createStaging` made. */
export async function dropStaging(db: Database): Promise<void> {
  for (const view of ["raw_rows", "raw_words", "raw_issues"]) await db.run(`DROP VIEW IF EXISTS ${view}`);
  for (const table of ["staged_rows", "row_batch", "raw_headers", "raw_files"])
    await db.run(`DROP TABLE IF EXISTS ${table}`);
}

/** SQL: `nan` and `inf` are no numbers: they break sums and JSON. */
const finite = rawNumberColumns
  .map((name) => `CASE WHEN isfinite(${name}) THEN ${name} END AS ${name}`)
  .join(", ");

/**
 * Stages the rows of a relation, in its order, that has the number of the file and all columns of a row. A row's number is its place in
 * the table, which DuckDB fills in order; to count rows while they are read would make one thread wait for the other.
 * `again` gives the same rows where a second reading, of their texts alone, costs less than keeping them.
 */
export async function stageRows(db: Database, relation: string, again?: string): Promise<void> {
  const [words, issue] = [wordColumns.join(", "), issueColumns.join(", ")];
  const kept = again === undefined;
  if (kept) await db.run(`CREATE OR REPLACE TEMP TABLE kept_rows AS SELECT * FROM ${relation}`);
  const [rows, texts] = kept ? ["kept_rows", "kept_rows"] : [relation, again];
  // Rows alone: beside groups in one statement they would not keep their order.
  await db.run(`INSERT INTO staged_rows BY NAME
    SELECT ${wordKey} AS word_key, ${issueKey} AS issue_key, * EXCLUDE (${words}, ${issue}) REPLACE (${finite}) FROM ${rows};
    INSERT INTO staged_rows BY NAME SELECT file_no, CASE WHEN is_words THEN ${wordKey} END AS word_key, CASE WHEN NOT is_words THEN ${issueKey} END AS issue_key,
      CASE WHEN is_words THEN [${words}] ELSE [${issue}] END AS texts
      FROM (SELECT file_no, ${words}, ${issue}, grouping(slug) = 1 AS is_words FROM ${texts} GROUP BY GROUPING SETS ((file_no, ${words}), (file_no, ${issue})));
    DROP TABLE IF EXISTS kept_rows`);
}

/** Stages rows and headers that were read in JavaScript, with the numbers of their files. */
export async function stageRead(
  db: Database,
  {rows, headers}: {rows: readonly RawReportRow[]; headers: readonly RawReportHeader[]},
): Promise<void> {
  await appendRows(db, "raw_headers", headerColumns, headers);
  await appendRows(db, "row_batch", rowColumns, rows);
  await stageRows(db, "row_batch", "row_batch");
  await db.run("TRUNCATE row_batch");
}

/** A file whose rows are staged. */
export type StagedFile = {
  readonly file_no: number;
  readonly path: string;
  readonly source_id: string;
  readonly retrieved_at: Date;
  readonly verified_at: Date | null;
};

/** Stages what is known of the files themselves. */
export async function stageFiles(db: Database, files: readonly StagedFile[]): Promise<void> {
  await appendRows(db, "raw_files", fileColumns, files);
}

/** Takes the rows and headers of a file back. */
export async function unstage(db: Database, fileNo: number): Promise<void> {
  await db.run(
    `DELETE FROM staged_rows WHERE file_no = ${fileNo}; DELETE FROM raw_headers WHERE file_no = ${fileNo}`,
  );
}
