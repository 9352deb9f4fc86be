import type {Data} from "apache-arrow";
import type {RowLocator} from "./batches.ts";
import {isNullAt, nullsOf} from "./nulls.ts";

/**
 * A text column in place. `compare` and `startsWith` read the stored bytes without allocating and take null for an empty
 * text.
 */
export type TextColumn = {
  readonly rows: number;
  /** A copy of the text of a row, or null. Throws a RangeError beyond the last row, as all members do. */
  at(row: number): string | null;
  isNull(row: number): boolean;
  /** The stored bytes as a view of the file, empty for a null: to be copied at once, never kept or written. */
  slice(row: number): Uint8Array;
  /**
   * Compares the stored text with `key` by bytes of UTF-8: negative when it comes before, 0 when equal, positive when after.
   */
  compare(row: number, key: Uint8Array): number;
  startsWith(row: number, prefix: Uint8Array): boolean;
};

type TextChunk = {
  readonly start: number;
  readonly bytes: Buffer;
  readonly offsets: Int32Array;
  readonly nulls: Uint8Array | null;
};

/** The text column over batches of Utf8. */
export function textColumn(batches: readonly Data[], locator: RowLocator, rows: number): TextColumn {
  const chunks = batches.map((data, i) => textChunk(data, locator.starts[i] ?? 0));
  const chunkOf = (row: number): TextChunk => {
    const chunk = chunks[locator.batchOf(row)];
    if (chunk === undefined || row >>> 0 !== row || row >= rows)
      throw new RangeError(`no row ${row} of ${rows}`);
    return chunk;
  };
  return {
    rows,
    at(row) {
      const chunk = chunkOf(row);
      const index = row - chunk.start;
      if (isNullAt(chunk.nulls, index)) return null;
      return textOf(chunk.bytes, chunk.offsets[index] ?? 0, chunk.offsets[index + 1] ?? 0);
    },
    slice(row) {
      const chunk = chunkOf(row);
      const index = row - chunk.start;
      return chunk.bytes.subarray(chunk.offsets[index] ?? 0, chunk.offsets[index + 1] ?? 0);
    },
    isNull(row) {
      const chunk = chunkOf(row);
      return isNullAt(chunk.nulls, row - chunk.start);
    },
    compare(row, key) {
      const chunk = chunkOf(row);
      const index = row - chunk.start;
      return compareBytes(chunk.bytes, chunk.offsets[index] ?? 0, chunk.offsets[index + 1] ?? 0, key);
    },
    startsWith(row, prefix) {
      const chunk = chunkOf(row);
      const index = row - chunk.start;
      return startsWithBytes(chunk.bytes, chunk.offsets[index] ?? 0, chunk.offsets[index + 1] ?? 0, prefix);
    },
  };
}

function textChunk(data: Data, start: number): TextChunk {
  const values = data.values as Uint8Array<ArrayBuffer>;
  return {
    start,
    bytes: Buffer.from(values.buffer, values.byteOffset, values.byteLength),
    offsets: data.valueOffsets as Int32Array,
    nulls: nullsOf(data),
  };
}

const shortest = 4;

/**
 * The text of UTF-8 bytes. Most texts are ASCII: read as latin1 they take two thirds of the time, and letter by letter, when
 * short, a third.
 */
function textOf(bytes: Buffer, start: number, end: number): string {
  for (let i = start; i < end; i++) if ((bytes[i] ?? 0) > 127) return bytes.toString("utf8", start, end);
  if (end - start > shortest) return bytes.toString("latin1", start, end);
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] ?? 0);
  return text;
}

/** Compares bytes by a loop, which is twice as fast here as `Buffer.compare` (`docs/design/measurements.md` section 9). */
function compareBytes(bytes: Uint8Array, start: number, end: number, key: Uint8Array): number {
  const shared = Math.min(end - start, key.length);
  for (let i = 0; i < shared; i++) {
    const difference = (bytes[start + i] ?? 0) - (key[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return end - start - key.length;
}

function startsWithBytes(bytes: Uint8Array, start: number, end: number, prefix: Uint8Array): boolean {
  if (end - start < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) {
    if (bytes[start + i] !== prefix[i]) return false;
  }
  return true;
}
