import {distanceMiles} from "@open-cattle/parcel-outlines";
import {describe, expect, it} from "vitest";
import {countyAt} from "../../../lib/geography/counties.ts";
import {countyBox} from "../../../lib/geography/county-box.ts";
import {isOfCounty, unreadRows} from "../../../server/cadastre/place-check.ts";

describe("the county of a place", () => {
  const county = "48041";
  const box = countyBox(county)!;
  const middle = {lat: (box.south + box.north) / 2, lon: (box.west + box.east) / 2};
  const of = (point: {lat: number; lon: number}, provesCounty = false) =>
    isOfCounty(point, {county, provesCounty});
  /** Degrees that are so many km on the ground. */
  const north = (km: number) => km / 111.2;
  const east = (km: number) => {
    const degree = distanceMiles(middle, {...middle, lon: middle.lon + 1}) * 1.609344;
    return km / degree;
  };

  it("is its extent and 1 km around it on each side", () => {
    for (const [km, wanted] of [
      [0.98, true],
      [1.02, false],
    ] as const) {
      expect(of({...middle, lat: box.north + north(km)})).toBe(wanted);
      expect(of({...middle, lat: box.south - north(km)})).toBe(wanted);
      expect(of({...middle, lon: box.east + east(km)})).toBe(wanted);
      expect(of({...middle, lon: box.west - east(km)})).toBe(wanted);
    }
    expect(isOfCounty(middle, {county: "99999", provesCounty: false})).toBe(false);
  });

  it("is its polygon where the place alone proves it", () => {
    const corners = [box.south, box.north].flatMap((lat) => [box.west, box.east].map((lon) => ({lat, lon})));
    for (const corner of [...corners, middle]) {
      expect(of(corner)).toBe(true);
      expect(of(corner, true)).toBe(countyAt(corner)?.fips === county);
    }
    expect(corners.some((corner) => !of(corner, true))).toBe(true);
  });

  it.each([
    ["09190", {lat: 41.05, lon: -73.54}, true],
    ["09170", {lat: 41.05, lon: -73.54}, false],
    ["02066", {lat: 62.1, lon: -145.5}, true],
    ["02063", {lat: 45, lon: -100}, false],
  ])("is that of its land for %s, a county newer than the polygons", (newer, point, wanted) => {
    for (const provesCounty of [true, false])
      expect(isOfCounty(point, {county: newer, provesCounty})).toBe(wanted);
  });

  it("leaves rows outside out where the place proves the county, and else has them among the unread", () => {
    const unread = [{isOutside: true}, {isOutside: false}] as unknown as Parameters<typeof unreadRows>[0];
    expect(unreadRows(unread, {county, provesCounty: true})).toEqual([unread[1]]);
    expect(unreadRows(unread, {county, provesCounty: false})).toEqual(unread);
  });
});
