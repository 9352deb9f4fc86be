import {expect, test} from "vitest";
import {countyOfKey, printedCounty} from "../../../lib/geography/printed-county.ts";

/** The key of a printed county, the keys that it may mean between bars, or null. */
function keyOf(printed: string, state: string): string | null {
  const county = printedCounty(printed, state);
  if (county === null) return null;
  return "county" in county ? county.county.key : county.ambiguous.map(({key}) => key).join("|");
}

test.each([
  ["K01", "CT", "09190", "09190"],
  ["K01 by its number in the state", "CT", "190", "09190"],
  ["K01 by its name", "CT", "Western Connecticut Planning Region", "09190"],
  ["K01 without its kind", "CT", "GREATER BRIDGEPORT", "09120"],
  ["K02", "SD", "46113", "46102"],
  ["K02 by its old name", "SD", "Shannon County", "46102"],
  ["K03", "VA", "51515", "51019"],
  ["K03 by its old name", "VA", "BEDFORD CITY", "51019"],
  ["K04", "FL", "12025", "12086"],
  ["K05", "AK", "02270", "02158"],
  ["K06", "AK", "02063", "02063"],
  ["K06 of what was split", "AK", "02261", null],
  ["K07", "VA", "City of Richmond", "51760"],
  ["K07 behind the name", "VA", "RICHMOND CITY", "51760"],
  ["K07 of the county", "VA", "RICHMOND COUNTY", "51159"],
  ["K08", "VA", "Richmond", "51159|51760"],
  ["K08 of another", "VA", "FAIRFAX", "51059|51600"],
  ["K09", "VA", "King & Queen", "51097"],
  ["K10", "VA", "Isle of Wight Co", "51093"],
  ["K11", "VA", "Emporia (city)", "51595"],
  ["K12", "VA", "City of Fairfax", "51600"],
  ["K13", "VA", "James City County", "51095"],
  ["K13 without a suffix", "VA", "Charles City", "51036"],
  ["a leading zero that was lost", "CT", "9001", "09001"],
  ["another state's key", "VA", "09001", null],
  ["no county", "VA", "ATLANTIS", null],
])("%s: in %s %s is %s", (_, state, printed, key) => {
  expect(keyOf(printed, state)).toBe(key);
});

test("knows a county by a retired key, and none by one that was split", () => {
  expect(countyOfKey("46113")).toEqual({key: "46102", name: "Oglala Lakota", state: "SD"});
  expect(countyOfKey("09110")).toEqual({key: "09110", name: "Capitol", state: "CT"});
  expect(countyOfKey("02261")).toBeUndefined();
});
