import type {Geometry, Polygon} from "geojson";
import {describe, expect, it} from "vitest";
import {geometryFromWkb} from "../src/wkb-geometry.ts";
import {box} from "./box.ts";
import {wkbOf} from "./write-wkb.ts";

const geometries: Geometry[] = [
  {type: "Point", coordinates: [-97.75, 30.25]},
  {type: "Polygon", coordinates: [box(-97.75, 30.25, 0.002), box(-97.7495, 30.2505, 0.0005).reverse()]},
  {type: "MultiPolygon", coordinates: [[box(-97.74, 30.25, 0.001)], [box(-97.73, 30.25, 0.003)]]},
];

/** WKB of a type with the bytes or numbers of its members behind their count. */
function counted(type: number, members: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(9);
  head[0] = 1;
  head.writeUInt32LE(type, 1);
  head.writeUInt32LE(members.length, 5);
  return Buffer.concat([head, ...members]);
}
const bytesOf = (position: readonly number[]) => Buffer.from(Float64Array.from(position).buffer);
const line = (...positions: number[][]) => counted(2, positions.map(bytesOf));
const arcs = (...positions: number[][]) => counted(8, positions.map(bytesOf));

/** Area of a polygon in the plane. */
function areaOf(wkb: Buffer): number {
  const geometry = geometryFromWkb(wkb);
  const parts =
    geometry?.type === "MultiPolygon" ? geometry.coordinates : [(geometry as Polygon).coordinates];
  const ring = parts[0]![0]!;
  return (
    Math.abs(
      ring.reduce(
        (sum, [x, y], i) => sum + x! * (ring.at(i - 1)![1]! - y!) - y! * (ring.at(i - 1)![0]! - x!),
        0,
      ),
    ) / 2
  );
}

describe("WKB", () => {
  it.each([{}, {big: true}, {z: true}, {big: true, z: true}])(
    "reads back what was written: %o",
    (options) => {
      for (const geometry of geometries) expect(geometryFromWkb(wkbOf(geometry, options))).toEqual(geometry);
    },
  );

  it("reads the extended form of PostGIS, with Z and SRID in the upper bits", () => {
    const point = wkbOf(geometries[0]!, {z: true});
    const head = Buffer.alloc(9);
    head[0] = 1;
    head.writeUInt32LE((0x80000000 | 0x20000000 | 1) >>> 0, 1);
    head.writeUInt32LE(4326, 5);
    expect(geometryFromWkb(Buffer.concat([head, point.subarray(5)]))).toEqual(geometries[0]);
  });

  it("is null for an empty point and for lines", () => {
    expect(geometryFromWkb(wkbOf({type: "Point", coordinates: [Number.NaN, Number.NaN]}))).toBeNull();
    expect(
      geometryFromWkb(
        Buffer.from(
          "01020000000200000000000000000000000000000000000000000000000000f03f000000000000f03f",
          "hex",
        ),
      ),
    ).toBeNull();
  });

  it("reads surfaces that consist of triangles or faces", () => {
    // The rings of a polygon have no head of their own.
    const triangle = counted(17, [line([0, 0], [1, 0], [0, 1], [0, 0]).subarray(5)]);
    for (const type of [15, 16])
      expect(geometryFromWkb(counted(type, [triangle, triangle]))).toMatchObject({type: "MultiPolygon"});
  });

  it("reads arcs as chords: a circle, and a ring of lines and arcs", () => {
    const [x, y, side] = [2_000_000, 600_000, 200];
    const circle = arcs([x, y], [x + side, y], [x, y]);
    expect(areaOf(counted(10, [circle]))).toBeCloseTo(Math.PI * (side / 2) ** 2, -2);
    const ring = counted(9, [
      line([x, y], [x, y + side], [x + side, y + side]),
      arcs([x + side, y + side], [x + 1.5 * side, y + side / 2], [x + side, y]),
      line([x + side, y], [x, y]),
    ]);
    const expected = side ** 2 + (Math.PI / 2) * (side / 2) ** 2;
    expect(areaOf(counted(10, [ring]))).toBeCloseTo(expected, -2);
    expect(areaOf(counted(12, [counted(10, [ring])]))).toBeCloseTo(expected, -2);
    expect(geometryFromWkb(counted(11, [circle]))).toBeNull();
  });

  it("reads a ring of several lines with each corner once", () => {
    const [a, b, c, d] = [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ] as const;
    const ring = counted(9, [line([...a], [...b]), line([...b], [...c], [...d]), line([...d], [...a])]);
    expect(geometryFromWkb(counted(10, [ring]))).toEqual({type: "Polygon", coordinates: [[a, b, c, d, a]]});
  });

  it("refuses a count without its bytes, and an unknown type", () => {
    const damaged = wkbOf(geometries[1]!);
    damaged.writeUInt32LE(0xfffffff0, 9);
    expect(() => geometryFromWkb(damaged)).toThrow(/damaged WKB/);
    expect(() => geometryFromWkb(Buffer.from("016300000000000000", "hex"))).toThrow(/unknown WKB type 99/);
  });
});
