import {afterAll, beforeAll, expect, test} from "vitest";
import {filledValues, valueColumns, valueFlags} from "../../../../lib/parcels/conform/value-sql.ts";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";
import {bareEntry} from "../../../pipeline/parcels/invented-source.ts";

let db: Database;

beforeAll(async () => {
  db = await openDatabase();
});

afterAll(() => db.close());

type Cells = Readonly<Record<string, number | string>>;

function entryOf(columns: readonly string[], values: Readonly<Record<string, string>>) {
  return bareEntry({fields: Object.fromEntries(columns.map((column) => [column, {from: column}])), values});
}

function sqlOf(column: string, cell: number | string): string {
  if (typeof cell === "string") return `DATE '${cell}' AS "${column}"`;
  if (/_year$/.test(column)) return `${cell}::SMALLINT AS "${column}"`;
  return `${cell}::${/_(?:value|amount|price)$/.test(column) ? "DECIMAL(14,2)" : "DOUBLE"} AS "${column}"`;
}

/** The cleaned values of a row of the roll of 2026, without those that are null, and the codes of what was cleaned. */
async function cleaned(cells: Cells, values: Readonly<Record<string, string>> = {}) {
  const [entry, asOf] = [entryOf(Object.keys(cells), values), "2026-11-21"];
  const flags = valueFlags(entry, asOf).map(
    ([code, condition]) => `CASE WHEN ${condition} THEN '${code}' END`,
  );
  const [row] = await db.rows<Record<string, string | null>>(
    `SELECT COLUMNS(*)::VARCHAR FROM (SELECT ${valueColumns(entry, asOf).join(", ")}, concat_ws(' ', ${flags.join(", ") || "NULL"}) AS "~flags"
       FROM (SELECT 2026::SMALLINT AS "~roll_year", ${Object.entries(cells)
         .map(([column, cell]) => sqlOf(column, cell))
         .join(", ")}))`,
  );
  const known = Object.entries(row!).filter(([, value]) => value !== null && value !== "");
  return Object.fromEntries(known.map(([name, value]) => [name.slice(1), value]));
}

const parts = {land_value: "assessed"};

test.each<[string, Cells, Record<string, string>, Record<string, string>]>([
  ["a value has the year of the roll", {market_value: 5}, {}, {market_value: "5.00", market_year: "2026"}],
  ["or its own", {market_value: 5, market_year: 2024}, {}, {market_value: "5.00", market_year: "2024"}],
  ["an assessed one, too", {assessed_value: 5}, {}, {assessed_value: "5.00", assessed_year: "2026"}],
  [
    "other values have none",
    {taxable_value: 5, use_value: 6},
    {},
    {taxable_value: "5.00", use_value: "6.00"},
  ],
  ["a value of 0 is unknown", {market_value: 0, use_value: 0}, {}, {flags: "zero_value"}],
  [
    "or nothing, where the source says so",
    {market_value: 0},
    {zeroMeans: "zero"},
    {market_value: "0.00", market_year: "2026"},
  ],
  ["a tax of 0 is known", {tax_amount: 0}, {}, {tax_amount: "0.00", tax_year: "2026"}],
  [
    "parts have their kind and its year",
    {land_value: 5, building_value: 7},
    parts,
    {land_value: "5.00", building_value: "7.00", value_kind: "assessed", assessed_year: "2026"},
  ],
  [
    "the kind may be that of the buildings",
    {building_value: 7},
    {building_value: "market"},
    {building_value: "7.00", value_kind: "market"},
  ],
  [
    "land of a market value has its year",
    {land_value: 5},
    {land_value: "market"},
    {land_value: "5.00", value_kind: "market", market_year: "2026"},
  ],
  ["without a kind they have neither", {land_value: 5}, {}, {land_value: "5.00"}],
  [
    "land without a building",
    {land_value: 5, building_value: 0},
    parts,
    {land_value: "5.00", building_value: "0.00", value_kind: "assessed", assessed_year: "2026"},
  ],
  [
    "parts of 0 alone are unknown",
    {land_value: 0, building_value: 0},
    parts,
    {flags: "value_parts_contradict"},
  ],
  ["and so is a single one", {building_value: 0}, parts, {flags: "value_parts_contradict"}],
  [
    "but not where 0 is a value",
    {building_value: 0},
    {...parts, zeroMeans: "zero"},
    {building_value: "0.00", value_kind: "assessed"},
  ],
  [
    "a part of 0 agrees with its total but for 1 %",
    {land_value: 100, building_value: 0, assessed_value: 101},
    parts,
    {
      land_value: "100.00",
      building_value: "0.00",
      value_kind: "assessed",
      assessed_value: "101.00",
      assessed_year: "2026",
    },
  ],
  [
    "or contradicts it",
    {land_value: 100, building_value: 0, assessed_value: 102},
    parts,
    {
      land_value: "100.00",
      value_kind: "assessed",
      assessed_value: "102.00",
      assessed_year: "2026",
      flags: "value_parts_contradict",
    },
  ],
  [
    "also by being more",
    {land_value: 0, building_value: 100, assessed_value: 98},
    parts,
    {
      building_value: "100.00",
      value_kind: "assessed",
      assessed_value: "98.00",
      assessed_year: "2026",
      flags: "value_parts_contradict",
    },
  ],
  [
    "parts that are known are no matter for the total",
    {land_value: 50, building_value: 60, assessed_value: 300},
    parts,
    {
      land_value: "50.00",
      building_value: "60.00",
      value_kind: "assessed",
      assessed_value: "300.00",
      assessed_year: "2026",
    },
  ],
  [
    "market parts have a market total",
    {land_value: 100, building_value: 0, assessed_value: 300, market_value: 100},
    {land_value: "market"},
    {
      land_value: "100.00",
      building_value: "0.00",
      value_kind: "market",
      assessed_value: "300.00",
      market_value: "100.00",
      assessed_year: "2026",
      market_year: "2026",
    },
  ],
  [
    "which they may contradict",
    {land_value: 100, building_value: 0, market_value: 300},
    {land_value: "market"},
    {
      land_value: "100.00",
      value_kind: "market",
      market_value: "300.00",
      market_year: "2026",
      flags: "value_parts_contradict",
    },
  ],
  [
    "and never the assessed one",
    {land_value: 100, building_value: 0, assessed_value: 300},
    {land_value: "market"},
    {
      land_value: "100.00",
      building_value: "0.00",
      value_kind: "market",
      assessed_value: "300.00",
      assessed_year: "2026",
      market_year: "2026",
    },
  ],
  [
    "parts of no kind have the assessed total",
    {land_value: 100, building_value: 0, assessed_value: 300},
    {},
    {land_value: "100.00", assessed_value: "300.00", assessed_year: "2026", flags: "value_parts_contradict"},
  ],
  [
    "and not the market's",
    {land_value: 100, building_value: 0, market_value: 300},
    {},
    {land_value: "100.00", building_value: "0.00", market_value: "300.00", market_year: "2026"},
  ],
])("%s", async (_, cells, values, expected) => {
  expect(await cleaned(cells, values)).toEqual(expected);
});

