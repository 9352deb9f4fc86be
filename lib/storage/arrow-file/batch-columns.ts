import type {DuckDBDataChunk} from "@duckdb/node-api";
import {type Data, DataType, makeData, type Utf8, type Vector} from "apache-arrow";
import {UserError} from "../../errors.ts";
import type {NumberArray} from "./arrow-columns.ts";
import {bytesAtPointer, chunkColumn, isNull} from "./duckdb-chunks.ts";

/** A range of rows of a chunk. */
export type ChunkRows = {readonly from: number; readonly length: number};

/** Builds one column of the current batch. */
export type BatchColumn = {
  /** Appends a range of rows from column `index` of a chunk. */
  append(chunk: DuckDBDataChunk, index: number, rows: ChunkRows): void;
  /** The finished column; call it after all rows were appended. */
  data(): Data;
};

/** An Arrow validity bitmap under construction: a set bit means a value. */
type Nulls = {readonly bitmap: Uint8Array<ArrayBuffer>; count: number};

/** With fewer rows, their average length does not predict that of all rows. */
const fewRows = 1_000;

/** Maximum text size of a batch: Arrow offsets are signed 32-bit integers. */
const maxTextBytes = 2 ** 31 - 1;

/** Storage of fixed-width values; all batches of a dictionary column share its dictionary. */
type FixedStorage = {
  readonly type: DataType;
  readonly array: NumberArray;
  readonly dictionary?: Vector<Utf8> | undefined;
};

/** A column of fixed-width values. A null is stored as 0, so that equal rows give equal bytes. */
export class FixedColumn implements BatchColumn {
  readonly #storage: FixedStorage;
  readonly #nulls: Nulls;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #rows = 0;

  constructor(length: number, storage: FixedStorage, nulls = noNulls(length)) {
    this.#storage = storage;
    this.#nulls = nulls;
    this.#bytes = new Uint8Array(length * storage.array.BYTES_PER_ELEMENT);
  }

