import {type Data, type Field, type RecordBatch, RecordBatchReader, type Schema} from "apache-arrow";
import {messageOf, UserError} from "../errors.ts";

/** An Arrow IPC file that is read where it lies: record batches whose buffers are views of the file's buffer. */
export type Batches = {
  readonly rows: number;
  readonly fields: readonly Field[];
  readonly metadata: ReadonlyMap<string, string>;
  readonly locator: RowLocator;
  /** The batches of one column; throws `UserError` when there is no such column. */
  column(name: string): readonly Data[];
};

/** Where a row lies: batch `batchOf(row)`, index `row - starts[batch]` in it. */
export type RowLocator = {readonly starts: readonly number[]; batchOf(row: number): number};

const magic = Buffer.from("ARROW1");

/** Opens an Arrow IPC file without reading its values. `name` stands in messages. Throws `UserError` for anything else. */
export function openBatches(buffer: ArrayBuffer, name = "Arrow file"): Batches {
  const {schema, batches} = parse(buffer, name);
  const {fields, metadata} = schema;
  const indexes = new Map(fields.map((field, i) => [field.name, i]));
  return {
    rows: batches.reduce((sum, {numRows}) => sum + numRows, 0),
    fields,
    metadata,
    locator: rowLocator(batches.map(({numRows}) => numRows)),
    column(column) {
      const index = indexes.get(column);
      if (index === undefined) throw new UserError(`${name}: no column "${column}".`);
      return batches.map((batch) => columnOf(batch, index, {buffer, name: `${name}, column ${column}`}));
    },
  };
}

/** Finds batches by a shift where all but the last have one power of two as length, else by halving. */
export function rowLocator(lengths: readonly number[]): RowLocator {
  const starts: number[] = [];
  let rows = 0;
  for (const length of lengths) {
    starts.push(rows);
    rows += length;
  }
  const [first = 1] = lengths;
  const shift = lengths.length === 1 ? 31 : Math.log2(first);
  const even =
    Number.isInteger(shift) &&
    rows <= lengths.length * first &&
    starts.every((start, i) => start === i * first);
  return {starts, batchOf: even ? (row) => row >>> shift : (row) => lastAtMost(starts, row)};
}

function lastAtMost(starts: readonly number[], row: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

function parse(buffer: ArrayBuffer, name: string): {schema: Schema; batches: RecordBatch[]} {
  const bytes = Buffer.from(buffer);
  const head = bytes.subarray(0, magic.length);
  const tail = bytes.subarray(Math.max(bytes.length - magic.length, 0));
  if (!head.equals(magic) || !tail.equals(magic)) {
    throw new UserError(`${name}: not a whole Arrow IPC file (${bytes.length} bytes).`);
  }
  try {
    const reader = RecordBatchReader.from(new Uint8Array(buffer)).open();
    // Before the batches: reading to the end closes the reader and takes its schema away.
    const {schema} = reader;
    return {schema, batches: [...reader].filter(({numRows}) => numRows > 0)};
  } catch (error) {
    throw new UserError(`${name}: cannot be read as an Arrow IPC file (${messageOf(error)}).`);
  }
}

function columnOf(batch: RecordBatch, index: number, file: {buffer: ArrayBuffer; name: string}): Data {
  const data = batch.data.children[index];
  if (data === undefined) throw new UserError(`${file.name}: missing in a batch.`);
  checkInPlace(data, file);
  return data;
}

/** The library copies silently where a buffer is not aligned: that would fill private memory, so such a file is refused. */
function checkInPlace(data: Data, file: {buffer: ArrayBuffer; name: string}): void {
  const views = [data.values, data.valueOffsets, data.nullCount > 0 ? data.nullBitmap : undefined];
  for (const view of views as (ArrayBufferView | undefined)[]) {
    if (view === undefined || view.byteLength === 0 || view.buffer === file.buffer) continue;
    throw new UserError(`${file.name}: its buffers cannot be read in place.`);
  }
  if (data.offset !== 0) throw new UserError(`${file.name}: a sliced batch.`);
  for (const child of data.children) checkInPlace(child, file);
}
