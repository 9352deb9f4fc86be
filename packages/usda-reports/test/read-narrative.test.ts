import {expect, test} from "vitest";
import {readNarrative} from "../src/read-narrative.ts";

const read = (text: string | null, notices: readonly string[] = []) =>
  readNarrative({text, notices, office: "Invented Dept of Ag Mrkt News"}, "2026-07-09");

test.each([
  ["Supply was moderate with good demand.", ["good", null], ["moderate", null]],
  ["Demand was moderate on a light to moderate supply.", ["moderate", null], ["light", "moderate"]],
  ["Supply and demand was moderate.", ["moderate", null], ["moderate", null]],
  ["Good demand for light to moderate supply.", ["good", null], ["light", "moderate"]],
  ["Demand overall for feeder cattle was good to very good.", ["good", "very_good"], [null, null]],
  ["There was good demand for the yearlings.", ["good", null], [null, null]],
  ["Packer demand good. Demand very good for slaughter cows.", [null, null], [null, null]],
  ["Demand remains strong for prairie hay.", [null, null], [null, null]],
])("reads demand and supply from: %s", (text, demand, supply) => {
  const said = read(text)!;
  expect([said.demand, said.demand_to]).toEqual(demand);
  expect([said.supply, said.supply_to]).toEqual(supply);
});

test("V34: reads the shares of the supply as printed", () => {
  const said = read(
    "Supply included: 94% Feeder Cattle (61% Steers, 38% Heifers, 1% Bulls); 6% Slaughter Cattle (82% Cows, 18% Dairy Cows). Feeder cattle supply over 600 lbs was 74%.",
  );
  expect(said?.supply_shares).toEqual({
    feeder_pct: 94,
    feeder: {steers_pct: 61, heifers_pct: 38, bulls_pct: 1},
    over_600_lb_pct: 74,
    slaughter_pct: 6,
    slaughter: {cows_pct: 82, dairy_cows_pct: 18},
    replacement_pct: null,
    replacement: null,
  });
});

test("reads words of quality, and what was tested", () => {
  const said = read("Quality was plain to attractive. Steers steady. Not enough heifers for a market test.");
  expect(said?.quality).toEqual(["plain", "attractive"]);
  expect(said?.market_test).toBe("partly");
  expect(read("No trades last week to establish a trend.")?.market_test).toBe("none");
  expect(read("A large crowd was on hand.")?.market_test).toBe("unstated");
});

test("reads notices: coming specials, days without a sale, the name of the sale itself", () => {
  const said = read("Steers steady.", [
    "Final Report",
    "Invented Yard will not have a sale next Thursday July 16th",
    "Harvest Special Sale, Saturday, July 25, 2026, estimated 5,500 head",
  ]);
  expect(said?.announced).toMatchObject([
    {date: "2026-07-16", kind: "no_sale", head: null},
    {date: "2026-07-25", kind: "special", head: 5500},
  ]);
  expect(said?.special_sale_name).toBeNull();
  expect(read(null, ["Harvest Special Feeder Sale"])).toMatchObject({
    special_sale_name: "Harvest Special Feeder Sale",
    text: "",
  });
});

test.each([null, "", "N/A", " "])("says nothing of a report without a comment: %j", (text) => {
  expect(read(text, ["Final Report", "Correction on 07/09/2026"])).toBeNull();
});
