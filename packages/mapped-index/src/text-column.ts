import type {Data} from "apache-arrow";
import type {RowLocator} from "./batches.ts";
import {type BlockGuard, guardOf} from "./block-guard.ts";

/**
 * A text column read in place. `compare` and `startsWith` read the stored bytes without allocating and treat
 * null as empty. All members throw a `DamagedFileError` when the file has block checksums and a byte is
 * damaged.
 */
export type TextColumn = {
  readonly rows: number;
  /** A copy of the text of a row, or null. Like all members it throws a RangeError beyond the last row. */
  at(row: number): string | null;
  isNull(row: number): boolean;
  /**
   * The stored bytes as a view of the file, empty for a null; copy them at once, and never keep or write to
   * them.
   */
  slice(row: number): Uint8Array;
  /**
   * Compares the stored text with `key` by UTF-8 bytes: negative when it comes before, 0 when equal, positive
   * when after.
   */
  compare(row: number, key: Uint8Array): number;
  /** True when the stored text is `key`; when the lengths differ, only the offsets are read. */
  equals(row: number, key: Uint8Array): boolean;
  startsWith(row: number, prefix: Uint8Array): boolean;
};

/** A text column backed by a file. */
export type FileTextColumn = TextColumn & {
  /**
   * In a sorted column, the first row whose text is not before `key` (lower bound); `rows` when there is
   * none.
   */
  lowerBound(key: Uint8Array): number;
};

type TextChunk = {
  readonly start: number;
  readonly bytes: Buffer;
  readonly offsets: Int32Array;
  readonly nulls: Uint8Array | null;
  /** Null when the file has no block checksums. */
  readonly guard: BlockGuard | null;
};

/** A text column over Utf8 batches. */
export function textColumn(batches: readonly Data[], locator: RowLocator, rows: number): FileTextColumn {
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
      if (chunk.guard !== null) {
        checkNull(chunk, chunk.guard, index);
        checkText(chunk, chunk.guard, index);
      }
      if (isNullAt(chunk.nulls, index)) return null;
      return textOf(chunk.bytes, chunk.offsets[index] ?? 0, chunk.offsets[index + 1] ?? 0);
    },
    slice(row) {
      const chunk = chunkOf(row);
      const index = row - chunk.start;
      if (chunk.guard !== null) checkText(chunk, chunk.guard, index);
      return chunk.bytes.subarray(chunk.offsets[index] ?? 0, chunk.offsets[index + 1] ?? 0);
    },
    isNull(row) {
      const chunk = chunkOf(row);
      const index = row - chunk.start;
      if (chunk.guard !== null) checkNull(chunk, chunk.guard, index);
      return isNullAt(chunk.nulls, index);
    },
    compare(row, key) {
      const chunk = chunkOf(row);
      const index = row - chunk.start;
      if (chunk.guard !== null) checkText(chunk, chunk.guard, index);
      return compareText(chunk, index, key);
    },
    equals(row, key) {
      const chunk = chunkOf(row);
      const index = row - chunk.start;
      if (chunk.guard !== null) checkPlace(chunk, chunk.guard, index);
      if ((chunk.offsets[index + 1] ?? 0) - (chunk.offsets[index] ?? 0) !== key.length) return false;
      if (chunk.guard !== null) checkText(chunk, chunk.guard, index);
      return compareText(chunk, index, key) === 0;
    },
    startsWith(row, prefix) {
      const chunk = chunkOf(row);
      const index = row - chunk.start;
      if (chunk.guard !== null) checkText(chunk, chunk.guard, index);
      return startsWithBytes(chunk.bytes, chunk.offsets[index] ?? 0, chunk.offsets[index + 1] ?? 0, prefix);
    },
    lowerBound(key) {
      const first = firstNotBefore(0, rows, (row) => {
        const chunk = chunkOf(row);
        return compareText(chunk, row - chunk.start, key) < 0;
      });
      for (let row = Math.max(first - 1, 0); row <= first && row < rows; row++) {
        const chunk = chunkOf(row);
        if (chunk.guard !== null) checkText(chunk, chunk.guard, row - chunk.start);
      }
      return first;
    },
  };
}

/**
 * Binary search for the first row from `from` on for which `isBefore` is false. The rows probed on the way
 * need no verification: in sorted rows the two neighbours of the result decide, and a damaged row that
 * misleads the search is one of them.
 */
export function firstNotBefore(from: number, rows: number, isBefore: (row: number) => boolean): number {
  let low = from;
  let high = rows;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function checkNull({nulls}: TextChunk, guard: BlockGuard, index: number): void {
  if (nulls !== null && nulls.length > 0) guard.at(nulls.byteOffset + (index >>> 3));
}

function checkPlace({offsets}: TextChunk, guard: BlockGuard, index: number): void {
  const at = offsets.byteOffset + index * 4;
  guard.range(at, at + 8);
}

/** Verifies a text and its offsets. The validity bit is not needed where null counts as empty. */
function checkText(chunk: TextChunk, guard: BlockGuard, index: number): void {
  const {bytes, offsets} = chunk;
  checkPlace(chunk, guard, index);
  guard.range(bytes.byteOffset + (offsets[index] ?? 0), bytes.byteOffset + (offsets[index + 1] ?? 0));
}

function compareText({bytes, offsets}: TextChunk, index: number, key: Uint8Array): number {
  return compareBytes(bytes, offsets[index] ?? 0, offsets[index + 1] ?? 0, key);
}

function textChunk(data: Data, start: number): TextChunk {
  const values = data.values as Uint8Array<ArrayBuffer>;
  return {
    start,
    bytes: Buffer.from(values.buffer, values.byteOffset, values.byteLength),
    offsets: data.valueOffsets as Int32Array,
    nulls: nullsOf(data),
    guard: guardOf(values.buffer),
  };
}

const shortest = 4;

/**
 * Decodes UTF-8 bytes. Most texts are ASCII: decoding them as latin1 takes two thirds of the time, and
 * character by character, when short, a third.
 */
function textOf(bytes: Buffer, start: number, end: number): string {
  for (let i = start; i < end; i++) if ((bytes[i] ?? 0) > 127) return bytes.toString("utf8", start, end);
  if (end - start > shortest) return bytes.toString("latin1", start, end);
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] ?? 0);
  return text;
}

/**
 * Compares bytes in a loop, which is twice as fast here as `Buffer.compare` (`docs/design/measurements.md`
 * section 9).
 */
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

const nothing = new Uint8Array(0);

/**
 * The validity bitmap of a batch: null when there are no nulls, empty when all values are null, so that
 * neither case touches a page.
 */
export function nullsOf(data: Data): Uint8Array | null {
  if (data.nullCount === 0) return null;
  return data.nullCount === data.length ? nothing : data.nullBitmap;
}

/** True when every value of every batch is null. */
export function isEmpty(batches: readonly Data[]): boolean {
  return batches.every((data) => nullsOf(data) === nothing);
}

/** True when the validity bitmap marks the value at an index as null; without a bitmap there are no nulls. */
export function isNullAt(bitmap: Uint8Array | null, index: number): boolean {
  return bitmap !== null && ((bitmap[index >>> 3] ?? 0) & (1 << (index & 7))) === 0;
}
