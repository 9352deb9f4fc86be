import {outlineFromWkb} from "@open-cattle/parcel-outlines";
import {fillWhole, type NewFile} from "@open-cattle/safe-files";
import {Builder} from "flatbuffers";
import {UserError} from "../../../lib/errors.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {cellSql, hilbertSql} from "../../parcels/order.ts";
import {
  countExported,
  type ExportRequest,
  type Layer,
  type LayerName,
  layerOf,
  type ValueType,
} from "./export-layers.ts";
import {type Box, noBox, nodeSize, PackedTree} from "./packed-tree.ts";

/** `fgb`, major version 3, `fgb` and a patch version (flatgeobuf.org, specification). */
const magic = Buffer.from([0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0]);

const kinds = {unknown: 0, point: 1, polygon: 3, multiPolygon: 6} as const;
const layerKinds: Readonly<Record<LayerName, number>> = {parcels: kinds.point, boundaries: kinds.unknown};
/** `ColumnType` of header.fbs. */
const columnTypes: Readonly<Record<ValueType, number>> = {
  BOOLEAN: 2,
  INTEGER: 5,
  DOUBLE: 10,
  TEXT: 11,
  DATE: 13,
};
/** Field numbers in the tables of header.fbs and feature.fbs, and the field count of each table. */
const header = {
  fields: 14,
  name: 0,
  envelope: 1,
  type: 2,
  columns: 7,
  features: 8,
  nodeSize: 9,
  crs: 10,
} as const;
const column = {fields: 11, name: 0, type: 1} as const;
const crs = {fields: 6, org: 0, code: 1} as const;
const feature = {fields: 3, geometry: 0, properties: 1} as const;
const geometry = {fields: 8, ends: 0, xy: 1, type: 6, parts: 7} as const;

type Place = readonly number[];

/**
 * Writes one layer of a state as FlatGeobuf in WGS 84 with its spatial index, and returns the number of features. Features are streamed
 * along the state's Hilbert curve; the index takes 43 bytes of memory per feature. Throws a `UserError` if the file cannot be written, and
 * for the outlines of a state without any.
 */
export async function exportFlatGeobuf(db: Database, request: ExportRequest): Promise<number> {
  const {state, path, layer: name, hasOutlines} = request;
  await countExported(db, request);
  if (name === "boundaries" && !hasOutlines) throw noOutlines(state);
  const layer = layerOf(name, state);
  const [counted] = await db.rows<{n: number}>(`SELECT count(*)::INTEGER AS n FROM (${layer.sql})`);
  if (counted!.n === 0) throw noOutlines(state);
  await fillWhole(path, (file) => fill(file, db, {layer, state, features: counted!.n}));
  return counted!.n;
}

function noOutlines(state: string): UserError {
  return new UserError(`${state}: the build has no outlines of this state.`);
}

/** Writes the features first, after the header and tree, whose lengths are known in advance. */
async function fill(
  file: NewFile,
  db: Database,
  {layer, state, features}: {layer: Layer; state: string; features: number},
): Promise<void> {
  const tree = new PackedTree(features);
  const before = magic.length + headerBytes(layer, {features, box: noBox}).length + tree.byteLength;
  let written = 0;
  for await (const rows of (await db.stream(alongCurve(layer, state))).batches) {
    const made = rows.map(([wkb, ...values]) => featureBytes(layer, wkb as Uint8Array | null, values));
    let at = written;
    for (const {bytes, box} of made) {
      tree.add(box, at);
      at += bytes.length;
    }
    await file.write(Buffer.concat(made.map(({bytes}) => bytes)), before + written);
    written = at;
  }
  const {bytes, box} = tree.finish();
  const head = Buffer.concat([magic, headerBytes(layer, {features, box}), bytes]);
  await file.write(head, 0);
}

/** SQL for a layer's rows in curve order, which keeps the boxes of the index small. */
function alongCurve({sql, columns}: Layer, state: string): string {
  const grid = `SELECT *, ${cellSql("lon", state)} AS x, ${cellSql("lat", state)} AS y FROM (${sql}) u`;
  const names = columns.map(([name]) => `"${name}"`).join(", ");
  return `SELECT wkb, ${names} FROM (${hilbertSql(grid)}) ORDER BY d, county_key, parcel_uid`;
}

/** Returns the length-prefixed header, whose size does not depend on the box. */
export function headerBytes({name, columns}: Layer, {features, box}: {features: number; box: Box}): Buffer {
  const builder = new Builder(4096);
  const listed = columns.map(([title, type]) => {
    const text = builder.createString(title);
    builder.startObject(column.fields);
    builder.addFieldOffset(column.name, text, 0);
    builder.addFieldInt8(column.type, columnTypes[type], 0);
    return builder.endObject();
  });
  const columnList = offsets(builder, listed);
  const org = builder.createString("EPSG");
  builder.startObject(crs.fields);
  builder.addFieldOffset(crs.org, org, 0);
  builder.addFieldInt32(crs.code, 4326, 0);
  const system = builder.endObject();
  const envelope = doubles(builder, box);
  const title = builder.createString(name);
  builder.startObject(header.fields);
  builder.addFieldOffset(header.name, title, 0);
  builder.addFieldOffset(header.envelope, envelope, 0);
  builder.addFieldInt8(header.type, layerKinds[name], 0);
  builder.addFieldOffset(header.columns, columnList, 0);
  builder.addFieldInt64(header.features, BigInt(features), 0n);
  builder.addFieldInt16(header.nodeSize, nodeSize, 16);
  builder.addFieldOffset(header.crs, system, 0);
  builder.finishSizePrefixed(builder.endObject());
  return Buffer.from(builder.asUint8Array());
}

