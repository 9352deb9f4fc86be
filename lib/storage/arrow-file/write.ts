import {type Data, Dictionary, Field, Int16, Int32, Schema, vectorFromArray} from "apache-arrow";
import {UserError} from "../../errors.ts";
import {type Database, openDatabase, sqlName} from "../../sql/duckdb.ts";
import {duckdbLibrary} from "../../sql/duckdb-library.ts";
import {type ArrowColumn, byteLengthSql, storage, storedSql, textType} from "./arrow-columns.ts";
import {allNulls, type BatchColumn, BytesColumn, FixedColumn, noNulls} from "./batch-columns.ts";
import {checkRowNumbers, streamChunks} from "./duckdb-chunks.ts";
import {type WriteBatch, writeArrowOutput} from "./output.ts";

export type {ArrowColumn, StoredKind} from "./arrow-columns.ts";

/**
 * Number of rows, and total bytes of texts, lists (as joined text) and binaries; `ofColumn` has the bytes per
 * column when counted.
 */
type TableSize = {readonly rows: number; readonly textBytes: number; readonly ofColumn?: readonly number[]};

type ArrowFileRequest = {
  /** A FROM clause: a quoted name or a subquery in parentheses. It is evaluated several times. */
  readonly table: string;
  /** The column with unique row numbers 0 to n - 1; row `i` of the file is the row numbered `i`. */
  readonly orderColumn: string;
  /**
   * True when the table already returns its rows in that order; the order is then verified instead of sorted.
   */
  readonly inOrder?: boolean;
  readonly columns: readonly ArrowColumn[];
  readonly path: string;
  /** Row and byte counts when known; otherwise a query counts them. */
  readonly size?: TableSize;
  /**
   * Columns with the same known value in all rows (null, or the text of a dictionary column); they are not
   * read.
   */
  readonly constants?: ReadonlyMap<string, string | null>;
  /** Schema metadata, in this order. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Rows per batch, a power of two; by default the largest up to 2^20 that gives about 256 MiB. */
  readonly batchRows?: number;
};

/**
 * A column of the file: SQL for its values (null when all rows share one), and a factory for its batches of
 * `length` rows.
 */
type ColumnSource = {
  readonly field: Field;
  readonly sql: string | null;
  batch(length: number): BatchColumn;
  readonly drop: (() => Promise<unknown>) | undefined;
};

/** Maximum number of rows in a batch (`docs/design/architecture.md` section 5). */
const maxBatchRows = 2 ** 20;
const minBatchRows = 2 ** 10;
/** Target size of a batch; a whole batch is held in memory while it is written. */
const batchBytes = 2 ** 28;
/** Upper bound for the size of a fixed-width value or an offset with its validity bit. */
const fixedBytes = 8;

/**
 * Writes a DuckDB table to an uncompressed Arrow IPC file, holding one batch in memory. Text and lists become
 * Utf8, dictionaries Utf8 with 16- or 32-bit codes and one sorted dictionary for all batches, money float64,
 * dates 32-bit days. Equal rows give equal bytes, and an empty table gives a file without batches. Throws for
 * row numbers that are not 0 to n - 1, for a null in a column that is not nullable, and when the path exists;
 * an unfinished file is removed.
 */
export async function writeArrowFile(db: Database, request: ArrowFileRequest): Promise<{rows: number}> {
  const {columns, metadata = {}} = request;
  const size = request.size ?? (await tableSize(db, request));
  const sources: ColumnSource[] = [];
  try {
    const batchRows = request.batchRows ?? batchSize(size, columns.length);
    for (const [id, column] of columns.entries()) {
      const bytes = size.rows > batchRows ? 0 : (size.ofColumn?.[id] ?? 0);
      sources.push(await columnSource(db, request, {column, id, bytes}));
    }
    const fields = sources.map(({field}) => field);
    const schema = new Schema(fields, new Map(Object.entries(metadata)));
    await writeArrowOutput(request.path, schema, (write) =>
      writeBatches(db, request, {write, sources, rows: size.rows, batchRows}),
    );
  } finally {
    for (const {drop} of sources) await drop?.();
  }
  return {rows: size.rows};
}

