import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {outlineFromWkb, outlineToWkb, polygonHolds, type Ring} from "../src/outline.ts";
import {repairOutline} from "../src/repair-outline.ts";
import {isValidOutline} from "../src/ring-nesting.ts";
import {geodesicArea, squareMetresPerAcre, summarizeGeometry} from "../src/summarize.ts";
import {box} from "./box.ts";

describe("geodesic area", () => {
  test("of a degree square agrees with the ellipsoid's closed form", () => {
    // Zone of WGS 84 between the parallels of 45 and 46 degrees: 8,651,847.26 km2 / 1,000 per 360 degrees of longitude, from
    // the same integral evaluated with Simpson's rule below.
    const simpson = zoneArea(45, 46);
    expect(geodesicArea([box(-100, 45, 1)])).toBeCloseTo(simpson, -2);
  });

  test("takes holes off and does not depend on the direction of a ring", () => {
    const whole = geodesicArea([box(-100, 40, 0.01)]);
    const hole = box(-99.996, 40.004, 0.002);
    const cut = geodesicArea([box(-100, 40, 0.01), hole]);
    expect(cut).toBeCloseTo(whole - geodesicArea([hole]), 6);
    expect(geodesicArea([[...box(-100, 40, 0.01)].reverse(), [...hole].reverse()])).toBeCloseTo(cut, 6);
  });

  test("of a quarter section is 160 acres within a thousandth", () => {
    // Half a mile of 1,609.344 m on each side at 41 degrees north, where a degree is 111,048.3 m of latitude and 84,137.2 m of longitude.
    const ring = box(-98, 41, 804.672 / 84_137.2, 804.672 / 111_048.3);
    expect(geodesicArea([ring]) / squareMetresPerAcre).toBeCloseTo(160, 0);
  });
});

/** Area of one degree of longitude between two parallels: the integral of the radii of curvature, by Simpson's rule. */
function zoneArea(south: number, north: number): number {
  const [a, e2] = [6_378_137, 0.0066943799901413165];
  const radians = Math.PI / 180;
  const density = (degrees: number) => {
    const sine = Math.sin(degrees * radians);
    return (a * a * (1 - e2) * Math.cos(degrees * radians)) / (1 - e2 * sine * sine) ** 2;
  };
  const steps = 200;
  const width = ((north - south) * radians) / steps;
  let sum = density(south) + density(north);
  for (let i = 1; i < steps; i++)
    sum += density(south + ((north - south) * i) / steps) * (i % 2 === 1 ? 4 : 2);
  return ((sum * width) / 3) * radians;
}

describe("the served point", () => {
  test("is the area-weighted centroid over all parts when one of them holds it", () => {
    const summary = summarizeGeometry({type: "Polygon", coordinates: [box(-100, 40, 0.02)]});
    expect(summary).toMatchObject({lon: -99.99, lat: 40.01, pointMethod: "centroid"});
  });

  test("of two far parts is inside the larger one", () => {
    const small = box(-100, 40, 0.01);
    const large = box(-99.9, 40, 0.02);
    const summary = summarizeGeometry({type: "MultiPolygon", coordinates: [[small], [large]]});
    expect(summary?.pointMethod).toBe("inside_point");
    expect(polygonHolds([large], summary!.lon, summary!.lat)).toBe(true);
  });

  test("of a ring with a hole in its middle is on the land", () => {
    const summary = summarizeGeometry({
      type: "Polygon",
      coordinates: [box(-100, 40, 0.03), box(-99.99, 40.01, 0.01)],
    });
    expect(summary?.pointMethod).toBe("inside_point");
    expect(polygonHolds([box(-99.99, 40.01, 0.01)], summary!.lon, summary!.lat)).toBe(false);
  });

  test("is inside any star-shaped outline, and in its extent", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({min: 0.2, max: 1, noNaN: true}), {minLength: 3, maxLength: 24}),
        (radii) => {
          const ring = radii.map((radius, i) => {
            const angle = (2 * Math.PI * i) / radii.length;
            return [-100 + 0.01 * radius * Math.cos(angle), 40 + 0.01 * radius * Math.sin(angle)];
          });
          const closed = [...ring, ring[0]!];
          const summary = summarizeGeometry({type: "Polygon", coordinates: [closed]})!;
          expect(polygonHolds([closed], summary.lon, summary.lat)).toBe(true);
          expect(summary.lon >= summary.xmin && summary.lon <= summary.xmax).toBe(true);
          expect(summary.lat >= summary.ymin && summary.lat <= summary.ymax).toBe(true);
        },
      ),
    );
  });

  test("of a point layer is that point with 7 decimals, its third coordinate dropped", () => {
    const summary = summarizeGeometry({type: "Point", coordinates: [-100.123456789, 40.987654321, 12]});
    expect(summary).toMatchObject({
      lon: -100.1234568,
      lat: 40.9876543,
      pointMethod: "source_point",
      wkb: null,
      acres: null,
    });
  });

  test("is projected before anything is measured", () => {
    const metres = box(1000, 2000, 500);
    const summary = summarizeGeometry({type: "Polygon", coordinates: [metres]}, (x, y) => [
      -100 + x / 1e5,
      40 + y / 1e5,
    ]);
    expect(summary).toMatchObject({lon: -99.9875, lat: 40.0225, xmin: -99.99, ymin: 40.02});
  });
});

