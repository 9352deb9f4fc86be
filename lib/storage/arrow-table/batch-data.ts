import {Data, DataType, type Field, type Vector} from "apache-arrow";
import {type BatchHead, bytesAt, nodeAt} from "./batch-heads.ts";

/** The first field node and the first buffer of a column in each batch. */
export type ColumnPlace = {readonly type: DataType; readonly node: number; readonly buffer: number};

/** The bytes and dictionaries that columns are read from. */
type BatchSource = {
  readonly view: DataView;
  /** Dictionaries by their number. */
  readonly dictionaries: ReadonlyMap<number, Vector>;
};

/** The places of neighbouring columns. Throws a TypeError for a column type that none of our files has. */
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

/** The numbers of field nodes and buffers of a column; a list's own come before those of its items. */
function partsOf(type: DataType): {nodes: number; buffers: number} {
  if (isText(type)) return {nodes: 1, buffers: 3};
  if (isFixed(type)) return {nodes: 1, buffers: 2};
  if (!DataType.isList(type)) throw new TypeError(`columns of ${type} are not read`);
  const {nodes, buffers} = partsOf(type.valueType);
  return {nodes: nodes + 1, buffers: buffers + 2};
}

/** A column of one batch as views of the file. Throws a RangeError when its bytes are not aligned. */
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
