import {expect, test} from "vitest";
import {model} from "../../../lib/models/model.ts";
import {ModelRun} from "../../../lib/models/model-run.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {oddScales, withJudgedAreas} from "../../../pipeline/parcels/area-units.ts";
import {sampleEntry} from "./readers/sample-entry.ts";

/** So many parcels of a county, of different sizes, whose declared acres are a multiple of the outline's. */
type Said = {
  file?: number;
  county?: string;
  count?: number;
  multiple?: number;
  basis?: string;
  reject?: string;
  /** True when all have one outline. */
  isStack?: boolean;
};

async function tableOf(said: readonly Said[]) {
  const db = await openDatabase();
  await db.run(`CREATE TABLE rows (_file INTEGER, county_key VARCHAR, acres DOUBLE, geom_acres DOUBLE, acres_basis VARCHAR, _reject VARCHAR,
    land_area_sqft DOUBLE, _area_from_outline BOOLEAN, flags VARCHAR[], lon DOUBLE, lat DOUBLE)`);
  for (const {
    file = 1,
    county = "48453",
    count = 20,
    multiple = 1,
    basis = "assessed",
    reject,
    isStack = false,
  } of said)
    await db.run(`INSERT INTO rows SELECT ${file}, '${county}', measured * ${multiple}, measured, '${basis}',
      ${reject === undefined ? "NULL" : `'${reject}'`}, 1, false, [], -97 - measured / 100, 30 FROM (SELECT 1.5 + ${isStack ? 0 : "i"} AS measured FROM range(${count}) AS all_rows(i))`);
  return db;
}

async function mistakes(said: readonly Said[], unit = "acres") {
  using db = await tableOf(said);
  const entry = {...sampleEntry, area: {from: "acreage", unit}} as typeof sampleEntry;
  return await oddScales(db, {entry, table: "rows", paths: new Map([[1, "parcels/us-tx-sample/a.csv"]])});
}

test.each<[string, Said, "held" | "doubted" | null]>([
  ["a county whose areas are all ten times their outlines", {multiple: 10}, "held"],
  ["those that were deeded", {multiple: 10, basis: "deeded"}, "held"],
  ["areas that follow from the outlines", {multiple: 10, basis: "computed"}, null],
  ["rejected rows", {multiple: 10, reject: "null_id"}, null],
  ["areas of nothing", {multiple: 0}, null],
  ["nineteen areas", {multiple: 10, count: 19}, null],
  ["a stack", {multiple: 10, isStack: true}, null],
  ["areas that are a quarter too large", {multiple: 1.25}, null],
  ["areas that are more", {multiple: 1.26}, "doubted"],
  ["areas that are twice as large", {multiple: 2}, "doubted"],
  ["areas that are still more", {multiple: 2.01}, "held"],
  ["areas that are a fifth too small", {multiple: 0.8}, null],
  ["areas that are less", {multiple: 0.79}, "doubted"],
  ["areas that are half as large", {multiple: 0.5}, "doubted"],
  ["areas that are still less", {multiple: 0.49}, "held"],
])("judges the scale of %s", async (_, said, expected) => {
  const judged = (await mistakes([said])).map(({reason}) => (reason === null ? "doubted" : "held"));
  expect(judged).toEqual(expected === null ? [] : [expected]);
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
  [96, "hundredths of the unit"],
  [50, null],
])("reports areas of %d times their outlines as %s", async (multiple, words) => {
  const {reason} = (await mistakes([{multiple}]))[0]!;
  if (words === null) expect(reason).not.toContain(" (hundredths");
  else expect(reason).toContain(` (${words}); expected about 1.`);
});

const rowsModel = model({name: "rows", columns: {}});

test("takes acres from outlines in place of mistaken areas, but keeps those of other counties", async () => {
  using db = await tableOf([
    {county: "48209", count: 1},
    {count: 1, multiple: 10},
    {count: 1, multiple: 10, basis: "computed"},
    {file: 2, count: 1},
  ]);
  await db.run(
    "INSERT INTO rows VALUES (1, '48453', 5, NULL, 'deeded', NULL, 1, false, ['area_mismatch', 'z', 'area_unit_unknown'], NULL, NULL)",
  );
  expect(withJudgedAreas(rowsModel, [])).toBe(rowsModel);
  const view = withJudgedAreas(rowsModel, [
    {file: 1, county: "48453", reason: ""},
    {file: 3, county: "48209", reason: ""},
    {file: 2, county: "48453", reason: null},
  ]);
  await new ModelRun(db).make({...view, reads: []});
  const rows = await db.rows(
    `SELECT _file || ' ' || county_key AS place, acres, land_area_sqft AS feet, acres_basis AS basis, _area_from_outline AS outline, flags FROM ${view.name} ORDER BY place, acres`,
  );
  const kept = {feet: 1, outline: false, flags: []};
  const gone = {
    acres: null,
    feet: null,
    basis: null,
    outline: false,
    flags: ["area_scale", "area_unit_unknown", "z"],
  };
  expect(rows).toEqual([
    {place: "1 48209", acres: 1.5, basis: "assessed", ...kept},
    {
      place: "1 48453",
      acres: 1.5,
      feet: 65_340,
      basis: "computed",
      outline: true,
      flags: ["area_scale"],
    },
    {place: "1 48453", acres: 15, basis: "computed", ...kept},
    {place: "1 48453", ...gone},
    {place: "2 48453", acres: 1.5, basis: "assessed", ...kept, flags: ["area_scale"]},
  ]);
});
