import fc from "fast-check";
import {describe, expect, it} from "vitest";
import {distanceMiles, nearbyMiles, nearbyMilesError} from "../src/distance.ts";

const latitude = fc.double({min: -89.9, max: 89.9, noNaN: true});
const longitude = fc.double({min: -180, max: 180, noNaN: true});

describe("miles without trigonometry", () => {
  it("differ from the great circle by less than their error, near and far", () => {
    const shift = fc.double({min: -1.2, max: 1.2, noNaN: true});
    fc.assert(
      fc.property(latitude, longitude, shift, shift, (lat, lon, north, east) => {
        const [from, to] = [
          {lat, lon},
          {lat: Math.max(-90, Math.min(90, lat + north)), lon: lon + east},
        ];
        const exact = distanceMiles(from, to);
        expect(Math.abs(nearbyMiles(from)(to.lat, to.lon) - exact)).toBeLessThanOrEqual(
          exact * nearbyMilesError + 1e-6,
        );
      }),
      {numRuns: 2000},
    );
  });

  it("are those of the great circle where one way, north or east, is long", () => {
    const from = {lat: 40, lon: -100};
    for (const [north, east] of [
      [3, 0],
      [0, 3],
      [30, 0],
      [0, 60],
      [-25, 40],
    ] as const) {
      const to = {lat: from.lat + north, lon: from.lon + east};
      expect(nearbyMiles(from)(to.lat, to.lon)).toBe(distanceMiles(from, to));
    }
  });

  it("are those of the great circle near a pole, however near the points are", () => {
    const [from, to] = [
      {lat: 89, lon: 10},
      {lat: 89.1, lon: 10.3},
    ];
    expect(nearbyMiles(from)(to.lat, to.lon)).toBe(distanceMiles(from, to));
  });

  it("are 0 at the point itself", () => {
    expect(nearbyMiles({lat: 30.35, lon: -97.73})(30.35, -97.73)).toBe(0);
  });
});
