import type {DuckDBDataChunk} from "@duckdb/node-api";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";
import {
  bytesAtPointer,
  chunkColumn,
  chunkNumbers,
  isNull,
  streamChunks,
} from "../../../../lib/storage/arrow-file/duckdb-chunks.ts";

// The layout of a chunk is DuckDB's own. Each of its traits that the writer relies on is compared with what the values of
// the API say, so that an upgrade which changes one is refused here.
let db: Database;
beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.close());

const rows = 3000;

async function eachChunk(sql: string, look: (chunk: DuckDBDataChunk) => void): Promise<void> {
  let seen = 0;
  for await (const chunk of streamChunks(db, `SELECT ${sql} FROM range(${rows}) t(i)`)) {
    look(chunk);
    seen += chunk.rowCount;
  }
  expect(seen).toBe(rows);
}

describe("a chunk of DuckDB", () => {
  test.each([
    ["UTINYINT", Uint8Array],
    ["SMALLINT", Int16Array],
    ["INTEGER", Int32Array],
    ["UINTEGER", Uint32Array],
    ["BIGINT", BigInt64Array],
    ["FLOAT", Float32Array],
    ["DOUBLE", Float64Array],
  ] as const)("has %s as an array of numbers, with a bit for each value", async (type, array) => {
    await eachChunk(`CASE WHEN i % 7 <> 0 THEN (i % 200)::${type} END, (i % 99)::${type}`, (chunk) => {
      const [nullable, whole] = [0, 1].map((index) => ({
        items: chunkNumbers<ArrayLike<unknown> & ArrayBufferView>(chunk, index, array as never),
        column: chunkColumn(chunk, index, array.BYTES_PER_ELEMENT),
        values: chunk.getColumnValues(index),
      }));
      expect(whole!.column.valid).toBe(null);
      expect(Array.from(whole!.items)).toEqual(whole!.values);
      expect(nullable!.values).toContain(null);
      const read = nullable!.values.map((_, i) => (isNull(nullable!.column, i) ? null : nullable!.items[i]));
      expect(read).toEqual(nullable!.values);
    });
  });

  test("has booleans as bytes of 0 and 1, and dates as days", async () => {
    await eachChunk("i % 3 = 0, DATE '1969-12-01' + i::INTEGER", (chunk) => {
      const [flags, days] = [chunk.getColumnValues(0), chunk.getColumnValues(1)] as [
        boolean[],
        {days: number}[],
      ];
      expect(Array.from(chunkNumbers(chunk, 0, Uint8Array))).toEqual(flags.map(Number));
      expect(Array.from(chunkNumbers(chunk, 1, Int32Array))).toEqual(days.map((value) => value.days));
    });
  });

  test("has a BLOB as its length and up to 12 bytes, or a pointer; the writer tells neighbours by their pointers", async () => {
    let neighbours = 0;
    await eachChunk("encode(repeat('é', (i % 40)::INTEGER) || i)", (chunk) => {
      const column = chunkColumn(chunk, 0, 16);
      const words = new Uint32Array(column.bytes.buffer, column.bytes.byteOffset, chunk.rowCount * 4);
      const values = (chunk.getColumnValues(0) as {bytes: Uint8Array}[]).map(({bytes}) => Buffer.from(bytes));
      for (const [row, value] of values.entries()) {
        const at = row * 4;
        expect(words[at]).toBe(value.length);
        const inline = column.bytes.subarray(at * 4 + 4, at * 4 + 4 + value.length);
        const read = value.length > 12 ? bytesAtPointer(column, row, value.length) : inline;
        expect(value.equals(read)).toBe(true);
        const next = values[row + 1];
        const follows = words[at + 6] === words[at + 2]! + value.length && words[at + 7] === words[at + 3];
        if (next === undefined || value.length <= 12 || next.length <= 12 || !follows) continue;
        const both = bytesAtPointer(column, row, value.length + next.length);
        expect(Buffer.concat([value, next]).equals(both)).toBe(true);
        neighbours += 1;
      }
    });
    expect(neighbours).toBeGreaterThan(rows / 2);
  });
});
