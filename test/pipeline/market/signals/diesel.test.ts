import {expect, test} from "vitest";
import {diesel, regions} from "../../../../pipeline/market/feeds/diesel.ts";
import {gathered, listFile, readText} from "./read-text.ts";

test("gives the change against the week before, also where a holiday moved the day, and null without it", async () => {
  const weeks = [
    ["2026-11-02", "3.5"],
    ["2026-11-09", "3.711"],
    ["2026-11-17", "3.7"],
    ["2026-12-07", "3.6"],
  ];
  const fuel = {duoarea: "R20", product: "EPD2D", units: "$/GAL"};
  const data = weeks.map(([period, value]) => ({...fuel, period, value}));
  const reading = await readText(diesel.read, "diesel/eia.json", data);
  const {rows} = await gathered(
    diesel,
    "diesel",
    [{file: listFile("diesel/eia.json"), reading}],
    "2026-12-31",
  );
  expect(rows.map((made) => made["change_week_usd_per_gal"])).toEqual([null, 0.211, -0.011, null]);
});

test("gives each state its own region, its sub-region, then its district", () => {
  const regionsOf = (state: string) =>
    regions.filter(({states}) => states.includes(state)).map(({region}) => region);
  expect(["TX", "VT", "CA", "OR"].map(regionsOf)).toEqual([["3"], ["1A", "1"], ["CA", "5"], ["5X", "5"]]);
});
