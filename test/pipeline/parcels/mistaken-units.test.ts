import {expect, test} from "vitest";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {mistakenUnits, withoutMistakenAreas} from "../../../pipeline/parcels/area-units.ts";
import {sampleEntry} from "./readers/sample-rows.ts";

/** So many parcels of a county, of different sizes, whose declared acres are a multiple of the outline's. */
type Said = {
  file?: number;
  county?: string;
  count?: number;
  /** Number of different sizes. */
  sizes?: number;
  multiple?: number;
  /** Number of parcels with another declared area. */
  others?: number;
  basis?: string;
  reject?: string;
};

async function tableOf(said: readonly Said[]) {
  const db = await openDatabase();
  await db.run(`CREATE TABLE rows (_file INTEGER, county_key VARCHAR, acres DOUBLE, geom_acres DOUBLE, acres_basis VARCHAR, _reject VARCHAR,
    land_area_sqft DOUBLE, _area_from_outline BOOLEAN, flags VARCHAR[])`);
  for (const {
    file = 1,
    county = "48453",
    count = 20,
    sizes = count,
    multiple = 1,
    others = 0,
    basis = "assessed",
    reject,
  } of said)
    await db.run(`INSERT INTO rows SELECT ${file}, '${county}', measured * CASE WHEN i < ${others} THEN 77 + i ELSE ${multiple} END, measured, '${basis}',
      ${reject === undefined ? "NULL" : `'${reject}'`}, 1, false, [] FROM (SELECT i, 1.5 + i % ${sizes} AS measured FROM range(${count}) AS all_rows(i))`);
  return db;
}

async function mistakes(said: readonly Said[], unit = "acres") {
  using db = await tableOf(said);
  const entry = {...sampleEntry, area: {from: "acreage", unit}} as typeof sampleEntry;
  return await mistakenUnits(db, {entry, table: "rows", paths: new Map([[1, "parcels/us-tx-sample/a.csv"]])});
}

test.each<[string, Said, boolean]>([
  ["a county whose areas are all ten times their outlines", {multiple: 10}, true],
  ["those that were deeded", {multiple: 10, basis: "deeded"}, true],
  ["areas that follow from the outlines", {multiple: 10, basis: "computed"}, false],
  ["rejected rows", {multiple: 10, reject: "null_id"}, false],
  ["areas of nothing", {multiple: 0}, false],
  ["nineteen areas", {multiple: 10, count: 19}, false],
  ["ten sizes", {multiple: 10, sizes: 10}, true],
  ["nine sizes", {multiple: 10, sizes: 9}, false],
  ["four of five alike", {multiple: 10, others: 4}, true],
  ["fewer", {multiple: 10, others: 5}, false],
  ["areas that are 15 % too large", {multiple: 1.149}, false],
  ["areas that are more", {multiple: 1.151}, true],
  ["areas that are 15 % too small", {multiple: 0.851}, false],
  ["areas that are less", {multiple: 0.849}, true],
])("judges the unit of %s", async (_, said, isMistaken) => {
  expect((await mistakes([said])).map(({file, county}) => [file, county])).toEqual(
    isMistaken ? [[1, "48453"]] : [],
  );
});

test("counts areas as alike within 3 % of their median", async () => {
  const near = (multiple: number) =>
    mistakes([
      {multiple: 10, count: 15},
      {multiple, count: 5},
    ]);
  expect((await near(10.29))[0]!.reason).toContain("20 of 20 declared areas are 10 times");
  expect((await near(9.71))[0]!.reason).toContain("20 of 20");
  expect(await near(10.31)).toEqual([]);
  expect(await near(9.69)).toEqual([]);
});

test("judges each county of each file separately, in order", async () => {
  const wrong = {multiple: 10};
  const found = await mistakes([
    {...wrong, file: 2, county: "48209"},
    {...wrong, county: "48453"},
    {...wrong, county: "48209"},
    {county: "48491"},
  ]);
  expect(found.map(({file, county}) => [file, county])).toEqual([
    [1, "48209"],
    [1, "48453"],
    [2, "48209"],
  ]);
  expect(found[0]!.reason).toMatch(
    /^parcels\/us-tx-sample\/a\.csv, county 48209: .*\(unit acres\)\..*--accept TX:area-unit/,
  );
  expect(found[2]!.reason).toMatch(/^us-tx-sample, county 48209: /);
});

test.each([
  [1 / 2.4710538, "hectares read as acres"],
  [2.4710538, "acres read as hectares"],
  [43_560, "square feet read as acres"],
  [1 / 43_560, "acres read as square feet"],
  [4046.8564224, "square metres read as acres"],
  [1 / 4046.8564224, "acres read as square metres"],
  [10.7639104, "square feet read as square metres"],
  [1 / 10.7639104, "square metres read as square feet"],
  [9, "square feet read as square yards"],
  [1 / 9, "square yards read as square feet"],
  [1 / 640, "square miles read as acres"],
  [100, "hundredths of the unit"],
  [1000, "thousandths of the unit"],
  [97.5, "hundredths of the unit"],
  [50, null],
])("reports areas of %d times their outlines as %s", async (multiple, words) => {
  const {reason} = (await mistakes([{multiple}]))[0]!;
  if (words === null) expect(reason).not.toContain(" (hundredths");
  else expect(reason).toContain(` (${words}); expected about 1.`);
});

test("takes acres from outlines in place of mistaken areas, but keeps those of other counties", async () => {
  using db = await tableOf([
    {county: "48209", count: 1},
    {count: 1, multiple: 10},
    {count: 1, multiple: 10, basis: "computed"},
    {file: 2, count: 1},
  ]);
  await db.run(
    "INSERT INTO rows VALUES (1, '48453', 5, NULL, 'deeded', NULL, 1, false, ['area_mismatch', 'z', 'area_unit_unknown'])",
  );
  expect(await withoutMistakenAreas(db, "rows", [])).toBe("rows");
  const view = await withoutMistakenAreas(db, "rows", [
    {file: 1, county: "48453", reason: ""},
    {file: 3, county: "48209", reason: ""},
  ]);
  const rows = await db.rows(
    `SELECT _file || ' ' || county_key AS place, acres, land_area_sqft AS feet, acres_basis AS basis, _area_from_outline AS outline, flags FROM ${view} ORDER BY place, acres`,
  );
  const kept = {feet: 1, outline: false, flags: []};
  const gone = {acres: null, feet: null, basis: null, outline: false, flags: ["area_unit_unknown", "z"]};
  expect(rows).toEqual([
    {place: "1 48209", acres: 1.5, basis: "assessed", ...kept},
    {
      place: "1 48453",
      acres: 1.5,
      feet: 65_340,
      basis: "computed",
      outline: true,
      flags: ["area_unit_unknown"],
    },
    {place: "1 48453", acres: 15, basis: "computed", ...kept},
    {place: "1 48453", ...gone},
    {place: "2 48453", acres: 1.5, basis: "assessed", ...kept},
  ]);
});
