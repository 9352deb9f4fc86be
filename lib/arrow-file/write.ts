import {type Data, Field, Schema} from "apache-arrow";
import {type Database, sqlName} from "../duckdb.ts";
import {UserError} from "../errors.ts";
import {batchSize, type TableExtent, tableExtent} from "./batch-size.ts";
import {dictionaryData, fixedData} from "./column-data.ts";
import {type ArrowColumn, binaryType, fixedStorage, isBytesKind, textType} from "./columns.ts";
import {type ColumnDictionary, columnDictionary} from "./dictionary.ts";
import {writeArrowOutput} from "./output.ts";
import {
  type FixedRequest,
  type FixedValues,
  lengthRequest,
  type Relation,
  type Rows,
  readBytes,
  readFixed,
} from "./relation.ts";

export type {ArrowColumn, StoredKind} from "./columns.ts";

export type ArrowFileRequest = {
  /** SQL of a FROM clause: a quoted name, or a subquery in brackets. It is read once per batch and text column: best a table in row order. */
  readonly table: string;
  /** Its column with the row number: 0 to n - 1, each once. Row `i` of the file is row `i`. */
  readonly orderColumn: string;
  readonly columns: readonly ArrowColumn[];
  readonly path: string;
  /** Goes into the schema's metadata, in this order. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Rows of a batch, a power of two; else the largest up to 2^20 with about 256 MiB. */
  readonly batchRows?: number;
};

/**
 * Writes an Arrow IPC file from DuckDB, uncompressed: text and lists as Utf8, dictionaries as Utf8 with 16- or 32-bit codes and one sorted
 * dictionary for all batches, money as float64, dates as 32-bit days. The same rows give the same bytes. No rows give a file without batches.
 * Memory is that of one batch. Throws `UserError` for row numbers that are not 0 to n - 1, for a null in a column that is not nullable, and
 * when the path exists; a broken file is removed.
 */
export async function writeArrowFile(db: Database, request: ArrowFileRequest): Promise<{rows: number}> {
  const relation = {from: request.table, order: sqlName(request.orderColumn)};
  const extent = await tableExtent(db, relation, request.columns);
  const batchRows = request.batchRows ?? batchSize(extent);
  const dictionaries = await columnDictionaries(db, request);
  try {
    await writeArrowOutput(request.path, schemaOf(request, dictionaries), async (output) => {
      for (const rows of batches(extent, batchRows)) {
        await output.write(
          await readBatch(db, {relation, columns: request.columns, dictionaries}, rows),
          rows.length,
        );
      }
    });
  } finally {
    for (const dictionary of dictionaries.values()) await dictionary.drop();
  }
  return {rows: extent.rows};
}

type Dictionaries = ReadonlyMap<string, ColumnDictionary>;

type BatchSource = {
  readonly relation: Relation;
  readonly columns: readonly ArrowColumn[];
  readonly dictionaries: Dictionaries;
};

async function columnDictionaries(db: Database, {table, columns}: ArrowFileRequest): Promise<Dictionaries> {
  const dictionaries = new Map<string, ColumnDictionary>();
  for (const [id, {name, kind}] of columns.entries()) {
    if (kind === "dictionary") dictionaries.set(name, await columnDictionary(db, table, name, id));
  }
  return dictionaries;
}

function schemaOf({columns, metadata = {}}: ArrowFileRequest, dictionaries: Dictionaries): Schema {
  const fields = columns.map(({name, kind, nullable}) => {
    if (isBytesKind(kind)) return new Field(name, kind === "binary" ? binaryType : textType, nullable);
    if (kind === "dictionary") return new Field(name, dictionaries.get(name)!.type, nullable);
    return new Field(name, fixedStorage[kind].type, nullable);
  });
  return new Schema(fields, new Map(Object.entries(metadata)));
}

function* batches({rows}: TableExtent, batchRows: number): Generator<Rows> {
  for (let first = 0; first < rows; first += batchRows) {
    yield {first, length: Math.min(batchRows, rows - first)};
  }
}

/** One stream for all numbers, codes and text lengths, then one query or a few for each text column. */
async function readBatch(db: Database, source: BatchSource, rows: Rows): Promise<Data[]> {
  const requests = source.columns.map((column) => fixedRequest(column, source.dictionaries));
  const fixed = await readFixed(db, source.relation, rows, requests);
  const batch: Data[] = [];
  for (const [i, column] of source.columns.entries()) {
    const data = await columnData(db, source, {column, fixed: fixed[i]!, rows});
    if (data.nullCount > 0 && !column.nullable) {
      throw new UserError(`column ${column.name}: ${data.nullCount} nulls where none is allowed.`);
    }
    batch.push(data);
  }
  return batch;
}

function fixedRequest(column: ArrowColumn, dictionaries: Dictionaries): FixedRequest {
  if (isBytesKind(column.kind)) return lengthRequest({...column, kind: column.kind});
  if (column.kind === "dictionary") return {sql: dictionaries.get(column.name)!.codeSql, kind: "int32"};
  return {sql: fixedStorage[column.kind].sql(sqlName(column.name)), kind: column.kind};
}

async function columnData(
  db: Database,
  {relation, dictionaries}: BatchSource,
  {column, fixed: {values, nulls}, rows}: {column: ArrowColumn; fixed: FixedValues; rows: Rows},
): Promise<Data> {
  if (isBytesKind(column.kind)) {
    const request = {column: {...column, kind: column.kind}, lengths: values as Int32Array};
    return readBytes(db, relation, rows, request);
  }
  if (column.kind === "dictionary") {
    const {type, values: words, codes} = dictionaries.get(column.name)!;
    return dictionaryData(type, codes.from(values), words, nulls);
  }
  return fixedData(column.kind, values, nulls);
}