test("parts of two totals stand beside each other, each with its own total", async () => {
  const cells = {
    assessed_value: 30,
    land_value: 10,
    building_value: 20,
    market_value: 100,
    market_land_value: 100,
    market_building_value: 0,
  };
  expect(await cleaned(cells, parts)).toMatchObject({
    land_value: "10.00",
    value_kind: "assessed",
    market_land_value: "100.00",
    market_building_value: "0.00",
  });
  expect(await cleaned({...cells, market_value: 150}, parts)).not.toHaveProperty("market_building_value");
  expect(await cleaned({use_value: 7, land_value: 7}, {land_value: "use"})).toEqual({
    use_value: "7.00",
    land_value: "7.00",
    value_kind: "use",
  });
});

test.each<[string, number | string, string | null, string | null]>([
  ["transfer_price", 100, "100.00", null],
  ["transfer_price", 99.99, null, "nominal_price"],
  ["transfer_price", 0, null, null],
  ["transfer_date", "2026-11-21", "2026-11-21", null],
  ["transfer_date", "2026-11-22", null, "future_date"],
  ["recording_date", "2026-11-22", null, "future_date"],
  ["recording_date", "1970-01-02", "1970-01-02", null],
  ...["1899-12-30", "1900-01-01", "1901-01-01", "1970-01-01"].map(
    (day) => ["transfer_date", day, null, null] as [string, string, null, null],
  ),
  ["year_built", 1599, null, null],
  ["year_built", 1600, "1600.0", null],
  ["year_built", 2027, "2027.0", null],
  ["year_built", 2028, null, null],
  ["stories", 0, null, null],
  ["stories", -1, null, null],
  ["stories", 0.5, "0.5", null],
  ["units_count", 0, null, null],
  ["units_count", 4, "4.0", null],
  ["frontage_ft", 0, null, null],
  ["frontage_ft", 62.5, "62.5", null],
])("%s of %s is told as %s with the code %s", async (column, cell, value, code) => {
  expect(await cleaned({[column]: cell})).toEqual({
    ...(value === null ? {} : {[column]: value}),
    ...(code === null ? {} : {flags: code}),
  });
});

test.each<[string[], Record<string, string>, string[]]>([
  [[], {}, []],
  [["land_value"], {}, ["land_value"]],
  [["land_value"], {land_value: "assessed"}, ["land_value", "value_kind", "assessed_year"]],
  [["building_value"], {building_value: "market"}, ["building_value", "value_kind", "market_year"]],
  [["situs_raw"], {land_value: "assessed"}, []],
  [["assessed_value"], {}, ["assessed_value", "assessed_year"]],
  [["market_value", "stories"], {}, ["market_value", "market_year", "stories"]],
  [["land_value"], {land_value: "use"}, ["land_value", "value_kind"]],
  [["market_land_value"], {}, ["market_land_value"]],
  [["tax_amount"], {}, ["tax_amount", "tax_year"]],
  [["market_year"], {}, ["market_year"]],
])("of a source with %j and values %j it fills %j", (columns, values, expected) => {
  expect(filledValues(entryOf(columns, values))).toEqual(expected);
});
