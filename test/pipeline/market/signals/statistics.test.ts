import {expect, test} from "vitest";
import {nass} from "../../../../pipeline/market/feeds/nass.ts";
import {readText, reasonsOf, valuesOf} from "./read-text.ts";

const row = (change: object = {}) => ({
  source_desc: "SURVEY",
  commodity_desc: "CATTLE",
  short_desc: "CATTLE, COWS, BEEF - INVENTORY",
  domain_desc: "TOTAL",
  domaincat_desc: "NOT SPECIFIED",
  agg_level_desc: "COUNTY",
  state_alpha: "OK",
  state_fips_code: "40",
  county_ansi: "017",
  county_code: "017",
  county_name: "CANADIAN",
  year: "2026",
  reference_period_desc: "FIRST OF JAN",
  unit_desc: "HEAD",
  load_time: "2026-05-08 12:00:00.000",
  Value: "38,500",
  "CV (%)": "4.1",
  ...change,
});
const shown = ["area_type", "area", "valid_from", "value", "unit", "suppression", "source_date"];

test("reads county cattle of the API: commas in numbers, dates of reference and publication", async () => {
  const read = await readText(nass.read, "nass/cattle.json", {data: [row()]});
  expect(valuesOf(read, "signal", ...shown)).toEqual([
    ["inventory", "county", "40017", "2026-01-01", 38500, "head", null, "2026-05-08"],
  ]);
});

test("dates a stock at the end of a month on its last day", async () => {
  const ends = ["END OF DEC", "END OF FEB", "FIRST OF DEC"].map((period) =>
    row({reference_period_desc: period, year: "2024"}),
  );
  const read = await readText(nass.read, "nass/stocks.json", ends);
  expect(valuesOf(read, "valid_from")).toEqual([["2024-12-31"], ["2024-02-29"], ["2024-12-01"]]);
});

test("keeps a withheld value as null with its code, never 0, and other counties as a group", async () => {
  const read = await readText(nass.read, "nass/cattle.json", [
    row({Value: "                 (D)"}),
    row({county_ansi: "", county_code: "998", county_name: "OTHER COUNTIES", Value: "1,000"}),
    row({Value: "several"}),
    row({commodity_desc: "HOGS", short_desc: "HOGS - INVENTORY"}),
  ]);
  expect(valuesOf(read, ...shown.slice(0, 6))).toEqual([
    ["county", "40017", "2026-01-01", null, "head", "D"],
    ["county_group", "40998", "2026-01-01", 1000, "head", null],
  ]);
  expect([read.notes, reasonsOf(read)]).toEqual([
    {suppressed: 1, other_counties: 1},
    ["bad_value", "not_cattle_or_feed"],
  ]);
});

test("rejects a year long after the load date, but accepts a forecast of the next year", async () => {
  const read = await readText(nass.read, "nass/years.json", [
    row(),
    row({year: "2027"}),
    row({year: "2126"}),
  ]);
  expect(valuesOf(read, "valid_from")).toEqual([["2026-01-01"], ["2027-01-01"]]);
  expect(reasonsOf(read)).toEqual(["bad_date"]);
});

test("reads the same row from the API's CSV and XML", async () => {
  const names = Object.keys(row());
  const csv = `${names.map((name) => `"${name}"`).join(",")}\n${Object.values(row())
    .map((value) => `"${value}"`)
    .join(",")}\n`;
  const items = Object.entries(row()).map(([key, value]) => `<item key="${key}">${value}</item>`);
  const xml = `<?xml version="1.0"?>\n<!DOCTYPE perldata [\n <!ELEMENT scalar (#PCDATA)>\n]>\n<perldata><arrayref><item key="0"><hashref>${items.join("")}</hashref></item></arrayref></perldata>`;
  const [fromCsv, fromXml] = [
    await readText(nass.read, "nass/c.csv", csv),
    await readText(nass.read, "nass/c.xml", xml),
  ];
  expect(valuesOf(fromCsv, "key", ...shown)).toEqual(valuesOf(fromXml, "key", ...shown));
  expect(valuesOf(fromXml, ...shown)).toEqual([
    ["county", "40017", "2026-01-01", 38500, "head", null, "2026-05-08"],
  ]);
});

test("reads the web export: byte-order mark, other headers, states by name", async () => {
  const csv =
    '\uFEFF"Program","Year","Period","Week Ending","Geo Level","State","State ANSI","Ag District","Ag District Code","County","County ANSI","Zip Code","Region","watershed_code","Watershed","Commodity","Data Item","Domain","Domain Category","Value","CV (%)"\n' +
    '"SURVEY","2026","FIRST OF JAN","","STATE","NEBRASKA","31","","","","","","","00000000","","CATTLE","CATTLE, INCL CALVES - INVENTORY","TOTAL","NOT SPECIFIED","6,050,000",""\n' +
    '"SURVEY","2026","FIRST OF JUL","","NATIONAL","US TOTAL","","","","","","","","00000000","","CATTLE","CATTLE, INCL CALVES - INVENTORY","TOTAL","NOT SPECIFIED","94,200,000",""\n';
  const read = await readText(nass.read, "nass/web.csv", csv);
  expect(valuesOf(read, "area_type", "area", "valid_from", "value", "unit")).toEqual([
    ["state", "NE", "2026-01-01", 6_050_000, "head"],
    ["nation", "US", "2026-07-01", 94_200_000, "head"],
  ]);
});

test("refuses the API's error bodies with their message, and a table with renamed columns", async () => {
  const failed = readText(nass.read, "nass/e.json", {error: ["exceeds limit=50000"]});
  await expect(failed).rejects.toThrow(/nass\/e\.json: the source reported an error: exceeds limit=50000/);
  const renamed = readText(nass.read, "nass/r.json", {data: [{item: "CATTLE", jahr: 2026, wert: 1}]});
  await expect(renamed).rejects.toThrow(/members item, jahr, wert; expected short_desc/);
});

test("gives a statistic the first and last day of its period: a day, month, months, year, or week by its end", async () => {
  const periods = ["FIRST OF NOV", "END OF OCT", "OCT", "JAN THRU MAR", "YEAR", "MARKETING YEAR", "MID OCT"];
  const rows = periods.map((period) => row({reference_period_desc: period}));
  const week = row({reference_period_desc: "WEEK #45", week_ending: "2026-11-07"});
  const read = await readText(nass.read, "nass/periods.json", [...rows, week]);
  expect(valuesOf(read, "valid_from", "valid_to")).toEqual([
    ["2026-11-01", "2026-11-01"],
    ["2026-10-31", "2026-10-31"],
    ["2026-10-01", "2026-10-31"],
    ["2026-01-01", "2026-03-31"],
    ["2026-01-01", "2026-12-31"],
    ["2026-01-01", null],
    ["2026-10-01", null],
    ["2026-11-01", "2026-11-07"],
  ]);
});