/** Returns a length-prefixed feature and its box (`noBox` without geometry). `wkb` is little-endian. */
function featureBytes(
  {columns}: Layer,
  wkb: Uint8Array | null,
  values: readonly unknown[],
): {bytes: Buffer; box: Box} {
  const builder = new Builder(1024);
  const shape =
    wkb === null ? null : addGeometry(builder, Buffer.from(wkb.buffer, wkb.byteOffset, wkb.length));
  const properties = builder.createByteVector(
    Buffer.concat(
      columns.flatMap(([, type], i) => (values[i] === null ? [] : [property(i, type, values[i])])),
    ),
  );
  builder.startObject(feature.fields);
  if (shape !== null) builder.addFieldOffset(feature.geometry, shape.offset, 0);
  builder.addFieldOffset(feature.properties, properties, 0);
  builder.finishSizePrefixed(builder.endObject());
  return {bytes: Buffer.from(builder.asUint8Array()), box: shape?.box ?? noBox};
}

/** Encodes a property: column number, then value. */
function property(number: number, type: ValueType, value: unknown): Buffer {
  if (type === "DOUBLE") {
    const bytes = Buffer.alloc(10);
    bytes.writeDoubleLE(Number(value), bytes.writeUInt16LE(number));
    return bytes;
  }
  if (type === "INTEGER") {
    const bytes = Buffer.alloc(6);
    bytes.writeInt32LE(Number(value), bytes.writeUInt16LE(number));
    return bytes;
  }
  if (type === "BOOLEAN") return Buffer.from([number & 255, number >> 8, Number(value)]);
  const text = Buffer.from(String(value));
  const head = Buffer.alloc(6);
  head.writeUInt32LE(text.length, head.writeUInt16LE(number));
  return Buffer.concat([head, text]);
}

function addGeometry(builder: Builder, wkb: Buffer): {offset: number; box: Box} {
  if (wkb.readUInt32LE(1) === kinds.point) {
    const [x, y] = [wkb.readDoubleLE(5), wkb.readDoubleLE(13)];
    return {offset: addShape(builder, kinds.point, [[[x, y]]]), box: [x, y, x, y]};
  }
  const parts = outlineFromWkb(wkb);
  return {offset: addOutline(builder, parts), box: boxOf(parts.flat(2))};
}

function addOutline(builder: Builder, parts: readonly (readonly (readonly Place[])[])[]): number {
  const [only] = parts;
  if (parts.length === 1) return addShape(builder, kinds.polygon, only!);
  const list = offsets(
    builder,
    parts.map((rings) => addShape(builder, kinds.polygon, rings)),
  );
  builder.startObject(geometry.fields);
  builder.addFieldInt8(geometry.type, kinds.multiPolygon, 0);
  builder.addFieldOffset(geometry.parts, list, 0);
  return builder.endObject();
}

/** Adds points in rings. `ends` has the cumulative point count per ring and is omitted for a single ring. */
function addShape(builder: Builder, type: number, rings: readonly (readonly Place[])[]): number {
  const xy = doubles(
    builder,
    rings.flatMap((ring) => ring.flatMap(([x, y]) => [x!, y!])),
  );
  let points = 0;
  const ends = rings.map((ring) => {
    points += ring.length;
    return points;
  });
  const endList = ends.length < 2 ? 0 : counts(builder, ends);
  builder.startObject(geometry.fields);
  builder.addFieldOffset(geometry.ends, endList, 0);
  builder.addFieldOffset(geometry.xy, xy, 0);
  builder.addFieldInt8(geometry.type, type, 0);
  return builder.endObject();
}

function boxOf(places: readonly Place[]): Box {
  let [xmin, ymin, xmax, ymax] = noBox;
  for (const [x, y] of places) {
    xmin = Math.min(xmin, x!);
    ymin = Math.min(ymin, y!);
    xmax = Math.max(xmax, x!);
    ymax = Math.max(ymax, y!);
  }
  return [xmin, ymin, xmax, ymax];
}

// FlatBuffers vectors are built from the end.

function offsets(builder: Builder, values: readonly number[]): number {
  builder.startVector(4, values.length, 4);
  for (const value of values.toReversed()) builder.addOffset(value);
  return builder.endVector();
}

function doubles(builder: Builder, values: readonly number[]): number {
  builder.startVector(8, values.length, 8);
  for (const value of values.toReversed()) builder.addFloat64(value);
  return builder.endVector();
}

function counts(builder: Builder, values: readonly number[]): number {
  builder.startVector(4, values.length, 4);
  for (const value of values.toReversed()) builder.addInt32(value);
  return builder.endVector();
}
