import {distanceMiles, polygonHolds} from "@open-cattle/parcel-outlines";
import {expect, it} from "vitest";
import {
  counties,
  countiesNamed,
  countyAreas,
  countyAt,
  countyOf,
  internalPoint,
} from "../../../lib/geography/counties.ts";
import {stateOf} from "../../../lib/geography/states.ts";
import {timeZoneOf} from "../../../pipeline/market/reference/town-points.ts";

it("finds the county of a place, independent cities and boroughs among them", () => {
  const at = (lat: number, lon: number) => countyAt({lat, lon})?.fullName;
  expect(at(35.4676, -97.5164)).toBe("Oklahoma County");
  expect(at(38.627, -90.1994)).toBe("St. Louis city");
  expect(at(37.5407, -77.436)).toBe("Richmond city");
  expect(at(30.2241, -92.0198)).toBe("Lafayette Parish");
  expect(at(61.2181, -149.9003)).toBe("Anchorage Municipality");
  expect(at(30, -60)).toBeUndefined();
});

it("gives every county an internal point inside its own outline, but for one enclave smaller than the map's detail", () => {
  const outside = counties().filter((county) => countyAt(county.point)?.fips !== county.fips);
  expect(outside.map(({fullName}) => fullName)).toEqual(["Falls Church city"]);
});

it("agrees with a plain scan over every outline's point", () => {
  const pratt = countyOf("20151")!;
  const nearest = counties()
    .map((county) => ({county, miles: distanceMiles(pratt.point, county.point)}))
    .sort((a, b) => a.miles - b.miles)[0]!;
  expect(nearest.county.fips).toBe("20151");
});

it("finds counties by name in any case, with or without suffix, spaces and hyphens folded", () => {
  expect(countiesNamed("dekalb county", "AL").map(({fips}) => fips)).toEqual(["01049"]);
  expect(countiesNamed("De Kalb", "AL").map(({fips}) => fips)).toEqual(["01049"]);
  expect(countiesNamed("acadia").map(({fullName}) => fullName)).toEqual(["Acadia Parish"]);
  expect(countiesNamed("Saint Clair", "AL").map(({fips}) => fips)).toEqual(["01115"]);
  expect(countiesNamed("Washington").length).toBeGreaterThan(25);
  expect(countiesNamed("Nowhere")).toEqual([]);
});

it.each([
  // Total areas of the Census gazetteer, square miles: plain, far north, with an independent city in a hole (Roanoke).
  ["48143", 1_090],
  ["06071", 20_105],
  ["51161", 251],
  ["20151", 736],
])(
  "gives the area of county %s to two in a hundred, as its outline is drawn at 1:10 M",
  (fips, squareMiles) => {
    expect(Math.abs(countyAreas().get(fips)! / squareMiles - 1)).toBeLessThan(0.02);
  },
);

it("says which counties are of an older vintage", () => {
  expect(countyOf("09001")?.vintage).toBe("2020");
  expect(countyOf("20151")?.vintage).toBeNull();
  expect(countyOf("09110")).toBeUndefined();
});

it("keeps the internal point of a crescent inside it", () => {
  const crescent = [
    [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 8],
      [8, 8],
      [8, 2],
      [0, 2],
      [0, 0],
    ],
  ];
  const {lat, lon} = internalPoint([crescent]);
  expect(polygonHolds(crescent, lon, lat)).toBe(true);
});

it("knows time zones by state and county, and gives none for a county that a boundary divides", () => {
  const zone = (state: string, county: string | null) => timeZoneOf(state, county, stateOf(state)!.fips);
  expect(zone("KS", "20151")).toBe("America/Chicago");
  expect(zone("KS", "20181")).toBe("America/Denver");
  expect(zone("KS", null)).toBeNull();
  expect(zone("MT", null)).toBe("America/Denver");
  expect(zone("NE", "31031")).toBeNull();
});
