import type {DuckDBDataChunk} from "@duckdb/node-api";
import type {Database} from "../../sql/duckdb.ts";
import type {FixedArray} from "./columns.ts";
import {markNull, type Nulls} from "./nulls.ts";

/** A column of a chunk: its numbers, and the validity bits, which are null when no value is. */
type ChunkColumn = {readonly items: FixedArray; readonly valid: Uint8Array | null};

/**
 * Streams the result of a query with numeric columns in chunks of at most 2,048 rows, without a JavaScript value per cell.
 * No other query may run on the connection until the stream has ended.
 */
export async function* fixedChunks(db: Database, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const result = await db.connection.stream(sql);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk;
  }
}

/** Column `index` of a chunk. Its arrays are DuckDB's own and must be read before the next chunk. */
export function chunkColumn(chunk: DuckDBDataChunk, index: number): ChunkColumn {
  // The typings hide both members; `getItem` would cost a call and a BigInt shift per value.
  const vector = chunk.getColumnVector(index) as unknown as {
    items: FixedArray;
    validity: {data: BigUint64Array | null};
  };
  const {data} = vector.validity;
  const valid = data === null ? null : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return {items: vector.items, valid};
}

/**
 * Copies rows of a chunk's column to `values` from index `at` on. A null is marked and stored as 0, so that equal rows give
 * equal bytes.
 */
export function copyColumn(
  {items, valid}: ChunkColumn,
  {values, nulls}: {values: FixedArray; nulls: Nulls},
  {from, length, at}: {from: number; length: number; at: number},
): void {
  values.set(from === 0 && length === items.length ? items : items.subarray(from, from + length), at);
  if (valid === null) return;
  for (let i = 0; i < length; i++) {
    const row = from + i;
    if (((valid[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0) continue;
    values[at + i] = 0;
    markNull(nulls, at + i);
  }
}

/**
 * The bytes of a query's single BLOB value, empty for null. They may be DuckDB's own buffer: the caller reads them at once.
 */
export async function blobOf(db: Database, sql: string): Promise<Uint8Array> {
  const result = await db.connection.stream(sql);
  const chunk = await result.fetchChunk();
  if (chunk === null || chunk.rowCount !== 1) throw new Error(`one row was expected of: ${sql}`);
  const vector = chunk.getColumnVector(0) as unknown as {getItemBytes(index: number): Uint8Array | null};
  return vector.getItemBytes(0) ?? new Uint8Array(0);
}

/** Throws where the row numbers of a chunk are not `first`, `first` + 1 and so on. */
export function checkRowNumbers(numbers: FixedArray, first: number): void {
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] !== first + i) throw new Error(`row number ${numbers[i]} where ${first + i} was expected`);
  }
}
