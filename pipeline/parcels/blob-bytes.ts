import {DuckDBBlobValue} from "@duckdb/node-api";

/** The bytes of a BLOB as DuckDB gives it to JavaScript. Throws for anything else. */
export function blobBytes(value: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes);
  throw new Error("an outline that is no BLOB");
}
