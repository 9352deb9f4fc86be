import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {mapFile, openArrowTable} from "@open-cattle/mapped-index";
import {expect, test} from "vitest";
import {writeArrowRows} from "../../../lib/storage/arrow-file/write.ts";
import {marketServing, type ServedFile} from "../../../schemas/market-serving.ts";
import {type PenArea, SalePens} from "../../../server/tables/area-pens.ts";
import {
  barnTable,
  countyTable,
  dealerTable,
  directoryTable,
  latestTable,
  type MappedTable,
  stateTable,
} from "../../../server/tables/record-tables.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {type Row, servedColumn} from "./market-fixture.ts";

/** A serving file of a build with these rows; what they do not say is null. */
async function written(name: ServedFile, rows: readonly Row[]): Promise<MappedTable> {
  const path = join(temporaryFolder(), `${name}.arrow`);
  await writeArrowRows({path, columns: marketServing[name].columns.map(servedColumn), rows});
  return {table: openArrowTable(mapFile(path).buffer, path), path};
}

const sale = {
  report_scope: "venue",
  report_end_date: "2026-11-18",
  state: "OK",
  venue_id: "ok-a",
  cell_id: "a",
};
const trade = {...sale, report_scope: "direct", state: null, venue_id: null, region: "East"};
const barn = {state: "OK", county_fips: "40017", city: "Elm", venue_name: "Barn", venue_id: "b"};
const dealers = (state: string, total: number | null) => ({
  state,
  record: JSON.stringify({total_entities: total}),
});

/** Rows in the order of answers. Each comes after the one before by one column, which all later columns contradict. */
test.each<[string, (table: MappedTable) => {keys: readonly {row: number}[]}, ServedFile, Row[]]>([
  [
    "county prices by state and county, what matters first",
    countyTable,
    "county_prices",
    [
      {state: "KS", county_fips: "40209", importance: 12},
      {state: "OK", county_fips: "40017", importance: 11},
      {state: "OK", county_fips: "40109", importance: 9},
      {state: "OK", county_fips: "40109", importance: 10},
    ],
  ],
  [
    "state prices by state, what matters first",
    stateTable,
    "state_prices",
    [
      {state: "KS", importance: 11},
      {state: "OK", importance: 9},
      {state: "OK", importance: 10},
    ],
  ],
  [
    "latest sales of venues newest first, by state, venue, cell and place in the issue, and then trades by region",
    latestTable,
    "latest_prices",
    [
      {...sale, report_end_date: "2026-11-19", state: "TX"},
      {...sale, state: "KS", venue_id: "z"},
      {...sale, cell_id: "z"},
      {...sale, venue_id: "ok-b", row_ordinal: 11},
      {...sale, venue_id: "ok-b", cell_id: "b", row_ordinal: 9},
      {...sale, venue_id: "ok-b", cell_id: "b", row_ordinal: 10},
      {...trade, report_end_date: "2026-11-20", region: "West"},
      {...trade, cell_id: "z", row_ordinal: 9},
      {...trade, region: "North"},
    ],
  ],
  [
    "barns by state, county and venue, those of no known county last",
    barnTable,
    "barns",
    [
      {...barn, state: "KS", county_fips: "40999"},
      {...barn, venue_id: "z"},
      {...barn, county_fips: "40109"},
      {...barn, county_fips: "40109", venue_id: "c"},
      {...barn, county_fips: null, venue_id: "a"},
    ],
  ],
  [
    "the directory by state, town, name and venue",
    directoryTable,
    "barns",
    [
      {...barn, state: "KS", city: "Yew"},
      {...barn, venue_name: "Yard"},
      {...barn, city: "Oak", venue_id: "y"},
      {...barn, city: "Oak", venue_name: "Sale Barn"},
      {...barn, city: "Oak", venue_name: "Sale Barn", venue_id: "c"},
    ],
  ],
  ["dealer lists by state", dealerTable, "dealers", [dealers("KS", 2), dealers("OK", 1)]],
])("orders %s", async (_, open, name, rows) => {
  const {keys} = open(await written(name, rows.toReversed()));
  expect(keys.map(({row}) => row)).toEqual(rows.map((_, i) => i).toReversed());
});

