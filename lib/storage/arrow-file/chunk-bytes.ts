import type {DuckDBDataChunk} from "@duckdb/node-api";
import {UserError} from "../../errors.ts";
import {maxTextBytes} from "./column-data.ts";
import {markNull, type Nulls} from "./nulls.ts";

/** The texts of a batch, one after the other, with their offsets; `appendBytes` fills it chunk by chunk. */
export type TextsOfBatch = {
  readonly offsets: Int32Array<ArrayBuffer>;
  readonly nulls: Nulls;
  bytes: Uint8Array<ArrayBuffer>;
};

const inlineBytes = 12;
const wordsPerItem = 4;

/**
 * A BLOB column of a chunk in DuckDB's layout: 16 bytes a value, with its length and its up to 12 bytes, or 4 bytes and a
 * pointer.
 */
type BlobVector = {
  readonly dataView: DataView;
  readonly validity: {readonly data: BigUint64Array | null};
  getItemBytes(index: number): Uint8Array;
};

/**
 * Appends `length` values of BLOB column `index` of a chunk, from its row `from` on, as values `at` and following of the
 * batch. DuckDB mostly keeps long values next to each other, so one call copies a run of them; a call for each would cost a
 * microsecond. Throws a `UserError` that names the column when the batch passes 2 GiB.
 */
export function appendBytes(
  chunk: DuckDBDataChunk,
  {index, name, from, length}: {index: number; name: string; from: number; length: number},
  texts: TextsOfBatch,
  at: number,
): void {
  const vector = chunk.getColumnVector(index) as unknown as BlobVector;
  const {dataView, validity} = vector;
  const valid =
    validity.data === null
      ? null
      : new Uint8Array(validity.data.buffer, validity.data.byteOffset, validity.data.byteLength);
  const words = new Uint32Array(dataView.buffer, dataView.byteOffset, chunk.rowCount * wordsPerItem);
  const inline = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  const {offsets} = texts;
  const isNull = (row: number) => valid !== null && ((valid[row >>> 3] ?? 0) & (1 << (row & 7))) === 0;
  let end = offsets[at] ?? 0;
  for (let row = from; row < from + length; ) {
    const bytes = isNull(row) ? 0 : (words[row * wordsPerItem] ?? 0);
    if (bytes <= inlineBytes) {
      if (isNull(row)) markNull(texts.nulls, at + row - from);
      reserve(texts, {end, more: bytes, name});
      const start = row * 16 + 4;
      for (let i = 0; i < bytes; i++) texts.bytes[end + i] = inline[start + i]!;
      end += bytes;
      offsets[at + ++row - from] = end;
      continue;
    }
    const first = row;
    const start = end;
    do {
      end += words[row * wordsPerItem]!;
      offsets[at + ++row - from] = end;
    } while (row < from + length && !isNull(row) && follows(words, {row, first, bytes: end - start}));
    reserve(texts, {end: start, more: end - start, name});
    texts.bytes.set(bytesOfRun(vector, words, {first, bytes: end - start}), start);
  }
}

/** True when the value of a row is a long one that begins `bytes` bytes after the first value of the run. */
function follows(
  words: Uint32Array,
  {row, first, bytes}: {row: number; first: number; bytes: number},
): boolean {
  const at = row * wordsPerItem;
  const before = first * wordsPerItem;
  const end = words[before + 2]! + bytes;
  return words[at]! > inlineBytes && words[at + 2] === end && words[at + 3] === words[before + 3];
}

/** The bytes of a run, read as one value: the first one's length is changed to that of the run for the call. */
function bytesOfRun(
  vector: BlobVector,
  words: Uint32Array,
  {first, bytes}: {first: number; bytes: number},
): Uint8Array {
  const at = first * wordsPerItem;
  const length = words[at]!;
  words[at] = bytes;
  const run = vector.getItemBytes(first);
  words[at] = length;
  return run;
}

function reserve(texts: TextsOfBatch, {end, more, name}: {end: number; more: number; name: string}): void {
  if (end + more <= texts.bytes.length) return;
  if (end + more > maxTextBytes) {
    throw new UserError(`column ${name}: more than 2 GiB of text in a batch. Write smaller batches.`);
  }
  const grown = new Uint8Array(Math.min(Math.max(2 * texts.bytes.length, end + more), maxTextBytes));
  grown.set(texts.bytes.subarray(0, end));
  texts.bytes = grown;
}
