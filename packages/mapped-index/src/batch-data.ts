import {Data, DataType, type Field, type Vector} from "apache-arrow";
import {Message} from "apache-arrow/fb/message";
import {RecordBatch} from "apache-arrow/fb/record-batch";
import {ByteBuffer} from "flatbuffers";

/** Byte positions in the file of a record batch's column metadata. */
export type BatchHead = {
  readonly rows: number;
  /** Position of the field nodes (16 bytes each: length and null count). */
  readonly nodes: number;
  /** Position of the buffer descriptors (16 bytes each: offset in the body and length). */
  readonly buffers: number;
  readonly body: number;
  readonly isCompressed: boolean;
};

/** The location of a message, from the file footer. */
export type Block = {readonly offset: number; readonly metaDataLength: number; readonly bodyLength: number};

const continuation = -1;
const regionBytes = 16;

/**
 * Locates a batch's metadata without parsing it: the Arrow library would parse that of a hundred columns in
 * every batch before the first is used. Throws when the bytes are not a record batch.
 */
export function batchHead(view: DataView, {offset, metaDataLength}: Block): BatchHead {
  const start = offset + (view.getInt32(offset, true) === continuation ? 8 : 4);
  const body = offset + metaDataLength;
  const bytes = new Uint8Array(view.buffer as ArrayBuffer, start, body - start);
  const batch = Message.getRootAsMessage(new ByteBuffer(bytes)).header(new RecordBatch()) as RecordBatch;
  return {
    rows: Number(batch.length()),
    nodes: start + (batch.nodes(0)?.bb_pos ?? 0),
    buffers: start + (batch.buffers(0)?.bb_pos ?? 0),
    body,
    isCompressed: batch.compression() !== null,
  };
}

/** Length and null count from a field node. */
function nodeAt(view: DataView, {nodes}: BatchHead, index: number): {length: number; nullCount: number} {
  const at = nodes + index * regionBytes;
  return {length: uint64At(view, at), nullCount: uint64At(view, at + 8)};
}

/** The bytes of a buffer as a view of the file. */
function bytesAt(view: DataView, {buffers, body}: BatchHead, index: number): Uint8Array {
  const at = buffers + index * regionBytes;
  return new Uint8Array(view.buffer as ArrayBuffer, body + uint64At(view, at), uint64At(view, at + 8));
}

/** A 64-bit integer; all offsets in our files are below 2^53. */
function uint64At(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}

/** The first field node and the first buffer of a column in each batch. */
export type ColumnPlace = {readonly type: DataType; readonly node: number; readonly buffer: number};

/** The bytes and dictionaries that columns are read from. */
type BatchSource = {
  readonly view: DataView;
  /** Dictionaries by id. */
  readonly dictionaries: ReadonlyMap<number, Vector>;
};

/** The places of consecutive columns. Throws a TypeError for a column type that our files do not use. */
export function columnPlaces(fields: readonly Field[], from = {node: 0, buffer: 0}): ColumnPlace[] {
  let {node, buffer} = from;
  return fields.map(({type}) => {
    const place = {type, node, buffer};
    const parts = partsOf(type);
    node += parts.nodes;
    buffer += parts.buffers;
    return place;
  });
}

/** The number of field nodes and buffers of a column; those of a list precede those of its items. */
function partsOf(type: DataType): {nodes: number; buffers: number} {
  if (isText(type)) return {nodes: 1, buffers: 3};
  if (isFixed(type)) return {nodes: 1, buffers: 2};
  if (!DataType.isList(type)) throw new TypeError(`columns of type ${type} are not supported`);
  const {nodes, buffers} = partsOf(type.valueType);
  return {nodes: nodes + 1, buffers: buffers + 2};
}

/** A column of one batch as views of the file. Throws a RangeError when its buffers are misaligned. */
export function batchData(source: BatchSource, head: BatchHead, {type, node, buffer}: ColumnPlace): Data {
  const {length, nullCount} = nodeAt(source.view, head, node);
  const part = (index: number) => bytesAt(source.view, head, buffer + index);
  const nulls = nullCount > 0 ? part(0) : new Uint8Array(0);
  if (DataType.isList(type)) {
    const child = batchData(source, head, {type: type.valueType, node: node + 1, buffer: buffer + 2});
    return new Data(type, 0, length, nullCount, [viewAs(Int32Array, part(1)), undefined, nulls], [child]);
  }
  if (isText(type))
    return new Data(type, 0, length, nullCount, [viewAs(Int32Array, part(1)), part(2), nulls]);
  const stored = DataType.isDictionary(type) ? type.indices : type;
  const values = viewAs(stored.ArrayType as ViewType, part(1));
  const dictionary = DataType.isDictionary(type) ? source.dictionaries.get(type.id) : undefined;
  return new Data(type, 0, length, nullCount, [undefined, values, nulls], [], dictionary);
}

type ViewType = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): ArrayBufferView;
};

function viewAs<View extends ViewType>(
  View: View,
  {buffer, byteOffset, byteLength}: Uint8Array,
): InstanceType<View> {
  const length = byteLength / View.BYTES_PER_ELEMENT;
  return new View(buffer as ArrayBuffer, byteOffset, length) as InstanceType<View>;
}

function isText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isBinary(type);
}

function isFixed(type: DataType): boolean {
  return (
    DataType.isInt(type) ||
    DataType.isFloat(type) ||
    DataType.isBool(type) ||
    DataType.isDate(type) ||
    DataType.isDictionary(type)
  );
}
