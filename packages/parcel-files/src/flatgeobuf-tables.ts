import type {ByteBuffer} from "flatbuffers";
import type {Geometry, Position} from "geojson";
import type {Cells} from "./parcel-file.ts";
import type {StatedCrs} from "./source-crs.ts";

/** Width and reader of values by column type (`ColumnType`); null for text, which is length-prefixed. */
const numbers: readonly ([width: number, read: (view: DataView, at: number) => unknown] | null)[] = [
  [1, (view, at) => view.getInt8(at)],
  [1, (view, at) => view.getUint8(at)],
  [1, (view, at) => view.getUint8(at) !== 0],
  [2, (view, at) => view.getInt16(at, true)],
  [2, (view, at) => view.getUint16(at, true)],
  [4, (view, at) => view.getInt32(at, true)],
  [4, (view, at) => view.getUint32(at, true)],
  [8, (view, at) => view.getBigInt64(at, true)],
  [8, (view, at) => view.getBigUint64(at, true)],
  [4, (view, at) => Number(view.getFloat32(at, true).toPrecision(7))],
  [8, (view, at) => view.getFloat64(at, true)],
];
const binaryType = 14;

type FgbColumn = {readonly name: string; readonly type: number};

// Field offsets in the tables of header.fbs and feature.fbs (FlatGeobuf specification): 4 + 2 x field number.
const header = {geometryType: 8, columns: 18, features: 20, indexNodeSize: 22, crs: 24} as const;
const column = {name: 4, type: 6} as const;
const crs = {org: 4, code: 6, wkt: 12} as const;
const feature = {geometry: 4, properties: 6, columns: 8} as const;
const geometryTable = {ends: 4, xy: 6, type: 16, parts: 18} as const;

const geometryKind = {
  unknown: 0,
  point: 1,
  polygon: 3,
  multiPoint: 4,
  multiPolygon: 6,
  collection: 7,
  multiSurface: 12,
} as const;
const defaultNodeSize = 16;

export type FgbHeader = {
  /** Kind of all geometries; 0 if each geometry states its own. */
  readonly geometryType: number;
  readonly columns: readonly FgbColumn[];
  /** 0 if unknown to the writer. */
  readonly features: number;
  /** 0 if the file has no index. */
  readonly indexNodeSize: number;
  readonly crs: StatedCrs | null;
};

type FlatTable = {readonly bytes: ByteBuffer; readonly at: number};

/** Parses the header of a FlatGeobuf file, from the bytes after its length. Throws a RangeError if it is damaged. */
export function readHeader(bytes: ByteBuffer): FgbHeader {
  const table = root(bytes);
  const place = (field: number) => bytes.__offset(table.at, field);
  const type = place(header.geometryType);
  const count = place(header.features);
  const nodeSize = place(header.indexNodeSize);
  const system = place(header.crs);
  return {
    geometryType: type === 0 ? geometryKind.unknown : bytes.readUint8(table.at + type),
    columns: columnsOf(table, header.columns) ?? [],
    features: count === 0 ? 0 : Number(bytes.readUint64(table.at + count)),
    indexNodeSize: nodeSize === 0 ? defaultNodeSize : bytes.readUint16(table.at + nodeSize),
    crs: system === 0 ? null : crsOf(tableAt(bytes, bytes.__indirect(table.at + system))),
  };
}

/** Parses the wanted cells and the geometry of a feature, from the bytes after its length. Throws a RangeError if it is damaged. */
export function readFeature(
  bytes: ByteBuffer,
  known: FgbHeader,
  wantedColumns: ReadonlySet<string>,
): {cells: Cells; geometry: Geometry | null} {
  const table = root(bytes);
  const columns = columnsOf(table, feature.columns) ?? known.columns;
  const shape = bytes.__offset(table.at, feature.geometry);
  return {
    cells: cellsOf(vector(table, feature.properties, 1), columns, wantedColumns),
    geometry:
      shape === 0 ? null : geometryOf(tableAt(bytes, bytes.__indirect(table.at + shape)), known.geometryType),
  };
}

function root(bytes: ByteBuffer): FlatTable {
  return tableAt(bytes, bytes.readInt32(0));
}

/** Returns a table. Throws a RangeError if it or its vtable is out of bounds, because the library would return zeros there. */
function tableAt(bytes: ByteBuffer, at: number): FlatTable {
  const last = bytes.capacity() - 4;
  const fields = at < 0 || at > last ? -1 : at - bytes.readInt32(at);
  if (fields < 0 || fields > last) throw new RangeError(`a table at byte ${at} of ${bytes.capacity()}`);
  return {bytes, at};
}

function crsOf(table: FlatTable): StatedCrs {
  const code = table.bytes.__offset(table.at, crs.code);
  return {
    authority: text(table, crs.org),
    code: code === 0 ? null : table.bytes.readInt32(table.at + code),
    wkt: text(table, crs.wkt),
  };
}

