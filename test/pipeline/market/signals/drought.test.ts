import {expect, test} from "vitest";
import {usdm} from "../../../../pipeline/market/feeds/usdm.ts";
import {readText, reasonsOf, valuesOf} from "./read-text.ts";

const served = (change: object = {}) => ({
  mapDate: "2026-11-17T00:00:00",
  fips: "40017",
  county: "Canadian County",
  state: "OK",
  none: 20.5,
  d0: 79.5,
  d1: 40.25,
  d2: 10,
  d3: 0,
  d4: 0,
  validStart: "2026-11-17T00:00:00",
  validEnd: "2026-11-23T23:59:59",
  statisticFormatID: 1,
  ...change,
});
const shares = [
  "none_pct",
  "d0_pct",
  "d1_pct",
  "d2_pct",
  "d0_only_pct",
  "d1_only_pct",
  "d2_only_pct",
  "worst_class",
];

test("reads cumulative county shares as served, and derives the categorical ones", async () => {
  const read = await readText(usdm.read, "usdm/counties.json", [served()]);
  expect(valuesOf(read, "key", "area_type", "valid_from", "valid_to", ...shares)).toEqual([
    ["40017", "county", "2026-11-17", "2026-11-23", 20.5, 79.5, 40.25, 10, 39.25, 30.25, 10, "D2"],
  ]);
});

test("reads the same shares from a categorical CSV", async () => {
  const csv =
    "MapDate,FIPS,County,State,None,D0,D1,D2,D3,D4,ValidStart,ValidEnd,StatisticFormatID\n" +
    "20261117,40017,Canadian County,OK,20.50,39.25,30.25,10.00,0.00,0.00,2026-11-17,2026-11-23,2\n";
  const read = await readText(usdm.read, "usdm/counties.csv", csv);
  expect(valuesOf(read, "key", ...shares)).toEqual([
    ["40017", 20.5, 79.5, 40.25, 10, 39.25, 30.25, 10, "D2"],
  ]);
});

test("reads states and the nation, inferring the format from the shares if none is stated", async () => {
  const {fips: _fips, county: _county, state: _state, statisticFormatID: _format, ...rest} = served();
  const read = await readText(usdm.read, "usdm/states.json", [
    {...rest, stateAbbreviation: "OK"},
    {...rest, areaOfInterest: "Total", d0: 39.25, d1: 30.25},
  ]);
  expect(valuesOf(read, "area_type", "key", "d0_pct", "d1_pct")).toEqual([
    ["state", "OK", 79.5, 40.25],
    ["nation", "US", 79.5, 40.25],
  ]);
});

test("rejects square miles, shares that grow with the class, and invalid dates or areas", async () => {
  const read = await readText(usdm.read, "usdm/counties.json", [
    served({none: 190.2, d0: 705.3, d1: 200}),
    served({d1: 85}),
    served({mapDate: "date:now -2 days"}),
    served({fips: null, state: "Cimarron"}),
    served({d3: null}),
  ]);
  expect(reasonsOf(read)).toEqual([
    "shares_do_not_add",
    "shares_do_not_add",
    "bad_date",
    "unknown_area",
    "no_value",
  ]);
});

test("reads a long table of classes: merges a county's rows, and rejects a county that does not add up", async () => {
  const rows = [
    ["001", "None", 0.5],
    ["001", "D0", 0.3],
    ["001", "D1", 0.2],
    ["003", "D0", 1],
    ["005", "D0", 0.4],
  ].map(([county, name, share]) => `01,Alabama,${county},X,X County,2026-11-17,${name},${share}`);
  const header = "STATEFP,State,COUNTYFP,County,CountyLSAD,usdm_date,usdm_class,usdm_percent";
  const read = await readText(usdm.read, "usdm/long.csv", [header, ...rows].join("\n"));
  expect(valuesOf(read, "key", "none_pct", "d0_pct", "d1_pct", "worst_class")).toEqual([
    ["01001", 50, 50, 20, "D1"],
    ["01003", 0, 100, 0, "D0"],
  ]);
  expect([read.merged, reasonsOf(read)]).toEqual([2, ["shares_do_not_add"]]);
});

test("states which edition of Connecticut's counties a row uses", async () => {
  const read = await readText(usdm.read, "usdm/ct.json", [served({fips: "09001"}), served({fips: "09110"})]);
  expect(valuesOf(read, "county_vintage")).toEqual([["2020"], ["2022"]]);
});

test("rejects an unknown county, but knows those of other editions", async () => {
  const read = await readText(usdm.read, "usdm/odd.json", [
    served({fips: "40017"}),
    served({fips: "40018"}),
    served({fips: "99999"}),
    served({fips: "02063"}),
  ]);
  expect(valuesOf(read, "key")).toEqual([["40017"], ["02063"]]);
  expect(reasonsOf(read)).toEqual(["unknown_area", "unknown_area"]);
  const long =
    "STATEFP,COUNTYFP,usdm_date,usdm_class,usdm_percent\n40,018,2026-11-17,None,1\n40,017,2026-11-17,None,1\n";
  const table = await readText(usdm.read, "usdm/long.csv", long);
  expect([valuesOf(table, "key"), reasonsOf(table)]).toEqual([[["40017"]], ["unknown_area"]]);
});

test("rejects shares below 0 and above 100 that add up all the same", async () => {
  const odd = {none: -5, d0: 105, d1: 0, d2: 0, d3: 0, d4: 0, statisticFormatID: 1};
  const read = await readText(usdm.read, "usdm/odd.json", [served(odd)]);
  expect([valuesOf(read, "key"), reasonsOf(read)]).toEqual([[], ["shares_do_not_add"]]);
});

test("refuses a table whose columns were renamed, and says what came and what was expected", async () => {
  const renamed = "mapdate,FIPS,County,State,nothing,c0,c1\n20261117,40017,C,OK,1,2,3\n";
  await expect(readText(usdm.read, "usdm/x.csv", renamed)).rejects.toThrow(
    /usdm\/x\.csv: columns mapdate, FIPS.*expected MapDate, an area, None, D0 to D4/,
  );
});

test("loses only the row of one NUL byte, and takes a table full of them for another encoding", async () => {
  const header = "MapDate,FIPS,County,State,None,D0,D1,D2,D3,D4,ValidStart,ValidEnd,StatisticFormatID";
  const line = (fips: string, d0: string) =>
    `20261117,${fips},Canadian County,OK,20.50,${d0},30.25,10.00,0.00,0.00,2026-11-17,2026-11-23,2`;
  const csv = [
    header,
    line("40017", "39.25"),
    line("40019", "\u03a9\u0000\u00ff"),
    line("40021", "39.25"),
  ].join("\n");
  const read = await readText(usdm.read, "usdm/counties.csv", csv);
  expect(valuesOf(read, "key")).toEqual([["40017"], ["40021"]]);
  expect(Object.values(reasonsOf(read))).toHaveLength(1);
  const wide = Buffer.from(csv, "utf16le");
  await expect(readText(usdm.read, "usdm/counties.csv", wide)).rejects.toThrow(/unknown format/);
});
