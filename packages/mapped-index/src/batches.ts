import {FileFault} from "@open-cattle/safe-files";
import {type Data, type Field, RecordBatchReader, type Schema, type Vector} from "apache-arrow";
import {
  type BatchHead,
  type Block,
  batchData,
  batchHead,
  type ColumnPlace,
  columnPlaces,
} from "./batch-data.ts";
import {DamagedFileError, guardOf} from "./block-guard.ts";

/** An Arrow IPC file read in place: the buffers of its record batches are views of the file's buffer. */
export type Batches = {
  readonly rows: number;
  readonly fields: readonly Field[];
  readonly metadata: ReadonlyMap<string, string>;
  readonly locator: RowLocator;
  /**
   * The batches of a column. Throws a `FileFault` for an unknown column and for one that cannot be read in
   * place.
   */
  column(name: string): readonly Data[];
};

/** Maps rows to batches: a row is in batch `batchOf(row)`, at index `row - starts[batch]`. */
export type RowLocator = {readonly starts: readonly number[]; batchOf(row: number): number};

const magic = Buffer.from("ARROW1");

/**
 * Opens an Arrow IPC file without reading its values. Throws a `FileFault` that begins with `name` for any
 * other file.
 */
export function openBatches(buffer: ArrayBuffer, name = "Arrow file"): Batches {
  const {schema, dictionaries, heads, places} = parse(buffer, name);
  const {fields, metadata} = schema;
  const indexes = new Map(fields.map((field, i) => [field.name, i]));
  const source = {view: new DataView(buffer), dictionaries};
  return {
    rows: heads.reduce((sum, {rows}) => sum + rows, 0),
    fields,
    metadata,
    locator: rowLocator(heads.map(({rows}) => rows)),
    column(column) {
      const index = indexes.get(column);
      if (index === undefined) throw new FileFault(`${name}: no column "${column}".`);
      const place = places[index]!;
      for (const {nodes, body} of heads) guardOf(buffer)?.range(nodes, body);
      return inPlace(() => heads.map((head) => batchData(source, head, place)), {
        buffer,
        name: `${name}, column ${column}`,
      });
    },
  };
}

/**
 * Finds the batch by a shift when all but the last have the same power-of-two length, otherwise by binary
 * search.
 */
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

type Parsed = {
  schema: Schema;
  dictionaries: ReadonlyMap<number, Vector>;
  heads: readonly BatchHead[];
  places: readonly ColumnPlace[];
};

function parse(buffer: ArrayBuffer, name: string): Parsed {
  const bytes = Buffer.from(buffer);
  const head = bytes.subarray(0, magic.length);
  const tail = bytes.subarray(Math.max(bytes.length - magic.length, 0));
  if (!head.equals(magic) || !tail.equals(magic)) {
    throw new FileFault(`${name}: not a whole Arrow IPC file (${bytes.length} bytes).`);
  }
  try {
    const reader = RecordBatchReader.from(new Uint8Array(buffer)).open();
    const {schema, dictionaries} = reader;
    const blocks = [...((reader.footer?.recordBatches() ?? []) as Iterable<Block>)];
    checkOutsideBodies(buffer, blocks);
    const view = new DataView(buffer);
    const heads = Array.from(blocks, (block) => batchHead(view, block)).filter(({rows}) => rows > 0);
    if (heads.some(({isCompressed}) => isCompressed)) throw new TypeError("its batches are compressed");
    return {schema, dictionaries, heads, places: columnPlaces(schema.fields)};
  } catch (error) {
    if (error instanceof DamagedFileError) throw error;
    guardOf(buffer)?.range(0, buffer.byteLength);
    throw new FileFault(`${name}: cannot be read as an Arrow IPC file (${(error as Error).message}).`);
  }
}

/** Verifies everything outside the batch bodies: schema, dictionaries, batch metadata and footer. */
function checkOutsideBodies(buffer: ArrayBuffer, blocks: readonly Block[]): void {
  const guard = guardOf(buffer);
  if (guard === null) return;
  let from = 0;
  for (const {offset, metaDataLength, bodyLength} of blocks) {
    guard.range(from, offset + metaDataLength);
    from = offset + metaDataLength + bodyLength;
  }
  guard.range(from, buffer.byteLength);
}

type NamedBuffer = {buffer: ArrayBuffer; name: string};

/**
 * Reads batches and rejects a misaligned buffer, which the Arrow library would silently copy into private
 * memory.
 */
function inPlace(read: () => Data[], file: NamedBuffer): Data[] {
  try {
    const batches = read();
    for (const data of batches) checkInPlace(data, file);
    return batches;
  } catch (error) {
    if (error instanceof FileFault) throw error;
    throw new FileFault(`${file.name}: its buffers cannot be read in place (${(error as Error).message}).`);
  }
}

function checkInPlace(data: Data, file: NamedBuffer): void {
  const views = [data.values, data.valueOffsets, data.nullCount > 0 ? data.nullBitmap : undefined];
  for (const view of views as (ArrayBufferView | undefined)[]) {
    if (view === undefined || view.byteLength === 0 || view.buffer === file.buffer) continue;
    throw new FileFault(`${file.name}: its buffers cannot be read in place.`);
  }
  for (const child of data.children) checkInPlace(child, file);
}
