import {Builder} from "flatbuffers";
import type {Geometry, Position} from "geojson";
import {columns, type SampleRow} from "./sample-rows.ts";

const kinds: Record<string, number> = {Point: 1, Polygon: 3, MultiPolygon: 6};
const [long, double, text] = [7, 10, 11];
const columnType = {
  parcel_no: text,
  owner: text,
  address: text,
  acreage: double,
  account: long,
  use_code: text,
};
const magic = Buffer.from([0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0]);

/** A FlatGeobuf file per its specification. With `index`, zero bytes take the place of the tree, which readers skip. */
export function flatgeobufOf(
  rows: readonly SampleRow[],
  {code = 4326, index = false, features = rows.length} = {},
): Buffer {
  const tree = Buffer.alloc(index ? (rows.length + 1) * 40 : 0);
  return Buffer.concat([magic, headerOf(code, features, index), tree, ...rows.map(featureOf)]);
}

function headerOf(code: number, features: number, index: boolean): Buffer {
  const builder = new Builder();
  const made = columns.map((name) => {
    const offset = builder.createString(name);
    builder.startObject(11);
    builder.addFieldOffset(0, offset, 0);
    builder.addFieldInt8(1, columnType[name], 0);
    return builder.endObject();
  });
  const list = offsets(builder, made);
  builder.startObject(6);
  if (code !== 0) builder.addFieldInt32(1, code, 0);
  const crs = builder.endObject();
  builder.startObject(14);
  builder.addFieldOffset(7, list, 0);
  builder.addFieldInt64(8, BigInt(features), 0n);
  builder.addFieldInt16(9, index ? 16 : 0, 16);
  builder.addFieldOffset(10, crs, 0);
  builder.finishSizePrefixed(builder.endObject());
  return Buffer.from(builder.asUint8Array());
}

function featureOf(row: SampleRow): Buffer {
  const builder = new Builder();
  const geometry = row.geometry === null ? 0 : geometryOf(builder, row.geometry);
  const bytes = Buffer.concat(
    columns.flatMap((column, i) => (row[column] === null ? [] : [property(i, row[column]!)])),
  );
  const properties = builder.createByteVector(bytes);
  builder.startObject(3);
  if (geometry !== 0) builder.addFieldOffset(0, geometry, 0);
  builder.addFieldOffset(1, properties, 0);
  builder.finishSizePrefixed(builder.endObject());
  return Buffer.from(builder.asUint8Array());
}

function property(column: number, value: string | number | bigint): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16LE(column);
  const body = Buffer.alloc(8);
  if (typeof value === "number") body.writeDoubleLE(value);
  if (typeof value === "bigint") body.writeBigInt64LE(value);
  if (typeof value !== "string") return Buffer.concat([head, body]);
  const bytes = Buffer.from(value);
  body.writeUInt32LE(bytes.length);
  return Buffer.concat([head, body.subarray(0, 4), bytes]);
}

function geometryOf(builder: Builder, geometry: Geometry): number {
  if (geometry.type === "MultiPolygon") {
    const parts = geometry.coordinates.map((coordinates) =>
      geometryOf(builder, {type: "Polygon", coordinates}),
    );
    const list = offsets(builder, parts);
    builder.startObject(8);
    builder.addFieldInt8(6, kinds.MultiPolygon!, 0);
    builder.addFieldOffset(7, list, 0);
    return builder.endObject();
  }
  const rings = geometry.type === "Polygon" ? geometry.coordinates : [];
  const xy = doubles(builder, rings.flat());
  // The ends may be omitted for a single ring.
  const ends =
    rings.length < 2
      ? 0
      : uints(
          builder,
          rings.map((_, i) => rings.slice(0, i + 1).flat().length),
        );
  builder.startObject(8);
  if (ends !== 0) builder.addFieldOffset(0, ends, 0);
  builder.addFieldOffset(1, xy, 0);
  builder.addFieldInt8(6, kinds[geometry.type]!, 0);
  return builder.endObject();
}

function offsets(builder: Builder, made: readonly number[]): number {
  builder.startVector(4, made.length, 4);
  for (const offset of made.toReversed()) builder.addOffset(offset);
  return builder.endVector();
}

function doubles(builder: Builder, positions: readonly Position[]): number {
  builder.startVector(8, positions.length * 2, 8);
  for (const [x, y] of positions.toReversed()) {
    builder.addFloat64(y!);
    builder.addFloat64(x!);
  }
  return builder.endVector();
}

function uints(builder: Builder, values: readonly number[]): number {
  builder.startVector(4, values.length, 4);
  for (const value of values.toReversed()) builder.addInt32(value);
  return builder.endVector();
}