function columnsOf(table: FlatTable, field: number): FgbColumn[] | null {
  const list = tables(table, field);
  if (list.length === 0) return null;
  return list.map((each) => {
    const type = each.bytes.__offset(each.at, column.type);
    return {name: text(each, column.name) ?? "", type: type === 0 ? 0 : each.bytes.readUint8(each.at + type)};
  });
}

/** Converts a geometry to two-dimensional GeoJSON; null for an empty one and for lines. */
function geometryOf(table: FlatTable, stated: number): Geometry | null {
  const own = table.bytes.__offset(table.at, geometryTable.type);
  const type = own === 0 || stated !== geometryKind.unknown ? stated : table.bytes.readUint8(table.at + own);
  const parts = tables(table, geometryTable.parts);
  if (type === geometryKind.multiPolygon || type === geometryKind.multiSurface) {
    return unlessEmpty("MultiPolygon", parts.map(ringsOf));
  }
  if (type === geometryKind.collection) {
    const members = parts
      .map((part) => geometryOf(part, geometryKind.unknown))
      .filter((member) => member !== null);
    return members.length === 0 ? null : {type: "GeometryCollection", geometries: members};
  }
  if (type === geometryKind.polygon) return unlessEmpty("Polygon", ringsOf(table));
  const points = type === geometryKind.point || type === geometryKind.multiPoint ? positionsOf(table) : [];
  return type === geometryKind.point && points.length > 0
    ? {type: "Point", coordinates: points[0]!}
    : unlessEmpty("MultiPoint", points);
}

function unlessEmpty<Type extends string, Member>(
  type: Type,
  coordinates: Member[],
): {type: Type; coordinates: Member[]} | null {
  return coordinates.length === 0 ? null : {type, coordinates};
}

/** Returns the rings of a polygon, split at the point counts in `ends`; without it all points form one ring. */
function ringsOf(table: FlatTable): Position[][] {
  const positions = positionsOf(table);
  const ends = vector(table, geometryTable.ends, 4);
  if (ends.byteLength === 0) return positions.length === 0 ? [] : [positions];
  const view = viewOf(ends);
  let start = 0;
  return Array.from({length: ends.byteLength / 4}, (_, ring) => {
    const end = view.getUint32(ring * 4, true);
    const own = positions.slice(start, end);
    start = end;
    return own;
  });
}

function positionsOf(table: FlatTable): Position[] {
  const xy = vector(table, geometryTable.xy, 8);
  const view = viewOf(xy);
  return Array.from({length: xy.byteLength / 16}, (_, i) => [
    view.getFloat64(i * 16, true),
    view.getFloat64(i * 16 + 8, true),
  ]);
}

function text({bytes, at}: FlatTable, field: number): string | null {
  const place = bytes.__offset(at, field);
  return place === 0 ? null : String(bytes.__string(at + place));
}

function tables(table: FlatTable, field: number): FlatTable[] {
  const {bytes} = table;
  const {start, count} = listAt(table, field, 4);
  return Array.from({length: count}, (_, i) => tableAt(bytes, bytes.__indirect(start + i * 4)));
}

/** Returns the bytes of a numeric vector. */
function vector(table: FlatTable, field: number, width: number): Uint8Array {
  const {start, count} = listAt(table, field, width);
  return table.bytes.bytes().subarray(start, start + count * width);
}

/** Returns where a list begins, after its length, and how many members it has: none if it is absent. Throws a RangeError if it is out of bounds. */
function listAt({bytes, at}: FlatTable, field: number, width: number): {start: number; count: number} {
  const place = bytes.__offset(at, field);
  if (place === 0) return {start: 0, count: 0};
  const start = bytes.__vector(at + place);
  const count = bytes.__vector_len(at + place);
  if (start < 4 || count < 0 || start + count * width > bytes.capacity())
    throw new RangeError(`a list of ${count} at byte ${start} of ${bytes.capacity()}`);
  return {start, count};
}

/**
 * Reads the wanted cells from a feature's properties, which are pairs of column number and value, without nulls. 64-bit integers keep all
 * digits. Throws a RangeError for damage.
 */
function cellsOf(
  properties: Uint8Array,
  columns: readonly FgbColumn[],
  wantedColumns: ReadonlySet<string>,
): Cells {
  const view = viewOf(properties);
  const cells: Record<string, unknown> = {};
  for (let at = 0; at < properties.byteLength; ) {
    const {name, type} = columns[view.getUint16(at, true)] ?? unknownColumn(at);
    at += 2;
    const number = numbers[type];
    if (number !== undefined && number !== null) {
      if (wantedColumns.has(name)) cells[name] = number[1](view, at);
      at += number[0];
      continue;
    }
    const length = view.getUint32(at, true);
    at += 4;
    if (at + length > properties.byteLength) throw new RangeError(`a text of ${length} bytes`);
    if (wantedColumns.has(name) && type !== binaryType)
      cells[name] = Buffer.from(properties.buffer, properties.byteOffset + at, length).toString("utf8");
    at += length;
  }
  return cells;
}

function unknownColumn(at: number): never {
  throw new RangeError(`a column that the header does not name, at byte ${at} of the properties`);
}

/** Returns a view of the same bytes. */
function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
