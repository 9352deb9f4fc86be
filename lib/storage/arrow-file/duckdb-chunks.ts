import type {DuckDBDataChunk} from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";
import type {Database} from "../../sql/duckdb.ts";
import type {NumberArray} from "./columns.ts";

/**
 * A column of a chunk in DuckDB's layout: values of one width, and a bit for each that is set for a value; `valid` is null
 * for a column without nulls. A VARCHAR or BLOB has 16 bytes: its length and up to 12 bytes, or its length, 4 bytes and a pointer.
 * The arrays are DuckDB's own and must be read before the next chunk.
 */
export type ChunkColumn = {readonly bytes: Uint8Array; readonly valid: Uint8Array | null};

/**
 * Streams the result of a query in chunks of at most 2,048 rows, without a JavaScript value per cell. No other query may run
 * on the connection until the stream has ended.
 */
export async function* streamChunks(db: Database, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const result = await db.connection.stream(sql);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk;
  }
}

/** Column `index` of a chunk, whose values have `width` bytes. */
export function chunkColumn(chunk: DuckDBDataChunk, index: number, width: number): ChunkColumn {
  // The vectors of `@duckdb/node-api` make a value per cell, and hide their arrays; these functions below them are public.
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, index);
  const {rowCount} = chunk;
  return {
    bytes: duckdb.vector_get_data(vector, rowCount * width),
    valid: duckdb.vector_get_validity(vector, Math.ceil(rowCount / 64) * 8) ?? null,
  };
}

/** Column `index` of a chunk as numbers; a null is any number. */
export function chunkNumbers<T extends ArrayBufferView>(
  chunk: DuckDBDataChunk,
  index: number,
  array: NumberArray<T>,
): T {
  const {bytes} = chunkColumn(chunk, index, array.BYTES_PER_ELEMENT);
  return new array(bytes.buffer, bytes.byteOffset, chunk.rowCount);
}

/** True for a null in row `row` of a column. */
export function isNull({valid}: ChunkColumn, row: number): boolean {
  return valid !== null && ((valid[row >>> 3] ?? 0) & (1 << (row & 7))) === 0;
}

/** `length` bytes from where the pointer of the long VARCHAR or BLOB in row `row` leads. */
export function pointedBytes({bytes}: ChunkColumn, row: number, length: number): Uint8Array {
  return duckdb.get_data_from_pointer(bytes.buffer as ArrayBuffer, bytes.byteOffset + row * 16 + 8, length);
}

/** Throws where the row numbers of a chunk, column `index` as DOUBLE, are not `first`, `first` + 1 and so on. */
export function checkRowNumbers(chunk: DuckDBDataChunk, index: number, first: number): void {
  const numbers = chunkNumbers(chunk, index, Float64Array);
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] !== first + i) throw new Error(`row number ${numbers[i]} where ${first + i} was expected`);
  }
}
