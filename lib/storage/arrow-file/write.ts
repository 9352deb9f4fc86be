import {type Data, Field, Schema} from "apache-arrow";
import {UserError} from "../../errors.ts";
import {type Database, sqlName} from "../../sql/duckdb.ts";
import {type BatchColumn, type ColumnSource, columnSource, constantSource} from "./batch-columns.ts";
import {batchSize, extentOf, type KnownSize, tableExtent} from "./batch-size.ts";
import {type ArrowColumn, binaryType, fixedStorage, isBytesKind, textType} from "./columns.ts";
import {type ColumnDictionary, columnDictionary, knownDictionary} from "./dictionary.ts";
import {checkRowNumbers, chunkColumn, fixedChunks} from "./duckdb-chunks.ts";
import {type ArrowOutput, writeArrowOutput} from "./output.ts";

export type {ArrowColumn, StoredKind} from "./columns.ts";

export type ArrowFileRequest = {
  /** SQL of a FROM clause, a quoted name or a subquery in brackets, that is read a few times. */
  readonly table: string;
  /** The column with the unique row numbers 0 to n - 1; row `i` of the file is the row numbered `i`. */
  readonly orderColumn: string;
  /** True when the table gives its rows in that order by itself; the order is then checked instead of sorted. */
  readonly inOrder?: boolean;
  readonly columns: readonly ArrowColumn[];
  readonly path: string;
  /** Numbers of rows and text bytes, when they are known; otherwise a query counts them. */
  readonly size?: KnownSize;
  /** Columns with one known value in all rows (null, or the text of a dictionary column), which need not be read. */
  readonly constants?: ReadonlyMap<string, string | null>;
  /** Metadata of the schema, in this order. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Number of rows in a batch, a power of two; by default the largest one up to 2^20 that makes about 256 MiB. */
  readonly batchRows?: number;
};

/**
 * Writes an uncompressed Arrow IPC file from DuckDB, with the memory of one batch. Text and lists become Utf8, dictionaries
 * Utf8 with 16- or 32-bit codes and one sorted dictionary for all batches, money float64, dates 32-bit days. Equal rows give
 * equal bytes, and no rows give a file without batches. Throws for row numbers that are not 0 to n - 1, for a null in a
 * column that is not nullable, and when the path exists; an unfinished file is removed.
 */
export async function writeArrowFile(db: Database, request: ArrowFileRequest): Promise<{rows: number}> {
  const relation = {from: request.table, order: sqlName(request.orderColumn)};
  const {size, columns} = request;
  const extent = size === undefined ? await tableExtent(db, relation, columns) : extentOf(size, columns);
  const batchRows = request.batchRows ?? batchSize(extent);
  const dictionaries = await columnDictionaries(db, request);
  try {
    await writeArrowOutput(request.path, schemaOf(request, dictionaries), async (output) => {
      await writeBatches(db, request, {output, dictionaries, rows: extent.rows, batchRows});
    });
  } finally {
    for (const dictionary of dictionaries.values()) await dictionary.drop();
  }
  return {rows: extent.rows};
}

type Dictionaries = ReadonlyMap<string, ColumnDictionary>;

async function columnDictionaries(
  db: Database,
  {table, columns, constants}: ArrowFileRequest,
): Promise<Dictionaries> {
  const dictionaries = new Map<string, ColumnDictionary>();
  for (const [id, {name, kind}] of columns.entries()) {
    if (kind !== "dictionary") continue;
    const text = constants?.get(name);
    const made = text === undefined ? columnDictionary(db, table, name, id) : knownDictionary(text, id);
    dictionaries.set(name, await made);
  }
  return dictionaries;
}

function sourceOf(
  column: ArrowColumn,
  dictionaries: Dictionaries,
  {constants}: ArrowFileRequest,
): ColumnSource {
  const dictionary = dictionaries.get(column.name);
  const text = constants?.get(column.name);
  const isConstant = text === null || (text !== undefined && column.kind === "dictionary");
  return isConstant ? constantSource(column, text, dictionary) : columnSource(column, dictionary);
}

function schemaOf({columns, metadata = {}}: ArrowFileRequest, dictionaries: Dictionaries): Schema {
  const fields = columns.map(({name, kind, nullable}) => {
    if (isBytesKind(kind)) return new Field(name, kind === "binary" ? binaryType : textType, nullable);
    if (kind === "dictionary") return new Field(name, dictionaries.get(name)!.type, nullable);
    return new Field(name, fixedStorage[kind].type, nullable);
  });
  return new Schema(fields, new Map(Object.entries(metadata)));
}

type Writing = {
  readonly output: ArrowOutput;
  readonly dictionaries: Dictionaries;
  readonly rows: number;
  readonly batchRows: number;
};

/** Streams all columns in one query and writes them batch by batch. */
async function writeBatches(
  db: Database,
  request: ArrowFileRequest,
  {output, dictionaries, rows, batchRows}: Writing,
): Promise<void> {
  const {table, orderColumn, inOrder = false, columns} = request;
  const sources = columns.map((column) => sourceOf(column, dictionaries, request));
  const order = sqlName(orderColumn);
  const queried = sources.filter(({sql}) => sql !== null);
  const places = sources.map((source) => queried.indexOf(source) + 1);
  const list = [`${order}::BIGINT::DOUBLE`, ...queried.map(({sql}) => sql)].join(", ");
  let row = 0;
  let first = 0;
  let batch: BatchColumn[] = [];
  for await (const chunk of fixedChunks(
    db,
    `SELECT ${list} FROM ${table}${inOrder ? "" : ` ORDER BY ${order}`}`,
  )) {
    checkRowNumbers(chunkColumn(chunk, 0).items, row);
    for (let from = 0; from < chunk.rowCount; ) {
      if (row === first) batch = sources.map((source) => source.batch(Math.min(batchRows, rows - first)));
      const length = Math.min(chunk.rowCount - from, first + batchRows - row);
      for (const [i, column] of batch.entries())
        column.append(chunk, places[i]!, {from, length, at: row - first});
      from += length;
      row += length;
      if (row < first + batchRows && row < rows) continue;
      await output.write(
        batch.map((column, i) => whole(column.finish(), columns[i]!)),
        row - first,
      );
      first = row;
    }
  }
  if (row !== rows) throw new Error(`${table}: ${row} rows instead of ${rows}`);
}

function whole(data: Data, {name, nullable}: ArrowColumn): Data {
  if (data.nullCount === 0 || nullable) return data;
  throw new UserError(`column ${name}: ${data.nullCount} nulls where none is allowed.`);
}