/** Counts a table's rows and text bytes. Throws a `UserError` when the row numbers are not 0 to n - 1. */
async function tableSize(db: Database, {table, orderColumn, columns}: ArrowFileRequest): Promise<TableSize> {
  const order = sqlName(orderColumn);
  const bytes = columns.map((column) => `coalesce(sum(${byteLengthSql(column) ?? "0"}), 0)::DOUBLE`);
  const [size] = await db.rows<{rows: number; low: number | null; high: number | null; bytes: number[]}>(
    `SELECT count(*)::DOUBLE AS rows, min(${order})::DOUBLE AS low, max(${order})::DOUBLE AS high, [${bytes.join(", ")}] AS bytes FROM ${table}`,
  );
  const {rows, low, high, bytes: ofColumn} = size!;
  if (rows === 0 || (low === 0 && high === rows - 1))
    return {rows, textBytes: ofColumn.reduce((sum, each) => sum + each, 0), ofColumn};
  throw new UserError(`${table}: ${rows} rows numbered ${low} to ${high}, expected 0 to ${rows - 1}.`);
}

/** Rows per batch: a power of two, so that readers find the batch of a row by a shift. */
function batchSize({rows, textBytes}: TableSize, columns: number): number {
  const perRow = rows === 0 ? 1 : Math.max(textBytes / rows + columns * fixedBytes, 1);
  const fitting = 2 ** Math.floor(Math.log2(batchBytes / perRow));
  return Math.min(Math.max(fitting, minBatchRows), maxBatchRows);
}

async function columnSource(
  db: Database,
  {table, constants}: ArrowFileRequest,
  {column, id, bytes}: {column: ArrowColumn; id: number; bytes: number},
): Promise<ColumnSource> {
  const {name, kind, nullable} = column;
  const known = constants?.get(name);
  const dictionary =
    kind === "dictionary" ? await columnDictionary(db, {table, name, onlyValue: known}, id) : null;
  const {type, array, sql} = dictionary ?? {...storage[kind], sql: storedSql(column)};
  const nulls = known === null ? allNulls : noNulls;
  // The next batch reuses the memory of the last one, which has been written by then.
  let last: BytesColumn | undefined;
  return {
    field: new Field(name, type, nullable),
    sql: known === null ? null : sql,
    batch(length) {
      if (array !== undefined)
        return new FixedColumn(length, {type, array, dictionary: dictionary?.dictionary}, nulls(length));
      last = new BytesColumn(
        length,
        {name, type, bytes: last?.bytes ?? new Uint8Array(bytes)},
        nulls(length),
      );
      return last;
    },
    drop: dictionary?.drop,
  };
}

let enums = 0;

/**
 * Builds the dictionary of a column over all rows, or of one known value or null: the distinct values sorted
 * by bytes, and SQL that maps a value to its code (null when the value is known). Call `drop` after reading
 * the codes; `id` must be unique within the file.
 */
async function columnDictionary(
  db: Database,
  {table, name, onlyValue}: {table: string; name: string; onlyValue: string | null | undefined},
  id: number,
) {
  const text = `${sqlName(name)}::VARCHAR`;
  const distinct = `SELECT DISTINCT ${text} AS value FROM ${table} WHERE ${text} IS NOT NULL ORDER BY value`;
  const valueRows = onlyValue === undefined ? await db.rows<{value: string}>(distinct) : [{value: onlyValue}];
  const words = valueRows.map(({value}) => value).filter((word) => word !== null);
  const [code, array] = words.length <= 2 ** 15 ? [new Int16(), Int16Array] : [new Int32(), Int32Array];
  const stored = {
    type: new Dictionary(textType, code, id, false),
    array,
    dictionary: vectorFromArray(words, textType),
  };
  if (words.length === 0 || onlyValue !== undefined)
    return {...stored, sql: onlyValue === undefined ? "NULL::SMALLINT" : null, drop: async () => undefined};
  const enumName = sqlName(`arrow_dictionary_${process.pid}_${++enums}`);
  await db.run(`CREATE TYPE ${enumName} AS ENUM (${distinct})`);
  return {
    ...stored,
    sql: `enum_code(${text}::${enumName})::${array === Int16Array ? "SMALLINT" : "INTEGER"}`,
    drop: () => db.run(`DROP TYPE ${enumName}`),
  };
}