  append(chunk: DuckDBDataChunk, index: number, {from, length}: ChunkRows): void {
    const width = this.#storage.array.BYTES_PER_ELEMENT;
    const column = chunkColumn(chunk, index, width);
    this.#bytes.set(column.bytes.subarray(from * width, (from + length) * width), this.#rows * width);
    for (let i = 0; column.valid !== null && i < length; i++) {
      if (!isNull(column, from + i)) continue;
      const at = this.#rows + i;
      this.#bytes.fill(0, at * width, (at + 1) * width);
      markNull(this.#nulls, at);
    }
    this.#rows += length;
  }

  data(): Data {
    const {type, array, dictionary} = this.#storage;
    const data = DataType.isBool(type) ? packBits(this.#bytes) : new array(this.#bytes.buffer);
    const length = this.#bytes.length / array.BYTES_PER_ELEMENT;
    return arrowData(type, length, {data, ...(dictionary && {dictionary})}, this.#nulls);
  }
}

/** A column of texts, lists or binary values, stored back to back with their offsets. */
export class BytesColumn implements BatchColumn {
  /** The bytes so far plus spare capacity; the column of the next batch can reuse this memory. */
  bytes: Uint8Array<ArrayBuffer>;
  readonly #name: string;
  readonly #type: DataType;
  readonly #nulls: Nulls;
  readonly #offsets: Int32Array<ArrayBuffer>;
  #rows = 0;

  constructor(
    length: number,
    {name, type, bytes = new Uint8Array(0)}: {name: string; type: DataType; bytes?: Uint8Array<ArrayBuffer>},
    nulls = noNulls(length),
  ) {
    this.#name = name;
    this.#type = type;
    this.#nulls = nulls;
    this.#offsets = new Int32Array(length + 1);
    this.bytes = bytes;
  }

  /**
   * Appends BLOBs. DuckDB usually stores long values next to each other, so a run of them is copied at once;
   * copying each would cost a microsecond. Throws a `UserError` that names the column when the batch exceeds
   * 2 GiB.
   */
  append(chunk: DuckDBDataChunk, index: number, {from, length}: ChunkRows): void {
    const column = chunkColumn(chunk, index, blobWidth);
    const words = new Uint32Array(column.bytes.buffer, column.bytes.byteOffset, chunk.rowCount * blobWords);
    const offsets = this.#offsets;
    const before = this.#rows - from;
    for (let row = from; row < from + length; ) {
      const start = offsets[before + row]!;
      const size = isNull(column, row) ? 0 : words[row * blobWords]!;
      if (size <= inlineBytes) {
        if (isNull(column, row)) markNull(this.#nulls, before + row);
        this.#reserve(start, size, before + row);
        const inline = row * blobWidth + 4;
        for (let i = 0; i < size; i++) this.bytes[start + i] = column.bytes[inline + i]!;
        offsets[before + ++row] = start + size;
        continue;
      }
      const first = row;
      let end = start;
      do {
        end += words[row * blobWords]!;
        offsets[before + ++row] = end;
      } while (
        row < from + length &&
        !isNull(column, row) &&
        follows(words, {row, first, bytes: end - start})
      );
      this.#reserve(start, end - start, before + row);
      this.bytes.set(bytesAtPointer(column, first, end - start), start);
    }
    this.#rows += length;
  }

  /** The bytes of the value in `row`. */
  at(row: number): Uint8Array {
    return this.bytes.subarray(this.#offsets[row], this.#offsets[row + 1]);
  }

  data(): Data {
    const length = this.#offsets.length - 1;
    const data = this.bytes.subarray(0, this.#offsets[length]);
    return arrowData(this.#type, length, {valueOffsets: this.#offsets, data}, this.#nulls);
  }

  /**
   * Grows the buffer to what the average length of the first `rows` rows predicts for all rows; plain
   * doubling would copy the bytes over and over.
   */
  #reserve(end: number, more: number, rows: number): void {
    if (end + more <= this.bytes.length) return;
    if (end + more > maxTextBytes) {
      throw new UserError(`column ${this.#name}: more than 2 GiB of text in a batch. Write smaller batches.`);
    }
    const expected =
      rows < fewRows ? 0 : Math.ceil((end + more) * ((1.05 * (this.#offsets.length - 1)) / rows));
    const room = Math.max(2 * this.bytes.length, end + more, expected);
    const grown = new Uint8Array(Math.min(room, maxTextBytes));
    grown.set(this.bytes.subarray(0, end));
    this.bytes = grown;
  }
}

const blobWidth = 16;
const blobWords = 4;
const inlineBytes = 12;

/** True when the value of a row is a long one stored `bytes` bytes after the start of the run. */
function follows(
  words: Uint32Array,
  {row, first, bytes}: {row: number; first: number; bytes: number},
): boolean {
  const at = row * blobWords;
  const before = first * blobWords;
  return (
    words[at]! > inlineBytes &&
    words[at + 2] === words[before + 2]! + bytes &&
    words[at + 3] === words[before + 3]
  );
}

/** A bitmap of `length` values without nulls; the bits after the last value are 0. */
export function noNulls(length: number): Nulls {
  const bitmap = new Uint8Array((length + 7) >>> 3).fill(0xff);
  if ((length & 7) !== 0) bitmap[bitmap.length - 1] = (1 << (length & 7)) - 1;
  return {bitmap, count: 0};
}

/** A bitmap of `length` nulls. */
export function allNulls(length: number): Nulls {
  return {bitmap: new Uint8Array((length + 7) >>> 3), count: length};
}

function markNull(nulls: Nulls, index: number): void {
  nulls.bitmap[index >>> 3]! &= ~(1 << (index & 7));
  nulls.count += 1;
}

/** One batch of an Arrow column, from its buffers. */
export function arrowData(type: DataType, length: number, buffers: object, nulls = noNulls(0)): Data {
  const props = {type, length, nullCount: nulls.count, nullBitmap: nulls.bitmap, ...buffers};
  return makeData(props as Parameters<typeof makeData>[0]);
}

/** Packs bytes of 0 or 1 into bits, least significant bit first. */
function packBits(flags: Uint8Array): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array((flags.length + 7) >>> 3);
  for (let i = 0; i < flags.length; i++) {
    if (flags[i] !== 0) packed[i >>> 3]! |= 1 << (i & 7);
  }
  return packed;
}
