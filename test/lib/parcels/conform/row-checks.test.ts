import {beforeAll, describe, expect, test} from "vitest";
import type {ParcelSource} from "../../../../schemas/parcel-source.ts";
import {bareEntry} from "../../../pipeline/parcels/invented-source.ts";
import {type Cells, type Conformed, conformed} from "./conformed.ts";

const columns = [
  "situs_raw",
  "owner_raw",
  "assessed_value",
  "land_value",
  "building_value",
  "tax_amount",
  "transfer_price",
  "transfer_date",
  "year_built",
  "stories",
  "lon",
  "lat",
];

function entry(members: Record<string, unknown> = {}): ParcelSource {
  return bareEntry({
    ids: {raw: "PIN", alt: ["ALT"]},
    fields: Object.fromEntries(columns.map((column) => [column, {from: column}])),
    area: {from: "acres", unit: "acres", basis: "deeded"},
    values: {zeroMeans: "unknown"},
    owners: {published: true, order: "last_first"},
    accept: {minRows: 1, maxRejectShare: 1, maxDropShare: 1, rows: []},
    ...members,
  });
}

const [x, y] = [-97.75, 30.3];
/** A square of some 2.7 acres. */
const geometry = {
  type: "Polygon",
  coordinates: [
    [
      [x, y],
      [x + 0.001, y],
      [x + 0.001, y + 0.001],
      [x, y + 0.001],
      [x, y],
    ],
  ],
};
const inside = {lon: x, lat: y};
type Case = readonly [title: string, cells: Cells, expected: Readonly<Record<string, unknown>>];

/** Asks all cases in one table, for a table takes longer than its rows. */
function checked(source: ParcelSource, cases: readonly Case[]): void {
  let rows: readonly Conformed[] = [];
  beforeAll(async () => {
    const cells = cases.map(([, own], i) => ({PIN: `${100 + i}`, ...own}));
    ({rows} = await conformed(source, cells));
  });
  test.each(cases.map(([title, , expected], i) => [title, i, expected] as const))("%s", (_, i, expected) => {
    expect(rows[i]).toMatchObject(expected);
  });
}

describe("the codes of a row", () => {
  checked(entry(), [
    ["are none of a row with a point", inside, {flags: [], lon: x, lat: y, point_method: "source_point"}],
    ["tell that there is no place", {}, {flags: ["no_geometry"], lon: null, lat: null, point_method: null}],
    [
      "tell that the point is outside its county",
      {lon: x, lat: 40},
      {flags: ["point_outside"], lon: null, xmin: null},
    ],
    ["tell it of a point west of it", {lon: -110, lat: y}, {flags: ["point_outside"], lat: null}],
    [
      "tell that latitude and longitude changed places",
      {lon: y, lat: x},
      {flags: ["point_outside"], _cure: "swapped"},
    ],
    ["tell of no change where only one is outside", {lon: x, lat: 40}, {_cure: null}],
    [
      "tell of a text in place of a number",
      {...inside, assessed_value: "n.b."},
      {flags: ["bad_number"], assessed_value: null},
    ],
    [
      "tell of a day that is none",
      {...inside, transfer_date: "2015-13-32"},
      {flags: ["bad_date"], transfer_date: null},
    ],
    [
      "tell of a day to come",
      {...inside, transfer_date: "2026-11-22"},
      {flags: ["future_date"], transfer_date: null},
    ],
    ["are none of the day of the build", {...inside, transfer_date: "2026-11-21"}, {flags: []}],
    [
      "tell of a value of zero",
      {...inside, assessed_value: 0},
      {flags: ["zero_value"], assessed_value: null},
    ],
    [
      "tell of a token price",
      {...inside, transfer_price: 99},
      {flags: ["nominal_price"], transfer_price: null},
    ],
    ["are none of a higher price", {...inside, transfer_price: 100}, {flags: [], transfer_price: 100}],
    ["are none of a price of zero", {...inside, transfer_price: 0}, {flags: [], transfer_price: null}],
    [
      "tell of an area beyond any ranch",
      {...inside, acres: 1_500_001},
      {flags: ["area_implausible"], acres: null},
    ],
    ["are none of the largest ranch", {...inside, acres: 1_500_000}, {flags: [], acres: 1_500_000}],
    [
      "are none of an area as its outline",
      {geometry, acres: 2.7},
      {flags: [], acres: 2.7, acres_basis: "deeded"},
    ],
    [
      "tell of an area that is larger than its outline",
      {geometry, acres: 3.1},
      {flags: ["area_mismatch"], acres: 3.1},
    ],
    [
      "tell of an area that is smaller than its outline",
      {geometry, acres: 2.2},
      {flags: ["area_mismatch"], acres: 2.2},
    ],
    ["are none of an area of zero", {geometry, acres: 0}, {flags: [], acres_basis: "computed"}],
    [
      "tell of a withheld owner",
      {...inside, owner_raw: "CONFIDENTIAL"},
      {flags: ["owner_withheld"], owner_withheld: true, owner_raw: null},
    ],
    [
      "are none of an owner",
      {...inside, owner_raw: "HARLOW DALE"},
      {flags: [], owner_withheld: false, owner_raw: "HARLOW DALE"},
    ],
    [
      "tell of an address in another state",
      {...inside, situs_raw: "1 OAK ST, SALEM, OR 97301"},
      {flags: ["situs_is_mailing"]},
    ],
    [
      "are none of an address in the state",
      {...inside, situs_raw: "1 OAK ST, AUSTIN, TX 78701"},
      {flags: []},
    ],
    [
      "tell of a line that is no address",
      {...inside, situs_raw: "SUNSET"},
      {flags: ["address_unparsed"], situs_status: "name_only"},
    ],
    ["are none of a blank line", {...inside, situs_raw: "UNKNOWN"}, {situs_status: "blank"}],
    [
      "are sorted",
      {assessed_value: 0, transfer_price: 5, situs_raw: "SUNSET"},
      {flags: ["address_unparsed", "no_geometry", "nominal_price", "zero_value"]},
    ],
  ]);
});