type Writing = {
  readonly write: WriteBatch;
  readonly sources: readonly ColumnSource[];
  readonly rows: number;
  readonly batchRows: number;
};

/** Streams all columns in one query and writes them batch by batch. */
async function writeBatches(
  db: Database,
  {table, orderColumn, inOrder = false}: ArrowFileRequest,
  {write, sources, rows, batchRows}: Writing,
): Promise<void> {
  const order = sqlName(orderColumn);
  const queried = [...sources.keys()].filter((i) => sources[i]!.sql !== null);
  const list = [`${order}::BIGINT::DOUBLE`, ...queried.map((i) => sources[i]!.sql)].join(", ");
  const sql = `SELECT ${list} FROM ${table}${inOrder ? "" : ` ORDER BY ${order}`}`;
  let row = 0;
  let first = 0;
  let batch: BatchColumn[] = [];
  for await (const chunk of streamChunks(db, sql)) {
    checkRowNumbers(chunk, 0, row);
    for (let from = 0; from < chunk.rowCount; ) {
      if (row === first) batch = sources.map((source) => source.batch(Math.min(batchRows, rows - first)));
      const length = Math.min(chunk.rowCount - from, first + batchRows - row);
      for (const [place, i] of queried.entries()) batch[i]!.append(chunk, place + 1, {from, length});
      from += length;
      row += length;
      if (row < first + batchRows && row < rows) continue;
      await write(
        batch.map((column, i) => refuseNulls(column.data(), sources[i]!.field)),
        row - first,
      );
      first = row;
    }
  }
  if (row !== rows) throw new Error(`${table}: ${row} rows instead of ${rows}`);
}

function refuseNulls(data: Data, {name, nullable}: Field): Data {
  if (data.nullCount === 0 || nullable) return data;
  throw new UserError(`column ${name}: ${data.nullCount} nulls where none is allowed.`);
}

/**
 * A value of a row: dates are `YYYY-MM-DD`, lists are arrays of text, binary values are bytes; undefined
 * counts as null.
 */
export type RowValue = string | number | boolean | readonly string[] | Uint8Array | null | undefined;

type ArrowRows = {
  readonly path: string;
  readonly columns: readonly ArrowColumn[];
  readonly rows: readonly Readonly<Record<string, RowValue>>[];
  readonly metadata?: Readonly<Record<string, string>>;
};

/**
 * Writes JavaScript rows in the given order, as `writeArrowFile` does for a table. Throws a `UserError` for a
 * value that does not fit its column, and an error when the path exists.
 */
export async function writeArrowRows({rows, ...file}: ArrowRows): Promise<{rows: number}> {
  const {appendRows, createTable} = await import("../../sql/append-rows.ts");
  const library = duckdbLibrary();
  const db = await openDatabase({threads: 1});
  try {
    const columns = file.columns.map(({name, kind}) => {
      const {duckdb} = storage[kind];
      return {name, type: duckdb === "VARCHAR[]" ? library.LIST(library.VARCHAR) : library[duckdb]};
    });
    await createTable(db, "rows", columns);
    await appendRows(db, "rows", columns, rows);
    return await writeArrowFile(db, {...file, table: "rows", orderColumn: "rowid", inOrder: true});
  } finally {
    db.close();
  }
}
