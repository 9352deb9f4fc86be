import {readNarrative} from "@open-cattle/usda-reports";
import {expect, test} from "vitest";
import {type ChangedCell, trendVsChange} from "../../../lib/market/trend-checks.ts";

const cell: ChangedCell = {
  commodity: "feeder_cattle",
  class: "steers",
  quality_grade: null,
  weight_bin: "750-799",
  price: 350,
  change: 0,
};
const side = {source: "mars", ref: "ams-1@2026-08-12"};

/** What contradicts a change; null if the comment says nothing of the cell. */
function against(comment: string, change: number, more: Partial<ChangedCell> = {}) {
  const {trend} = readNarrative({text: comment, notices: [], office: null}, "2026-09-01")!;
  const found = trendVsChange(trend, {...cell, change, ...more}, side);
  return found?.map(({kind, difference, tolerance}) => [kind, difference, tolerance]) ?? null;
}

test.each([
  // Another sign, more than 3 USD per cwt and 1 %.
  ["Compared to last week, steers sold 5.00 to 8.00 higher.", -4, [["trend_vs_change", -9, 3]]],
  ["Compared to last week, steers sold 5.00 to 8.00 higher.", -3.4, []],
  ["Compared to last week, steers sold 5.00 to 8.00 higher.", -2, []],
  ["Compared to last week, steers sold steady to 4.00 lower.", 6, [["trend_vs_change", 6, 3]]],
  // More than 10 USD outside of the range.
  ["Compared to last week, steers sold 5.00 to 8.00 higher.", 18, []],
  ["Compared to last week, steers sold 5.00 to 8.00 higher.", 18.5, [["trend_vs_change", 10.5, 10]]],
  ["Compared to last week, steers steady.", -11, [["trend_vs_change", -11, 10]]],
  ["Compared to last week, steers 10.00 lower to 8.00 higher.", -12, []],
])("%s against a change of %d", (comment, change, expected) => {
  expect(against(comment, change)).toEqual(expected);
});

test("V34: takes the narrowest statement on the cell, and none on others", () => {
  const comment = "Compared to last week, steers 5.00 higher, except 750 to 849 lbs 20.00 lower.";
  expect(against(comment, -20)).toEqual([]);
  expect(against(comment, -20, {weight_bin: "550-599"})).toHaveLength(1);
  expect(against(comment, -20, {weight_bin: "700-849"})).toHaveLength(1);
  expect(against(comment, -20, {class: "heifers"})).toBeNull();
  expect(against("Compared to last week, steer calves 5.00 higher.", -20)).toBeNull();
  expect(against("Compared to two weeks ago, steers 5.00 higher.", -20)).toBeNull();
  expect(against("Compared to last week, steers not well tested.", -20)).toBeNull();
  expect(against("Compared to last week, feeder steers 50.00 higher per head.", -20)).toBeNull();
  const calves = {commodity: "dairy_calves", class: "bulls", weight_bin: "250-299"};
  const ofUnit = (unit: string) =>
    `Compared to last week, feeder dairy bull calves under 400 lbs 50.00 lower${unit}.`;
  expect(["", " per head", " per cwt"].map((unit) => against(ofUnit(unit), 20, calves)?.length)).toEqual([
    ...[undefined, undefined, 1],
  ]);
  const bounded =
    "Compared to last week, feeder steers 600 to 900 lbs sold 3.00 to 10.00 higher with the exception of steers 750 to 849 lbs selling 5.00 to 7.00 lower.";
  expect(against(bounded, -6)).toEqual([]);
  expect(against(bounded, -6, {weight_bin: "650-699"})).toEqual([["trend_vs_change", -9, 3]]);
  const lean = {commodity: "slaughter_cattle", class: "cows", quality_grade: "lean", weight_bin: null};
  const cows = "Compared to last week, slaughter cows steady, except lean cows 12.00 lower.";
  expect(against(cows, -12, lean)).toEqual([]);
  expect(against(cows, -12, {...lean, quality_grade: "boner"})).toHaveLength(1);
});