test("rows of equal rank keep the order of the file", async () => {
  const {keys} = stateTable(
    await written(
      "state_prices",
      Array.from({length: 20}, () => ({state: "OK", importance: 1})),
    ),
  );
  expect(keys.map(({row}) => row)).toEqual(Array.from({length: 20}, (_, i) => i));
});

const kind = {state: "OK", cell_id: "c", commodity: "feeder_cattle", class: "steers", importance: 3};
const kindKey = {
  state: "OK",
  cellId: "c",
  commodity: "feeder_cattle",
  class: "steers",
  importance: 3,
  row: 0,
};

test("a county's key says whether it was observed, and where and when", async () => {
  const all = {
    ...kind,
    headline: true,
    observed: true,
    bin_low_lb: 500,
    county_fips: "40017",
    lat: 35.5,
    lon: -98,
  };
  const {keys} = countyTable(
    await written("county_prices", [
      {...all, last_sale_date: "2026-11-18"},
      {...kind, county_fips: "40999", lat: 35.5},
    ]),
  );
  expect(keys).toEqual([
    {
      ...{...kindKey, headline: true, observed: true, binLow: 500, countyFips: "40017"},
      ...{point: {lat: 35.5, lon: -98}, lastSaleDate: "2026-11-18"},
    },
    {
      ...{...kindKey, headline: false, observed: false, binLow: null, countyFips: "40999"},
      ...{point: null, lastSaleDate: null, row: 1},
    },
  ]);
});

test("a state's key has the week and report of an official summary, a sale's its place, a list's its number", async () => {
  const official = {week_end_date: "2026-11-20", report_slug: "ams-1", last_sale_date: "2026-11-19"};
  expect(stateTable(await written("state_prices", [{...kind, ...official}])).keys).toEqual([
    {
      ...{...kindKey, headline: false, binLow: null},
      ...{weekEndDate: "2026-11-20", reportSlug: "ams-1", lastSaleDate: "2026-11-19"},
    },
  ]);
  const rows = [{...sale, row_ordinal: 2, lat: 1, lon: 2}, trade];
  expect(latestTable(await written("latest_prices", rows)).keys).toMatchObject([
    {
      isTrade: false,
      region: "",
      reportEndDate: "2026-11-18",
      venueId: "ok-a",
      ordinal: 2,
      point: {lat: 1, lon: 2},
    },
    {isTrade: true, region: "East", state: "", venueId: "", ordinal: 0, point: null},
  ]);
  expect(dealerTable(await written("dealers", [dealers("KS", 2), dealers("OK", null)])).keys).toEqual([
    {state: "KS", total: 2, row: 0},
    {state: "OK", total: null, row: 1},
  ]);
});

test("a venue has its record of /barns, and its flat one of the directory", async () => {
  const known = {
    county_name: "Canadian County",
    status: "closed",
    lat: 1,
    last_reported_sale_date: "2026-11-18",
  };
  const key = {
    countyFips: "40017",
    countyName: "Canadian County",
    venueName: "Barn",
    aliases: [],
    status: "closed",
  };
  const of = (name: string) => ({[`${name}_record`]: `{"of":"${name}"}`});
  const table = await written("barns", [
    {...barn, ...known, evidence_id: "e1", directory_evidence_id: "e2", ...of("barn"), ...of("directory")},
  ]);
  expect(barnTable(table).keys).toMatchObject([{...key, point: null, lastSaleDate: "2026-11-18"}]);
  const shown = [barnTable(table), directoryTable(table)].map((each) => [each.record(0), each.evidenceId(0)]);
  expect(shown).toEqual([
    ['{"of":"barn"}', "e1"],
    ['{"of":"directory"}', "e2"],
  ]);
});