describe("rings that count for nothing", () => {
  test("with fewer than four points, a NaN or no area are dropped", () => {
    const spike = [
      [-100, 40],
      [-99, 40],
      [-100, 40],
      [-100, 40],
    ];
    const broken = [...box(-100, 40, 0.01).slice(0, 4), [Number.NaN, 40]];
    expect(
      summarizeGeometry({type: "MultiPolygon", coordinates: [[spike], [broken], [box(-98, 40, 0.01)]]}),
    ).toMatchObject({xmin: -98});
    expect(summarizeGeometry({type: "Polygon", coordinates: [spike]})).toBeNull();
    expect(summarizeGeometry({type: "Polygon", coordinates: []})).toBeNull();
    expect(summarizeGeometry(null)).toBeNull();
  });
});

describe("an outline", () => {
  const bowTie = [
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ];

  test("that crosses itself is found out; holes and parts may touch at a point, but not cover each other", () => {
    const lopsided = bowTie.map(([x, y]) => [x!, y! + (x === 1 && y === 0 ? 0.4 : 0)]);
    const touching = [...box(0, 0, 2).slice(0, 4), [0, 1], [1, 1], [0, 1], [0, 0]];
    const eightInOne = [
      [0, 0],
      [1, 0],
      [1, 1],
      [2, 1],
      [2, 2],
      [1, 2],
      [1, 1],
      [0, 1],
      [0, 0],
    ];
    const hole = box(0.2, 0.2, 0.2);
    const cases: [number[][][][], boolean][] = [
      [[[bowTie]], false],
      [[[box(0, 0, 1)]], true],
      [[[touching]], false],
      [[[eightInOne]], false],
      [[[box(0, 0, 1), hole]], true],
      [[[box(0, 0, 1), box(3, 3, 1)]], false],
      [[[box(0, 0, 1), box(0.1, 0.1, 0.8), hole]], false],
      [[[box(0, 0, 1)], [box(1, 1, 1)]], true],
      [[[box(0, 0, 1)], [box(1, 0, 1)]], false],
      [[[box(0, 0, 1)], [hole]], false],
      [[[box(0, 0, 1), box(0.1, 0.1, 0.8)], [hole]], true],
    ];
    for (const [outline, valid] of cases)
      expect(isValidOutline(outline), JSON.stringify(outline)).toBe(valid);
    expect(summarizeGeometry({type: "Polygon", coordinates: [lopsided]})?.invalid).toBe(true);
  });

  test("that crosses itself is repaired to a valid one of the same land; nothing of one that has none", () => {
    expect(repairOutline([[bowTie]])).toHaveLength(2);
    const spike = [...box(0, 0, 4).slice(0, 3), [6, 4], [4, 4], [0, 4], [0, 0]];
    expect(repairOutline([[spike]])).toEqual([[expect.arrayContaining(box(0, 0, 4))]]);
    const twice = repairOutline([[box(0, 0, 2)], [box(1, 0, 2)]]);
    expect(twice).toHaveLength(1);
    const flat = [
      [0, 0],
      [2, 0],
      [1, 0],
      [0, 0],
    ];
    expect(repairOutline([[flat]])).toBeNull();
  });

  test("of any ring comes out valid or not at all", () => {
    const coordinate = fc.integer({min: 0, max: 30});
    const ring = fc.array(fc.tuple(coordinate, coordinate), {minLength: 3, maxLength: 12});
    fc.assert(
      fc.property(ring, (open) => {
        const repaired = repairOutline([[[...open, open[0]!]]]);
        expect(repaired === null || isValidOutline(repaired)).toBe(true);
      }),
    );
  });

  test("comes back from WKB as it went in", () => {
    const coordinate = fc.double({min: -180, max: 180, noNaN: true});
    const ring = fc.array(fc.tuple(coordinate, coordinate), {minLength: 4, maxLength: 9});
    fc.assert(
      fc.property(
        fc.array(fc.array(ring, {minLength: 1, maxLength: 3}), {minLength: 1, maxLength: 4}),
        (parts) => {
          const outline = parts as unknown as Ring[][];
          expect(outlineFromWkb(outlineToWkb(outline))).toEqual(outline);
        },
      ),
    );
  });
});
