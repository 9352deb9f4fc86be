import {expect, test} from "vitest";
import {countyOfKey, printedCounty} from "../../../lib/geography/printed-county.ts";
import {casesOf} from "../../cases-of.ts";

/** The key of a printed county, the keys that it may mean between bars, or null. */
function keyOf(printed: string, state: string): string | null {
  const county = printedCounty(printed, state);
  if (county === null) return null;
  return "county" in county ? county.county.key : county.ambiguous.map(({key}) => key).join("|");
}

test.each(casesOf<[string, string, string, string | null]>("printed-county.txt"))(
  "%s: in %s %s is %s",
  (_, state, printed, key) => {
    expect(keyOf(printed, state)).toBe(key);
  },
);

test("knows a county by a retired key, and none by one that was split", () => {
  expect(countyOfKey("46113")).toEqual({key: "46102", name: "Oglala Lakota", state: "SD"});
  expect(countyOfKey("09110")).toEqual({key: "09110", name: "Capitol", state: "CT"});
  expect(countyOfKey("02261")).toBeUndefined();
});