test.each([
  ["record", '{"of":"a county"}'],
  ["evidenceId", "pc-ok-1"],
] as const)(
  "B11: a wrong byte in the %s of a row is told, and that of no other row",
  async (member, text) => {
    const rows = ["KS", "OK"].map((state) => ({...kind, state, evidence_id: "e", record: "{}"}));
    Object.assign(rows[1]!, {evidence_id: "pc-ok-1", record: '{"of":"a county"}'});
    const file = await written("county_prices", rows);
    const table = countyTable(file);
    table[member](1);
    const bytes = readFileSync(file.path);
    bytes[bytes.indexOf(text)]! ^= 1;
    writeFileSync(file.path, bytes, {flag: "r+"});
    expect(() => table[member](1)).toThrow("county_prices.arrow: row 1 is damaged");
    expect(() => table[member](0)).not.toThrow();
  },
);

test("pens are read with the sale and the miles of their venue, for the venues of an area", async () => {
  const pens = JSON.stringify([["1", 550, 400.5, 12]]);
  const sold = {state: "KS", venue_id: "ks-a", class: "steers", report_scope: "venue", age_days: 3, pens};
  const place = {lat: 37.7, lon: -100, county_fips: "20057", report_end_date: "2026-11-18"};
  const file = await written("sale_pens", [
    {...sold, ...place, report_scope: "state_summary", venue_id: null},
    {...sold, ...place},
    {...sold, ...place, class: "heifers"},
    {...sold, ...place, class: "heifers", venue_id: "ks-empty", pens: "[]"},
    {...sold, report_end_date: "2026-11-18", venue_id: "ks-nowhere"},
    {...sold, ...place, state: "OK", venue_id: "ok-b", lat: 36.5, county_fips: "40017"},
  ]);
  const table = new SalePens(file);
  expect(table.sales({state: "OK"}, "steers")).toMatchObject([
    {sale: {venueId: "ok-b", miles: null}, ageDays: 3, pens: [{weightLb: 550}]},
  ]);
  expect(
    table.sales({state: "KS"}, "heifers").map(({sale, pens: each}) => [sale.venueId, each.length]),
  ).toEqual([
    ["ks-a", 1],
    ["ks-empty", 0],
  ]);
  const venuesOf = (area: PenArea) => table.of(area).steers.map(({sale}) => sale.venueId);
  const [pen] = table.of({around: {point: {lat: 37.7, lon: -100}, miles: 50}}).heifers;
  expect(pen).toMatchObject({grade: "1", weightLb: 550, price: 400.5, head: 12, ageDays: 3});
  expect(pen!.sale).toMatchObject({venueId: "ks-a", state: "KS", date: "2026-11-18", miles: 0});
  expect(venuesOf({})).toEqual(["ks-a", "ks-nowhere", "ok-b"]);
  expect(venuesOf({state: "KS"})).toEqual(["ks-a", "ks-nowhere"]);
  expect(venuesOf({counties: ["40017"]})).toEqual(["ok-b"]);
  expect(venuesOf({around: {point: {lat: 37.7, lon: -100}, miles: 100}})).toEqual(["ks-a", "ok-b"]);
  expect(venuesOf({around: {point: {lat: 37.7, lon: -100}, miles: 100}, state: "OK"})).toEqual(["ok-b"]);
  const official = (state: string, day: string) => table.official(state, "steers", day).length;
  expect([official("KS", "2026-11-16"), official("KS", "2026-11-22"), official("OK", "2026-11-18")]).toEqual([
    1, 0, 0,
  ]);
});

test("B11: a wrong byte in the pens of a sale is told", async () => {
  const sold = {state: "KS", venue_id: "ks-a", class: "steers", report_scope: "venue", age_days: 3};
  const file = await written("sale_pens", [{...sold, pens: '[["1",550,400.5,12]]'}]);
  const table = new SalePens(file);
  const bytes = readFileSync(file.path);
  bytes[bytes.indexOf("550,400.5")]! ^= 1;
  writeFileSync(file.path, bytes, {flag: "r+"});
  expect(() => table.of({})).toThrow("sale_pens.arrow: row 0 is damaged");
});
