import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {geometryFromEsri} from "../src/esri-geometry.ts";
import type {Ring} from "../src/outline.ts";
import {isValidOutline, nestRings} from "../src/ring-nesting.ts";
import {box} from "./box.ts";

/** A box with a field of small holes. */
function withHoles(holes: number): number[][][] {
  const side = Math.ceil(Math.sqrt(holes));
  const field = Array.from({length: holes}, (_, i) => box((i % side) * 3, Math.floor(i / side) * 3, 1));
  return [box(-1, -1, side * 3 + 2), ...field];
}

/** Boxes in boxes, the largest first. */
const nested = (rings: number) => Array.from({length: rings}, (_, i) => box(i, i, 2 * (rings - i)));

/** A comb whose long teeth all overlap in their boxes. */
function comb(teeth: number): number[][][] {
  const tips = Array.from({length: teeth}, (_, i) => [
    [2 * i, i],
    [2 * i + 1, 10 * teeth + i],
  ]).flat();
  return [[...tips, [2 * teeth, -teeth], [-1, -teeth], tips[0]!]];
}

describe("the nesting of rings", () => {
  test("names the smallest ring around each ring, also for rings that touch at a point", () => {
    const rings = [box(0, 0, 10), box(1, 1, 4), box(2, 2, 1), box(5, 5, 2), box(20, 0, 1)];
    expect(nestRings(rings).around).toEqual([-1, 0, 1, 0, -1]);
  });

  test.each([
    ["two rings cross", [box(0, 0, 2), box(1, 1, 2)]],
    [
      "two rings cross through a vertex of both",
      [
        box(0, 0, 2),
        [
          [2, 2],
          [3, 3],
          [1, 2],
          [1, 1],
          [2, 2],
        ].reverse(),
      ],
    ],
    ["two rings share a stretch", [box(0, 0, 2), box(2, 0, 2)]],
    ["two rings are equal", [box(0, 0, 2), box(0, 0, 2)]],
    [
      "a ring touches itself",
      [
        [
          [0, 0],
          [4, 0],
          [4, 4],
          [2, 0],
          [0, 4],
          [0, 0],
        ],
      ],
    ],
  ])("is none when %s", (_, rings) => expect(nestRings(rings).around).toBeNull());

  test("is that of a point-by-point search for boxes that are apart or in each other", () => {
    const cell = fc.record({x: fc.nat(7), y: fc.nat(7), inset: fc.integer({min: 1, max: 3})});
    fc.assert(
      fc.property(
        fc.uniqueArray(cell, {maxLength: 40, selector: ({x, y, inset}) => `${x} ${y} ${inset}`}),
        (cells) => {
          const rings = cells.map(({x, y, inset}) => box(x * 10 + inset, y * 10 + inset, 10 - 2 * inset));
          const wanted = cells.map(({x, y, inset}) => {
            const outside = cells.filter((other) => other.x === x && other.y === y && other.inset < inset);
            const nearest = outside.sort((a, b) => b.inset - a.inset)[0];
            return nearest === undefined ? -1 : cells.indexOf(nearest);
          });
          expect(nestRings(rings).around).toEqual(wanted);
        },
      ),
    );
  });

  test.each<[string, (size: number) => Ring[]]>([
    ["a parcel with thousands of holes", withHoles],
    ["rings in rings", nested],
    ["a ring of long slanting teeth", comb],
  ])("costs n log n: %s", (_, outline) => {
    const cost = (size: number) => nestRings(outline(size)).comparisons;
    const [small, large] = [cost(1_000), cost(8_000)];
    // Eight times the edges: 8 * log(8n) / log(n) is about 10.5, and a square would be 64.
    expect(large / small).toBeLessThan(16);
  });
});

test("an outline with a hole on whose every vertex the outer ring is, or with parts that cross at vertices, is not valid", () => {
  const diamond = [
    [1, 0],
    [2, 1],
    [1, 2],
    [0, 1],
    [1, 0],
  ];
  expect(isValidOutline([[box(0, 0, 2), diamond]])).toBe(false);
  expect(isValidOutline([[box(0, 0, 2)], [diamond]])).toBe(false);
});

test("each of 9,000 holes goes to the outer ring around it, and those of crossing rings become parts", () => {
  const [shell, ...holes] = withHoles(9_000);
  const rows = Array.from({length: 200}, (_, i) => [-1 + i / 1000, -1.5 - (i % 2) / 10]);
  const outer = [...shell!.slice(0, 1), ...rows, ...shell!.slice(1)].reverse();
  expect(geometryFromEsri({rings: [outer, ...holes]})).toMatchObject({
    type: "Polygon",
    coordinates: {length: 9_001},
  });
  const crossed = [...outer.slice(0, -1), [20, 20], outer.at(-1)];
  expect(geometryFromEsri({rings: [crossed, ...holes]})).toMatchObject({type: "MultiPolygon"});
});
