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

/** Rows of a chunk that go to a batch, and the place of the first of them there. */
export type ChunkRows = {readonly from: number; readonly length: number; readonly at: number};

/** One column of a batch while it is filled. */
export type BatchColumn = {
  /** Appends rows of column `index` of a chunk. */
  append(chunk: DuckDBDataChunk, index: number, rows: ChunkRows): void;
  finish(): Data;
};

/** How a column is asked of DuckDB (null where it need not be), and how a batch of `length` rows of it is filled. */
export type ColumnSource = {readonly sql: string | null; batch(length: number): BatchColumn};

/** The source of a column; of a dictionary column, with its dictionary. */
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
            // Written before the next batch begins: its memory is used again.
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

/** The source of a column that says the same in every row: nothing, or of a dictionary column its only word. */
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
