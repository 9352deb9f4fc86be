import {expect, test} from "vitest";
import {geometryFromWkt} from "../src/text-geometry.ts";

test("reads points, polygons with holes and multipolygons, without further coordinates", () => {
  expect(geometryFromWkt("POINT (-98.5 40.25)")).toEqual({type: "Point", coordinates: [-98.5, 40.25]});
  expect(geometryFromWkt("SRID=4326;point z(1 2 3)")).toEqual({type: "Point", coordinates: [1, 2]});
  expect(geometryFromWkt("POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1,2 1,2 2,1 1))")).toEqual({
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 0],
      ],
      [
        [1, 1],
        [2, 1],
        [2, 2],
        [1, 1],
      ],
    ],
  });
  expect(geometryFromWkt("MULTIPOLYGON Z (((0 0 5, 1e0 0 5, 1 -1.5 5, 0 0 5)))")).toEqual({
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [0, 0],
          [1, 0],
          [1, -1.5],
          [0, 0],
        ],
      ],
    ],
  });
});

test("gives null for empty geometries, other kinds and text that is no WKT", () => {
  for (const text of [
    "",
    "POLYGON EMPTY",
    "LINESTRING (0 0, 1 1)",
    "POLYGON ((0 0, x",
    "POLYGON ((0 0, 1 1)",
    "12 OAK ST",
  ]) {
    expect(geometryFromWkt(text)).toBeNull();
  }
});
