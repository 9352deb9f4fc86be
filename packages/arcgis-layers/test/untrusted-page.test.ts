import {describe, expect, it} from "vitest";
import type {ArcgisFeature, ArcgisPage} from "../src/layer-reply.ts";
import {mayHaveMore, refusalOfPage, replyProjection, sortedFeatures} from "../src/untrusted-page.ts";
import {refusalOfOutlines} from "../src/untrusted-reply.ts";

const square = [
  [0, 0],
  [0, 1],
  [1, 1],
  [0, 0],
];
const feature = (attributes: Record<string, unknown>, geometry: unknown = null) =>
  ({attributes, geometry}) as ArcgisFeature;
const pageOf = (features: readonly ArcgisFeature[], changes: Partial<ArcgisPage> = {}): ArcgisPage =>
  ({kind: "page", features, spatialReference: null, exceededTransferLimit: false, ...changes}) as ArcgisPage;

describe("outlines of an answer", () => {
  const outlines = (...geometries: unknown[]) =>
    refusalOfOutlines({features: geometries.map((geometry) => ({geometry}))});
  const points = (count: number) => Array.from({length: count}, () => [0, 0]);
  const rings = (count: number) => Array.from({length: count}, () => [[0, 0]]);

  it("are refused with more than 100,000 positions in all, wherever they stand", () => {
    expect(outlines({rings: [points(100_000)]})).toBeNull();
    expect(outlines({rings: [points(100_001)]})).toBe("too many vertices");
    expect(outlines({rings: [points(50_000)]}, {rings: [points(50_001)]})).toBe("too many vertices");
    expect(outlines({type: "MultiPolygon", coordinates: [[points(50_000)], [points(50_001)]]})).toBe(
      "too many vertices",
    );
  });

  it("are refused with more than 500 rings in all", () => {
    expect(outlines({rings: rings(500)})).toBeNull();
    expect(outlines({rings: rings(501)})).toBe("too many rings");
    expect(outlines({rings: rings(250)}, {rings: rings(251)})).toBe("too many rings");
  });

  it("are none where the answer has no list of features, or these have no geometry", () => {
    for (const body of [null, undefined, {}, {features: {}}, {features: [null, 1, {}, {geometry: null}]}])
      expect(refusalOfOutlines(body)).toBeNull();
  });
});

describe("an answer", () => {
  it("is refused with more than a thousand features", () => {
    const many = (count: number) => pageOf(Array.from({length: count}, () => feature({})));
    expect([1_000, 1_001].map((count) => refusalOfPage(many(count)))).toEqual([null, "too many features"]);
  });

  it("is refused for a cell that is neither text nor number, unless nobody reads it", () => {
    const of = (attributes: Record<string, unknown>) =>
      refusalOfPage(pageOf([feature({}), feature(attributes)]));
    expect(of({A: 1, B: "x", C: null, constructor: {}})).toBeNull();
    for (const A of [true, {}, [], undefined]) expect(of({A})).toBe("a cell that is neither text nor number");
  });

  it("is refused with outlines in a system that is not known, and read without outlines", () => {
    const located = feature({}, {type: "Point", coordinates: [0, 0]});
    const refusal = (features: ArcgisFeature[], spatialReference: unknown) =>
      refusalOfPage(pageOf(features, {spatialReference} as Partial<ArcgisPage>));
    expect(refusal([feature({}), located], {wkid: 4326})).toBeNull();
    expect(refusal([feature({})], {wkid: 999_999})).toBeNull();
    for (const reference of [null, {wkid: 999_999}])
      expect(refusal([feature({}), located], reference)).toBe("in coordinates of an unknown system");
    expect(replyProjection(null)).toBeNull();
  });

  it("may have more where the server says so, or where it is full", () => {
    const more = (count: number, exceededTransferLimit: boolean) =>
      mayHaveMore(
        pageOf(
          Array.from({length: count}, () => feature({})),
          {exceededTransferLimit},
        ),
        2,
      );
    expect([more(1, false), more(2, false), more(3, false), more(0, true)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

describe("features", () => {
  const sorted = (...features: ArcgisFeature[]) => sortedFeatures(pageOf(features), {comparisons: []});

  it("are sound with a point or closed rings, and else without a place", () => {
    const open = square.slice(0, 3);
    const sound = [
      {type: "Point", coordinates: [0, 0]},
      {type: "MultiPoint", coordinates: [[0, 0]]},
      {type: "Polygon", coordinates: [square]},
      {type: "MultiPolygon", coordinates: [[square], [square]]},
    ];
    const unsound = [
      null,
      {type: "LineString", coordinates: open},
      {type: "Polygon", coordinates: [square, open]},
      {type: "Polygon", coordinates: [[]]},
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [1, 0],
          ],
        ],
      },
      {type: "MultiPolygon", coordinates: [[square], [open]]},
    ];
    const {
      sound: kept,
      placeless,
      unreadable,
    } = sorted(...[...sound, ...unsound].map((geometry, i) => feature({i}, geometry)));
    expect(kept.map(({geometry}) => geometry)).toEqual(sound);
    expect(placeless).toEqual(unsound.map((_, i) => ({attributes: {i: sound.length + i}, geometry: null})));
    expect(unreadable).toBe(0);
  });

  it("have texts in NFC, otherwise as they came; one too long or malformed cannot be read", () => {
    const {placeless, unreadable} = sorted(
      feature({A: "E\u0301LM\u0000\u0007ST", B: 1, prototype: "x"}),
      feature({A: "x".repeat(8_000)}),
      feature({A: "x".repeat(8_001)}),
      feature({A: "\ud800"}),
    );
    expect(placeless.map(({attributes}) => ({...attributes}))).toEqual([
      {A: "\u00c9LM\u0000\u0007ST", B: 1},
      {A: "x".repeat(8_000)},
    ]);
    expect(unreadable).toBe(2);
  });
});
