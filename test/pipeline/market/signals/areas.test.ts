import {expect, test} from "vitest";
import {stateBox} from "../../../../lib/geography/county-box.ts";
import {
  countyCode,
  countyNamed,
  countyVintage,
  isCounty,
  isInState,
  stateOfCounty,
} from "../../../../pipeline/market/signals/areas.ts";

test.each([
  ["OK", "17", "40017"],
  ["OK", "017", "40017"],
  ["CA", "1", "06001"],
  ["OK", "0017", null],
  ["OK", "1a", null],
  ["OK", "", null],
  ["OK", null, null],
  ["XX", "17", null],
  [null, "17", null],
])("the code of state %s and digits %s is %s", (state, digits, expected) => {
  expect(countyCode(state, digits)).toBe(expected);
});

test.each([
  ["40017", true, "OK", null],
  ["02063", true, "AK", null],
  ["46113", true, "SD", null],
  ["09001", true, "CT", "2020"],
  ["09109", false, "CT", "2020"],
  ["09110", true, "CT", "2022"],
  ["09190", true, "CT", "2022"],
  ["40999", false, "OK", null],
  ["99001", false, null, null],
])("%s is a county: %s, of state %s, of the edition %s", (fips, isKnown, state, vintage) => {
  expect([isCounty(fips), stateOfCounty(fips), countyVintage(fips)]).toEqual([isKnown, state, vintage]);
});

test.each([
  ["Canadian", "OK", "40017"],
  ["CANADIAN COUNTY", "OK", "40017"],
  ["Canadian", "TX", null],
  ["Baltimore", "MD", null],
  [null, "OK", null],
  ["Canadian", null, null],
])("the county %s of %s is %s", (name, state, expected) => {
  expect(countyNamed(name, state)).toBe(expected);
});

test("a point is in a state up to a quarter of a degree beyond its box, on all four sides", () => {
  const {south, west, north, east} = stateBox("NE")!;
  const [lat, lon] = [(south + north) / 2, (west + east) / 2];
  const edges = (beyond: number) => [
    {lat: south - beyond, lon},
    {lat: north + beyond, lon},
    {lat, lon: west - beyond},
    {lat, lon: east + beyond},
  ];
  const areIn = (beyond: number) => edges(beyond).map((point) => isInState(point, "NE"));
  expect(areIn(0.249)).toEqual([true, true, true, true]);
  expect(areIn(0.251)).toEqual([false, false, false, false]);
});
