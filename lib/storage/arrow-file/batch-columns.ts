import type {DuckDBDataChunk} from "@duckdb/node-api";
import type {Data} from "apache-arrow";
import {sqlName} from "../../sql/duckdb.ts";
import {appendBytes, type TextsOfBatch} from "./chunk-bytes.ts";
import {bytesData, dictionaryData, fixedData} from "./column-data.ts";
import {
  type ArrowColumn,
  bytesSql,
  type FixedArray,
  type FixedKind,
  fixedStorage,
  isBytesKind,
} from "./columns.ts";
import type {ColumnDictionary} from "./dictionary.ts";
import {chunkColumn, copyColumn} from "./duckdb-chunks.ts";
import {allNulls, type Nulls, noNulls} from "./nulls.ts";

/** A run of rows of a chunk, and the place of its first row in the batch. */
type ChunkRows = {readonly from: number; readonly length: number; readonly at: number};

/** A column of the batch that is being filled. */
export type BatchColumn = {
  /** Appends a run of rows of column `index` of a chunk. */
  append(chunk: DuckDBDataChunk, index: number, rows: ChunkRows): void;
  finish(): Data;
};

/** SQL of a column, null for a constant one, and a maker of its batches of `length` rows. */
export type ColumnSource = {readonly sql: string | null; batch(length: number): BatchColumn};

/** The source of a column that is read from DuckDB; a dictionary column needs its dictionary. */
export function columnSource(column: ArrowColumn, dictionary: ColumnDictionary | undefined): ColumnSource {
  const {kind} = column;
  if (isBytesKind(kind)) {
    let bytes = new Uint8Array(0);
    return {
      sql: bytesSql(column),
      batch(length) {
        const texts: TextsOfBatch = {offsets: new Int32Array(length + 1), nulls: noNulls(length), bytes};
        return {
          append: (chunk, index, {from, length, at}) =>
            appendBytes(chunk, {index, name: column.name, from, length}, texts, at),
          finish() {
            // The next batch uses the same memory: this one is written before it begins.
            bytes = texts.bytes;
            return bytesData(kind, texts.offsets, bytes.subarray(0, texts.offsets[length]), texts.nulls);
          },
        };
      },
    };
  }
  if (kind === "dictionary") {
    const {type, values: words, codes, codeSql} = dictionary!;
    return {
      sql: codeSql,
      batch: (length) =>
        fixedBatch("int32", length, (values, nulls) =>
          dictionaryData(type, codes.from(values), words, nulls),
        ),
    };
  }
  return {
    sql: fixedStorage[kind].sql(sqlName(column.name)),
    batch: (length) => fixedBatch(kind, length, (values, nulls) => fixedData(kind, values, nulls)),
  };
}

/** The source of a column whose value in every row is null, or the only word of its dictionary. */
export function constantSource(
  {kind}: ArrowColumn,
  text: string | null,
  dictionary: Pick<ColumnDictionary, "type" | "values" | "codes"> | undefined,
): ColumnSource {
  const data = (length: number): Data => {
    const nulls = text === null ? allNulls(length) : noNulls(length);
    if (isBytesKind(kind)) return bytesData(kind, new Int32Array(length + 1), new Uint8Array(0), nulls);
    if (kind !== "dictionary") return fixedData(kind, new fixedStorage[kind].array(length), nulls);
    const {type, values, codes} = dictionary!;
    return dictionaryData(type, new codes(length), values, nulls);
  };
  return {sql: null, batch: (length) => ({append: () => undefined, finish: () => data(length)})};
}

function fixedBatch(
  kind: FixedKind,
  length: number,
  data: (values: FixedArray, nulls: Nulls) => Data,
): BatchColumn {
  const values = new fixedStorage[kind].array(length);
  const nulls = noNulls(length);
  return {
    append: (chunk, index, {from, length: rows, at}) =>
      copyColumn(chunkColumn(chunk, index), {values, nulls}, {from, length: rows, at}),
    finish: () => data(values, nulls),
  };
}
