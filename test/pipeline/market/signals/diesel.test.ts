import {expect, test} from "vitest";
import {diesel, regions} from "../../../../pipeline/market/feeds/diesel.ts";
import {gathered, listFile, readText, reasonsOf, valuesOf} from "./read-text.ts";

const point = (change: object = {}) => ({
  period: "2026-11-16",
  duoarea: "R20",
  "area-name": "PADD 2",
  product: "EPD2D",
  "product-name": "No 2 Diesel",
  process: "PTE",
  series: "EMD_EPD2D_PTE_R20_DPG",
  value: "3.711",
  units: "$/GAL",
  ...change,
});

test("reads an answer of the EIA API, regions by their codes", async () => {
  const data = [point(), point({duoarea: "R1X"}), point({duoarea: "SCA"}), point({duoarea: "NUS"})];
  const body = {response: {total: "4", frequency: "weekly", data}, request: {}, apiVersion: "2.1.8"};
  const read = await readText(diesel.read, "diesel/eia.json", body);
  expect(valuesOf(read, "key", "area_type", "valid_from", "price_usd_per_gal")).toEqual([
    ["2", "padd", "2026-11-16", 3.711],
    ["1A", "padd", "2026-11-16", 3.711],
    ["CA", "state", "2026-11-16", 3.711],
    ["US", "nation", "2026-11-16", 3.711],
  ]);
});

test("reads series that were reduced to period and value", async () => {
  const body = {available: true, series: {gulf_coast: [{period: "2026-11-16", value: 3.4}], national: []}};
  const read = await readText(diesel.read, "diesel/reduced.json", body);
  expect(valuesOf(read, "key", "price_usd_per_gal")).toEqual([["3", 3.4]]);
});

test("rejects other products, units never seen, unknown regions, missing and impossible prices", async () => {
  const data = [
    point({product: "EPMR", "product-name": "Regular Gasoline"}),
    point({units: "CAD/L"}),
    point({duoarea: "R99", "area-name": "Moon"}),
    point({value: null}),
    point({value: "371.1"}),
    point({period: "next Monday"}),
  ];
  const read = await readText(diesel.read, "diesel/eia.json", {response: {data}});
  expect(reasonsOf(read)).toEqual([
    "not_diesel",
    "unknown_unit",
    "unknown_area",
    "no_value",
    "implausible_value",
    "bad_date",
  ]);
});

test("refuses an error body with the source's own message", async () => {
  const body = {error: {code: "API_KEY_INVALID", message: "An invalid api_key was supplied."}};
  await expect(readText(diesel.read, "diesel/eia.json", body)).rejects.toThrow(
    /An invalid api_key was supplied/,
  );
});

test("gives the change against the week before, also where a holiday moved the day, and null without it", async () => {
  const weeks = [
    ["2026-11-02", "3.5"],
    ["2026-11-09", "3.711"],
    ["2026-11-17", "3.7"],
    ["2026-12-07", "3.6"],
  ];
  const data = weeks.map(([period, value]) => point({period, value}));
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

test("reads the publisher's sheet of all weeks as CSV, and series that name their area alone", async () => {
  const csv = `Back to Contents,Data 1: Weekly Diesel Prices,,
Sourcekey,EMD_EPD2D_PTE_NUS_DPG,EMD_EPD2D_PTE_R20_DPG,EMD_EPD2D_PTE_SCA_DPG
Date,Weekly U.S. (Dollars per Gallon),Weekly Midwest (Dollars per Gallon),Weekly California (Dollars per Gallon)
"Aug 03, 2026",3.61,3.51,
"Aug 10, 2026",3.62,3.52,4.61
`;
  const sheet = await readText(diesel.read, "diesel/sheet.csv", csv);
  expect(valuesOf(sheet, "valid_from", "area", "price_usd_per_gal")).toEqual([
    ["2026-08-03", "US", 3.61],
    ["2026-08-03", "2", 3.51],
    ["2026-08-10", "US", 3.62],
    ["2026-08-10", "2", 3.52],
    ["2026-08-10", "CA", 4.61],
  ]);
  const data = ["EMD_EPD2D_PTE_R20_DPG", "PET.EMM_EPMR_PTE_R20_DPG.W"].map((series) => ({
    ...{period: "2026-08-10", series, value: "3.52", units: "$/GAL"},
  }));
  const answer = {response: {total: "6000", data}};
  const read = await readText(diesel.read, "diesel/series.json", answer);
  expect(valuesOf(read, "area")).toEqual([["2"]]);
  expect([reasonsOf(read), read.notes]).toEqual([["not_diesel"], {counted_rows_absent: 5998}]);
});
