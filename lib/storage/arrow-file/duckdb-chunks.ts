import type {DuckDBDataChunk} from "@duckdb/node-api";
import type {Database} from "../../sql/duckdb.ts";
import {duckdbBindings} from "../../sql/duckdb-library.ts";
import {refuseCutStream, withSqlErrors} from "../../sql/sql-error.ts";
import type {NumberArray} from "./arrow-columns.ts";

/**
 * A column of a chunk in DuckDB's memory layout: fixed-width values and a validity bitmap, where a set bit
 * means a value; `valid` is null for a column without nulls. A VARCHAR or BLOB takes 16 bytes: its length and
 * up to 12 bytes, or its length, a 4-byte prefix and a pointer. DuckDB owns the memory, so read it before the
 * next chunk.
 */
export type ChunkColumn = {readonly bytes: Uint8Array; readonly valid: Uint8Array | null};

/**
 * Streams a query result in chunks of at most 2,048 rows, without a JavaScript value per cell. No other query
 * may run on the connection until the stream has ended. Throws a `SqlError` for an error at any row.
 */
export async function* streamChunks(db: Database, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const result = await withSqlErrors(sql, () => db.connection.stream(sql));
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    yield chunk;
  }
  await refuseCutStream(db.connection, result, sql);
}

/** Column `index` of a chunk, with values of `width` bytes. */
export function chunkColumn(chunk: DuckDBDataChunk, index: number, width: number): ChunkColumn {
  // The vectors of `@duckdb/node-api` create a value per cell and hide their arrays, so this uses the public
  // bindings below them.
  const duckdb = duckdbBindings();
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, index);
  const {rowCount} = chunk;
  return {
    bytes: duckdb.vector_get_data(vector, rowCount * width),
    valid: duckdb.vector_get_validity(vector, Math.ceil(rowCount / 64) * 8) ?? null,
  };
}

/** Column `index` of a chunk as numbers; a null is an arbitrary number. */
export function chunkNumbers<T extends ArrayBufferView>(
  chunk: DuckDBDataChunk,
  index: number,
  array: NumberArray<T>,
): T {
  const {bytes} = chunkColumn(chunk, index, array.BYTES_PER_ELEMENT);
  return new array(bytes.buffer, bytes.byteOffset, chunk.rowCount);
}

/** True when the value in row `row` is null. */
export function isNull({valid}: ChunkColumn, row: number): boolean {
  return valid !== null && ((valid[row >>> 3] ?? 0) & (1 << (row & 7))) === 0;
}

/** Follows the pointer of the long VARCHAR or BLOB in row `row` and returns `length` bytes from there. */
export function bytesAtPointer({bytes}: ChunkColumn, row: number, length: number): Uint8Array {
  return duckdbBindings().get_data_from_pointer(
    bytes.buffer as ArrayBuffer,
    bytes.byteOffset + row * 16 + 8,
    length,
  );
}

/** Throws when the row numbers of a chunk (column `index`, DOUBLE) are not `first`, `first` + 1 and so on. */
export function checkRowNumbers(chunk: DuckDBDataChunk, index: number, first: number): void {
  const numbers = chunkNumbers(chunk, index, Float64Array);
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] !== first + i) throw new Error(`row number ${numbers[i]} where ${first + i} was expected`);
  }
}
