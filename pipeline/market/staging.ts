import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  DuckDBScalarFunction,
  INTEGER,
  MAP,
  TIMESTAMP,
  VARCHAR,
} from "@duckdb/node-api";
import {appendRows, createTable, type TableColumn} from "../../lib/sql/append-rows.ts";
import type {Database} from "../../lib/sql/duckdb.ts";
import {chunkColumn} from "../../lib/storage/arrow-file/duckdb-chunks.ts";

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
 * SQL: keys of the word combination and of the issue of a row. They are hashes of 63 bits and live for one run only. That no combinations of
 * two files share one is checked where the combinations are read; in one file two of a million do by a chance of 1 in 10^7.
 */
const wordKey = `(hash(${wordColumns.join(", ")}) >> 1)::BIGINT`;
const issueKey = `(hash(file_no, ${issueColumns.join(", ")}) >> 1)::BIGINT`;

/**
 * Creates the staging tables that readers fill, empty. Rows share few combinations of words and few issues, so a row of `staged_rows` has
 * its place, its numbers and the keys of both; few rows have the texts of their keys too. Views part them into `raw_rows`, `raw_words` and
 * `raw_issues`.
 */
export async function createStaging(db: Database): Promise<void> {
  await createTable(db, "raw_files", fileColumns);
  await createTable(db, "row_batch", rowColumns);
  await createTable(db, "raw_headers", headerColumns);
  ensureComesAnew(db);
  const parted = (names: readonly string[]) =>
    names.map((name) => `texts[${textColumns.indexOf(name) + 1}] AS ${name}`).join(", ");
  await db.run(`CREATE TABLE staged_rows AS SELECT NULL::BIGINT AS word_key, NULL::BIGINT AS issue_key,
      NULL::VARCHAR[] AS texts, * EXCLUDE (${textColumns.join(", ")}) FROM row_batch;
    CREATE VIEW raw_rows AS SELECT rowid AS row_no, * EXCLUDE (texts) FROM staged_rows;
    CREATE VIEW raw_words AS SELECT DISTINCT word_key, ${parted(wordColumns)} FROM staged_rows WHERE texts IS NOT NULL;
    CREATE VIEW raw_issues AS SELECT DISTINCT file_no, issue_key, ${parted(issueColumns)} FROM staged_rows WHERE texts IS NOT NULL`);
}

/** The texts of a row that stand with few rows of their keys. */
const textColumns: readonly string[] = [...wordColumns, ...issueColumns];

/** Keys that came last, each in the slot of its lowest bits: the rows of an issue stand together, and words are few. */
const lately = new WeakMap<Database, Int32Array>();
const keySlots = 2 ** 15;

/**
 * Gives SQL the function `comes_anew` of two keys: false where both came before and no other key has taken their slots since. It spares a
 * second reading of each file, for the texts.
 */
function ensureComesAnew(db: Database): void {
  if (lately.has(db)) return;
  const came = new Int32Array(2 * keySlots);
  lately.set(db, came);
  const isNew = (keys: Int32Array, row: number) => {
    const [low, high] = [keys[2 * row]!, keys[2 * row + 1]!];
    const slot = 2 * (low & (keySlots - 1));
    if (came[slot] === low && came[slot + 1] === high) return false;
    came[slot] = low;
    came[slot + 1] = high;
    return true;
  };
  db.connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: "comes_anew",
      parameterTypes: [BIGINT, BIGINT],
      returnType: BOOLEAN,
      volatile: true,
      mainFunction(_, chunk, output) {
        const [words, issues] = [0, 1].map((column) => {
          const {bytes} = chunkColumn(chunk, column, 8);
          return new Int32Array(bytes.buffer, bytes.byteOffset, 2 * chunk.rowCount);
        }) as [Int32Array, Int32Array];
        for (let row = 0; row < chunk.rowCount; row++)
          output.setItem(row, isNew(words, row) || isNew(issues, row));
        output.flush();
      },
    }),
  );
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
 */
export async function stageRows(db: Database, relation: string): Promise<void> {
  const texts = textColumns.join(", ");
  // Rows of an earlier relation may be taken back, and then the texts of their keys go with them: no key counts as known from there.
  lately.get(db)!.fill(-1);
  await db.run(`INSERT INTO staged_rows BY NAME SELECT ${wordKey} AS word_key, ${issueKey} AS issue_key,
    CASE WHEN comes_anew(word_key, issue_key) THEN [${texts}] END AS texts, * EXCLUDE (${texts}) REPLACE (${finite}) FROM ${relation}`);
}

/** Stages rows and headers that were read in JavaScript, with the numbers of their files. */
export async function stageRead(
  db: Database,
  {rows, headers}: {rows: readonly RawReportRow[]; headers: readonly RawReportHeader[]},
): Promise<void> {
  await appendRows(db, "raw_headers", headerColumns, headers);
  await appendRows(db, "row_batch", rowColumns, rows);
  await stageRows(db, "row_batch");
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
