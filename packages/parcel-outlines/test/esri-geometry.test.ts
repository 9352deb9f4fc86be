import {describe, expect, it} from "vitest";
import {geometryFromEsri} from "../src/esri-geometry.ts";

const square = (x: number, y: number, size: number) => [
  [x, y],
  [x, y + size],
  [x + size, y + size],
  [x + size, y],
  [x, y],
];

describe("geometryFromEsri", () => {
  it("gives a hole to the ring around it and keeps parts apart", () => {
    const hole = square(1, 1, 1).toReversed();
    expect(geometryFromEsri({rings: [square(0, 0, 4), hole, square(10, 0, 2)]})).toEqual({
      type: "MultiPolygon",
      coordinates: [[square(0, 0, 4), hole], [square(10, 0, 2)]],
    });
  });

  it("keeps an outline that was drawn the wrong way round", () => {
    expect(geometryFromEsri({rings: [square(0, 0, 4).toReversed()]})).toMatchObject({type: "Polygon"});
  });

  it("is null for no, empty and broken geometries", () => {
    for (const geometry of [null, undefined, {}, {rings: []}, {x: "NaN", y: "NaN"}, {rings: [[[0, 0]]]}]) {
      expect(geometryFromEsri(geometry)).toBeNull();
    }
  });
});