describe("parts of a value", () => {
  checked(entry(), [
    [
      "that are zero contradict a total that they do not add up to",
      {...inside, land_value: 0, building_value: 50, assessed_value: 100},
      {land_value: null, building_value: 50, flags: ["value_parts_contradict"]},
    ],
    [
      "that are zero stay where they add up to the total",
      {...inside, land_value: 100, building_value: 0, assessed_value: 100},
      {land_value: 100, building_value: 0, flags: []},
    ],
    [
      "that are all zero contradict any total",
      {...inside, land_value: 0, building_value: 0, assessed_value: 100},
      {land_value: null, building_value: null, flags: ["value_parts_contradict"]},
    ],
    [
      "that are all zero are unknown without a total",
      {...inside, land_value: 0, building_value: 0},
      {land_value: null, building_value: null, flags: ["value_parts_contradict"]},
    ],
    [
      "without a zero do not contradict",
      {...inside, land_value: 10, building_value: 50, assessed_value: 100},
      {land_value: 10, building_value: 50, flags: []},
    ],
    ["are absent where none is printed", inside, {land_value: null, value_kind: null, currency: null}],
    ["have a currency", {...inside, tax_amount: 7}, {tax_amount: 7, currency: "USD"}],
    ["have the currency of a price", {...inside, transfer_price: 7_000}, {currency: "USD"}],
  ]);
});

describe("facts of a building", () => {
  checked(entry(), [
    [
      "are unknown where they are zero",
      {...inside, year_built: 0, stories: 0},
      {year_built: null, stories: null},
    ],
    ["may be of the next year", {...inside, year_built: 2027, stories: 2}, {year_built: 2027, stories: 2}],
    ["are of no later year", {...inside, year_built: 2028}, {year_built: null}],
  ]);
});

describe("the numbers of a row", () => {
  checked(entry(), [
    [
      "have the other one",
      {...inside, PIN: "R-1", ALT: "Q-2"},
      {parcel_id: "R-1", alt_ids: ["Q-2"], alt_ids_std: ["Q2"]},
    ],
    ["have no other that is the same", {...inside, PIN: "R-2", ALT: "R-2"}, {alt_ids: [], alt_ids_std: []}],
    ["have no other that is empty", {...inside, PIN: "R-3", ALT: ""}, {alt_ids: [], alt_ids_std: []}],
    ["have no other that is a row of zeros", {...inside, PIN: "R-4", ALT: "000"}, {alt_ids: []}],
    [
      "are rejected where the number is null",
      {...inside, PIN: "N/A", ALT: "Q-5"},
      {_reject: "null_id", alt_ids: ["Q-5"]},
    ],
    [
      "are rejected where the number is zero",
      {...inside, PIN: "0-00", ALT: ""},
      {_reject: "null_id", alt_ids: []},
    ],
    ["are rejected where the number is a road", {...inside, PIN: "ROW", ALT: ""}, {_reject: "non_parcel"}],
    ["are rejected where the header comes again", {...inside, PIN: "Pin"}, {_reject: "non_parcel"}],
    [
      "are accepted",
      {...inside, PIN: "R-6"},
      {_reject: null, parcel_id_tok: "R-6", parcel_id_std: "R6", parcel_uid: "48453-R-6"},
    ],
  ]);
});

describe("the numbers of a row with three", () => {
  checked(entry({ids: {raw: "PIN", alt: ["ALT", "OTHER"], pad: 6}}), [
    [
      "have the others once and sorted",
      {...inside, PIN: "7", ALT: "9", OTHER: "8"},
      {parcel_id: "000007", alt_ids: ["000008", "000009"]},
    ],
    [
      "have one that is printed twice once",
      {...inside, PIN: "17", ALT: "9", OTHER: "9"},
      {alt_ids: ["000009"]},
    ],
    ["have none that is the number", {...inside, PIN: "27", ALT: "27", OTHER: "8"}, {alt_ids: ["000008"]}],
    [
      "keep a longer number and one with letters",
      {...inside, PIN: "1234567", ALT: "A1"},
      {parcel_id: "1234567", alt_ids: ["A1"]},
    ],
  ]);
});

describe("an area that the source computed", () => {
  checked(entry({area: {from: "acres", unit: "acres", basis: "computed"}}), [
    [
      "is taken where it is near its outline",
      {geometry, acres: 2.7},
      {acres: 2.7, acres_basis: "computed", flags: []},
    ],
    ["is taken where it was never measured", {...inside, acres: 3.6}, {acres: 3.6, acres_basis: "computed"}],
    [
      "is not taken where a plane stretched it",
      {geometry, acres: 3.6},
      {_area_from_outline: true, flags: []},
    ],
    ["is not taken where it is too small", {geometry, acres: 1.8}, {_area_from_outline: true, flags: []}],
  ]);
});
