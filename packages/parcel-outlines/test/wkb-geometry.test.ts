import type {Geometry} from "geojson";
import {describe, expect, it} from "vitest";
import {geometryFromWkb} from "../src/wkb-geometry.ts";
import {box} from "./box.ts";
import {wkbOf} from "./write-wkb.ts";

const geometries: Geometry[] = [
  {type: "Point", coordinates: [-97.75, 30.25]},
  {type: "Polygon", coordinates: [box(-97.75, 30.25, 0.002), box(-97.7495, 30.2505, 0.0005).reverse()]},
  {type: "MultiPolygon", coordinates: [[box(-97.74, 30.25, 0.001)], [box(-97.73, 30.25, 0.003)]]},
];

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

  it("refuses a count without its bytes, and names a curve", () => {
    const damaged = wkbOf(geometries[1]!);
    damaged.writeUInt32LE(0xfffffff0, 9);
    expect(() => geometryFromWkb(damaged)).toThrow(/damaged WKB/);
    expect(() => geometryFromWkb(Buffer.from("010a00000000000000", "hex"))).toThrow(
      /WKB type 10: .*CONVERT_TO_LINEAR/,
    );
  });
});
