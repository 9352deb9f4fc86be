import type {Position} from "geojson";
import {describe, expect, test} from "vitest";
import {geometryFromEsri} from "../src/esri-geometry.ts";
import {partsOfRings} from "../src/ring-parts.ts";
import {summarizeGeometry} from "../src/summarize.ts";
import {box as counterClockwise} from "./box.ts";

/** A rectangle, drawn clockwise as Esri draws outer rings. */
const box = (...size: Parameters<typeof counterClockwise>) => counterClockwise(...size).reverse();

/** The parts by the lengths of their rings' first sides. */
const shape = (rings: Position[][]) => partsOfRings(rings).map((part) => part.map((ring) => ring.length));
const acres = (rings: unknown[]) => summarizeGeometry(geometryFromEsri({rings}))!.acres!;

describe("the rings of an outline", () => {
  test("R06: a hole is told by where it lies, however it is drawn", () => {
    const outer = box(-99.7, 41.4, 0.004);
    const hole = box(-99.699, 41.401, 0.002);
    const turned = counterClockwise(-99.699, 41.401, 0.002);
    expect(acres([outer, hole])).toBeCloseTo(acres([outer, turned]), 6);
    expect(acres([outer, hole])).toBeCloseTo(acres([outer]) - acres([hole]), 4);
  });

  test("a ring in a hole is land again, and two rings beside each other are two parts", () => {
    expect(shape([box(0, 0, 10), box(1, 1, 8), box(2, 2, 6)])).toEqual([[5, 5], [5]]);
    expect(shape([box(0, 0, 10), box(20, 0, 10)])).toEqual([[5], [5]]);
  });

  test.each([
    ["at a corner", box(0, 0, 4)],
    ["along a side", box(0, 2, 4)],
    ["along two sides", box(0, 0, 10, 4)],
  ])("a hole that touches its outer ring %s is a hole", (_, hole) => {
    expect(partsOfRings([box(0, 0, 10), hole])).toEqual([[box(0, 0, 10), hole]]);
  });

  test("direction tells holes only where two rings cross", () => {
    expect(shape([box(0, 0, 10), box(8, 8, 4)])).toEqual([[5], [5]]);
    expect(partsOfRings([box(0, 0, 10), counterClockwise(5, 2, 6, 2)])).toHaveLength(1);
  });

  test("of two rings that cross, the larger is around the one drawn as a hole where that begins in it", () => {
    const crossing = [counterClockwise(5, 2, 6, 2), counterClockwise(2, 5, 2, 6)].map((ring) =>
      ring.slice(1),
    );
    for (const corners of crossing)
      for (const [at, [x, y]] of corners.entries()) {
        const begun = [...corners.slice(at), ...corners.slice(0, at + 1)];
        const parts = x! < 10 && y! < 10 ? [[5, 5]] : [[5], [5]];
        expect(shape([box(0, 0, 10), begun]), `from ${x}, ${y}`).toEqual(parts);
      }
  });

  test("one drawn as a hole alone is a part", () => {
    expect(shape([counterClockwise(0, 0, 10)])).toEqual([[5]]);
  });
});

describe("rings with curves", () => {
  test("R07: arcs and circles become chords", () => {
    const curved = [
      [-109.9, 31.9],
      [-109.9, 31.901],
      {a: [[-109.899, 31.901], [-109.8995, 31.901], 0, 1]},
      {
        c: [
          [-109.899, 31.9],
          [-109.8988, 31.9005],
        ],
      },
      [-109.9, 31.9],
    ];
    const summary = summarizeGeometry(geometryFromEsri({curveRings: [curved]}))!;
    expect(Math.abs(summary.acres! - 3.97)).toBeLessThan(0.02);
    expect(summary.pointMethod).toBe("centroid");
  });

  test("a circle of one arc has the area of a circle, in metres", () => {
    const ring = [[100, 0], {a: [[100, 0], [0, 0], 0, 1]}];
    const {coordinates} = geometryFromEsri({curveRings: [ring]}) as {coordinates: Position[][]};
    const [outer] = coordinates;
    const doubled = outer!
      .slice(1)
      .reduce((sum, [x, y], i) => sum + outer![i]![0]! * y! - x! * outer![i]![1]!, 0);
    expect(Math.abs(doubled) / 2).toBeGreaterThan(31_400);
    expect(Math.abs(doubled) / 2).toBeLessThan(31_416);
  });

  test.each([
    ["metres", [1_000, 500], 100, 1],
    ["degrees", [-99.7, 41.4], 100 / 111_195, 1 / 111_195],
  ] as const)("the chords of an arc leave it by at most 5 cm, in %s", (_, [x, y], radius, metre) => {
    const ring = [[x + radius, y], {a: [[x + radius, y], [x, y], 0, 1]}];
    const {coordinates} = geometryFromEsri({curveRings: [ring]}) as {coordinates: Position[][]};
    const [outer] = coordinates as [Position[]];
    const leave = outer.slice(1).map((to, i) => {
      const from = outer[i]!;
      return radius - Math.hypot((from[0]! + to[0]!) / 2 - x, (from[1]! + to[1]!) / 2 - y);
    });
    expect(Math.max(...leave) / metre).toBeLessThan(0.0501);
    expect(Math.max(...leave) / metre).toBeGreaterThan(0.04);
  });

  test("a Bézier curve bends, and a member of another kind is a straight line to its end", () => {
    const ring = (member: unknown) => [[0, 0], [0, 10], member, [10, 0], [0, 0]];
    const lengths = [
      {
        b: [
          [10, 10],
          [3, 15],
          [7, 15],
        ],
      },
      {z: [[10, 10], 5]},
    ].map((member) => {
      const {coordinates} = geometryFromEsri({curveRings: [ring(member)]}) as {coordinates: Position[][]};
      return coordinates[0]!.length;
    });
    expect(lengths).toEqual([68, 5]);
  });

  test.each<[what: string, member: unknown, partlyRead?: true]>([
    ["an arc about a centre", {a: [[10, 10], [5, 10], 0, 1]}],
    [
      "a circle through a point",
      {
        c: [
          [10, 10],
          [5, 13],
        ],
      },
    ],
    [
      "a Bézier curve",
      {
        b: [
          [10, 10],
          [3, 15],
          [7, 15],
        ],
      },
    ],
    ["a position", [10, 10]],
    [
      "a curve of another kind",
      {
        zz: [
          [10, 10],
          [5, 5],
        ],
      },
      true,
    ],
    ["an arc without a centre", {a: [[10, 10], null]}, true],
    ["a curve without an end", {c: 7}, true],
    ["a number", 7, true],
  ])("a ring with %s says whether it is read in part", (_, member, partlyRead) => {
    const ring = [[0, 0], [0, 10], member, [10, 0], [0, 0]];
    expect(summarizeGeometry(geometryFromEsri({curveRings: [ring]}))?.partlyRead).toBe(partlyRead);
  });
});
