import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  DuckDBScalarFunction,
  INTEGER,
  LIST,
  MAP,
  TIMESTAMP,
  VARCHAR,
} from "@duckdb/node-api";
import {appendRows, createTable, type TableColumn} from "../../../lib/sql/append-rows.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {chunkColumn} from "../../../lib/storage/arrow-file/duckdb-chunks.ts";

/** Text columns that describe the cattle and the price basis; few distinct combinations occur. */
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

/** Text columns that identify an issue within a file; dates are ISO or as published. */
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
  "narrative",
  "office",
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

/** All columns of a row as published: texts first, then numbers. */
export const rawColumns = [
  ...issueTextColumns,
  ...wordColumns,
  ...issueDateColumns,
  ...rawNumberColumns,
] as const;
export type RawColumn = (typeof rawColumns)[number];
type RawNumberColumn = (typeof rawNumberColumns)[number];

/** One price row as published, as a reader returns it; staging adds `file_no`. */
export type RawReportRow = {file_no?: number} & {
  [C in Exclude<RawColumn, RawNumberColumn>]?: string | null;
} & {
  [C in RawNumberColumn]?: number | null;
} & {
  /** Set by the reader when it knows that the row must not be priced. */
  reject_reason?: string | null;
  reject_detail?: string | null;
};

/** Receipts by commodity label; `total` is the sum of all. */
export type Receipts = Readonly<Record<string, number | null>>;

/** The header of one report issue in a file. */
export type RawReportHeader = {
  file_no?: number;
  slug: string | null;
  report_title: string | null;
  report_begin_date: string;
  report_end_date: string;
  published: string | null;
  final_ind: string | null;
  is_correction?: boolean;
  /** The market comment as published. */
  narrative: string | null;
  /** What the report prints in asterisks beside it. */
  notices?: readonly string[];
  /** The office that wrote it. */
  office?: string | null;
  no_sale?: boolean;
  /** Trade terms that a market comment states for feeder cattle. */
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
  ...columnsOf(["reject_reason", "reject_detail"], VARCHAR),
];
const headerColumns = [
  ...columnsOf(["file_no"], INTEGER),
  ...columnsOf(["slug", "report_title"], VARCHAR),
  ...columnsOf(["report_begin_date", "report_end_date"], DATE),
  ...columnsOf(["published", "final_ind", "shrink", "slide", "narrative", "office"], VARCHAR),
  ...columnsOf(["notices"], LIST(VARCHAR)),
  ...columnsOf(["is_correction", "no_sale"], BOOLEAN),
  ...columnsOf(["receipts", "receipts_prior", "receipts_year_ago"], MAP(VARCHAR, DOUBLE)),
];

/**
 * SQL: 63-bit hash keys of a row's word combination and of its issue, valid for one run. Collisions between files are detected
 * where the combinations are read; within one file, the probability that two of a million combinations collide is 1 in 10^7.
 */
const wordKey = `(hash(${wordColumns.join(", ")}) >> 1)::BIGINT`;
const issueKey = `(hash(file_no, ${issueColumns.join(", ")}) >> 1)::BIGINT`;

/**
 * Creates the empty staging tables that readers fill. Rows share few word combinations and few issues, so `staged_rows` stores
 * both as keys and keeps the texts only in rows whose key is new. The views `raw_rows`, `raw_words` and `raw_issues` split it
 * up.
 */
export async function createStaging(db: Database): Promise<void> {
  await createTable(db, "raw_files", fileColumns);
  await createTable(db, "row_batch", rowColumns);
  await createTable(db, "raw_headers", headerColumns);
  registerIsNewKey(db);
  const splitTexts = (names: readonly string[]) =>
    names.map((name) => `texts[${textColumns.indexOf(name) + 1}] AS ${name}`).join(", ");
  await db.run(`CREATE TABLE staged_rows AS SELECT NULL::BIGINT AS word_key, NULL::BIGINT AS issue_key,
      NULL::VARCHAR[] AS texts, * EXCLUDE (${textColumns.join(", ")}) FROM row_batch;
    CREATE VIEW raw_rows AS SELECT rowid AS row_no, * EXCLUDE (texts) FROM staged_rows;
    CREATE VIEW raw_words AS SELECT DISTINCT word_key, ${splitTexts(wordColumns)} FROM staged_rows WHERE texts IS NOT NULL;
    CREATE VIEW raw_issues AS SELECT DISTINCT file_no, issue_key, ${splitTexts(issueColumns)} FROM staged_rows WHERE texts IS NOT NULL`);
}

/** Text columns that are replaced by the two keys; only rows with a new key keep them. */
const textColumns: readonly string[] = [...wordColumns, ...issueColumns];

/**
 * Recently seen keys, a direct-mapped cache indexed by their low bits. Rows of an issue are adjacent and word combinations are
 * few, so it rarely misses.
 */
const recentKeys = new WeakMap<Database, Int32Array>();
const keySlots = 2 ** 15;

/**
 * Registers the SQL function `is_new_key(word_key, issue_key)`: false if the cache holds both keys. A miss only stores texts
 * twice; without the function each file would be read a second time for its texts.
 */
function registerIsNewKey(db: Database): void {
  if (recentKeys.has(db)) return;
  const recent = new Int32Array(2 * keySlots);
  recentKeys.set(db, recent);
  const isNew = (keys: Int32Array, row: number) => {
    const [low, high] = [keys[2 * row]!, keys[2 * row + 1]!];
    const slot = 2 * (low & (keySlots - 1));
    if (recent[slot] === low && recent[slot + 1] === high) return false;
    recent[slot] = low;
    recent[slot + 1] = high;
    return true;
  };
  db.connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: "is_new_key",
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

/** Drops everything that `createStaging` made. */
export async function dropStaging(db: Database): Promise<void> {
  for (const view of ["raw_rows", "raw_words", "raw_issues"]) await db.run(`DROP VIEW IF EXISTS ${view}`);
  for (const table of ["staged_rows", "row_batch", "raw_headers", "raw_files"])
    await db.run(`DROP TABLE IF EXISTS ${table}`);
}

/** SQL: nulls `nan` and `inf`, which break sums and JSON. */
const finite = rawNumberColumns
  .map((name) => `CASE WHEN isfinite(${name}) THEN ${name} END AS ${name}`)
  .join(", ");

/**
 * Stages the rows of a relation, in its order; it must have `file_no` and all row columns. The row number is the `rowid`,
 * because numbering rows while reading them would serialise the threads.
 */
export async function stageRows(db: Database, relation: string): Promise<void> {
  const texts = textColumns.join(", ");
  // Unstaging an earlier file deletes the texts of its keys too, so no key of an earlier relation may count as known.
  recentKeys.get(db)!.fill(-1);
  await db.run(`INSERT INTO staged_rows BY NAME SELECT ${wordKey} AS word_key, ${issueKey} AS issue_key,
    CASE WHEN is_new_key(word_key, issue_key) THEN [${texts}] END AS texts, * EXCLUDE (${texts}) REPLACE (${finite}) FROM ${relation}`);
}

/** Stages rows and headers that JavaScript readers returned; each carries its file number. */
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

/** Stages the file records. */
export async function stageFiles(db: Database, files: readonly StagedFile[]): Promise<void> {
  await appendRows(db, "raw_files", fileColumns, files);
}

/** Deletes the staged rows and headers of a file. */
export async function unstage(db: Database, fileNo: number): Promise<void> {
  await db.run(
    `DELETE FROM staged_rows WHERE file_no = ${fileNo}; DELETE FROM raw_headers WHERE file_no = ${fileNo}`,
  );
}
