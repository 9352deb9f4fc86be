import {expect, test} from "vitest";
import {model} from "../../../lib/models/model.ts";
import {ModelRun} from "../../../lib/models/model-run.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {refusedRows, withoutRefused} from "../../../pipeline/parcels/file-bounds.ts";
import {sampleEntry} from "./readers/sample-entry.ts";

/**
 * Row counts of a county in a file: all, rejected, not parcels, with a point, with a point elsewhere, or with one that fits
 * when swapped.
 */
type Said = {
  file?: number;
  county?: string | null;
  rows: number;
  rejected?: number;
  nonParcels?: number;
  points?: number;
  outside?: number;
  swapped?: number;
};

async function tableOf(said: readonly Said[]) {
  const db = await openDatabase();
  await db.run(
    "CREATE TABLE rows (_file INTEGER, county_key VARCHAR, _reject VARCHAR, lon DOUBLE, flags VARCHAR[], _cure VARCHAR)",
  );
  for (const {
    file = 1,
    county = "48453",
    rows,
    rejected = 0,
    nonParcels = 0,
    points = 0,
    outside = 0,
    swapped = 0,
  } of said)
    await db.run(
      `INSERT INTO rows SELECT ${file}, ${county === null ? "NULL" : `'${county}'`},
         CASE WHEN i < ${rejected} THEN 'null_id' WHEN i < ${rejected + nonParcels} THEN 'non_parcel' END,
         CASE WHEN i >= ${outside} AND i < ${points} THEN -97.7 END,
         CASE WHEN i < ${outside} THEN ['point_outside'] ELSE [] END, CASE WHEN i < ${swapped} THEN 'swapped' END
       FROM range(${rows}) AS all_rows(i)`,
    );
  return db;
}

const entry = {...sampleEntry, accept: {...sampleEntry.accept, maxRejectShare: 0.02}};

/** The refused rows as file and county (`-` for the whole file). */
async function refusedOf(said: readonly Said[], accepted: readonly string[] = []) {
  using db = await tableOf(said);
  const paths = new Map([[1, "parcels/us-tx-sample/a.csv"]]);
  const refused = await refusedRows(db, {entry, table: "rows", paths, accepted});
  return {
    places: refused.map(({file, county}) => `${file} ${county ?? "-"}`),
    reason: refused[0]?.reason ?? "",
  };
}

test.each<[string, Omit<Said, "file" | "county">, boolean]>([
  ["no point", {rows: 30}, false],
  ["all of a few points elsewhere", {rows: 30, points: 2, outside: 2}, true],
  ["all but one of a few", {rows: 30, points: 8, outside: 7}, false],
  ["nine of nineteen", {rows: 30, points: 19, outside: 9}, false],
  ["ten of nineteen", {rows: 30, points: 19, outside: 10}, true],
  ["one in twenty of twenty", {rows: 30, points: 20, outside: 1}, false],
  ["two of twenty", {rows: 30, points: 20, outside: 2}, true],
  ["nine of many", {rows: 600, points: 600, outside: 9}, false],
  ["ten of a thousand", {rows: 1000, points: 1000, outside: 10}, false],
  ["ten of less than a thousand", {rows: 999, points: 999, outside: 10}, true],
  ["nine of less", {rows: 800, points: 800, outside: 9}, false],
])("a file with %s of its county is judged by the share of its points", async (_, said, isRefused) => {
  expect((await refusedOf([said])).places).toEqual(isRefused ? ["1 -"] : []);
  expect((await refusedOf([said], ["outside-county"])).places).toEqual([]);
  expect((await refusedOf([said], ["rejected-rows"])).places).toEqual(isRefused ? ["1 -"] : []);
});

test.each<[string, Omit<Said, "file" | "county">, boolean]>([
  ["bad rows of less than a thousand", {rows: 999, rejected: 900}, false],
  ["two in a hundred of a thousand", {rows: 1000, rejected: 20}, false],
  ["more than two in a hundred", {rows: 1000, rejected: 21}, true],
  ["a thousand rows that are no parcels", {rows: 2000, nonParcels: 1000}, false],
  ["bad rows beside rows that are no parcels", {rows: 2000, nonParcels: 1000, rejected: 21}, true],
  ["bad rows of less than a thousand parcels", {rows: 1999, nonParcels: 1000, rejected: 21}, false],
])(
  "a file with %s is judged by the share of rejected rows that the entry accepts",
  async (_, said, isRefused) => {
    expect((await refusedOf([said])).places).toEqual(isRefused ? ["1 -"] : []);
    expect((await refusedOf([said], ["rejected-rows"])).places).toEqual([]);
    expect((await refusedOf([said], ["outside-county"])).places).toEqual(isRefused ? ["1 -"] : []);
  },
);

const good = {rows: 30, points: 30};
const wrong = {rows: 30, points: 30, outside: 30};

test.each<[string, Said[], string[]]>([
  [
    "a county alone, beside a good one",
    [
      {county: "48209", ...good},
      {county: "48453", ...wrong},
    ],
    ["1 48453"],
  ],
  [
    "the whole file, where every county is wrong",
    [
      {county: "48209", ...wrong},
      {county: "48453", ...wrong},
    ],
    ["1 -"],
  ],
  [
    "the file of a single county, with its rows of none",
    [
      {county: "48453", ...wrong},
      {county: null, rows: 5},
    ],
    ["1 -"],
  ],
  [
    "the whole file, where what is left of it is wrong",
    [
      {county: "48209", ...wrong},
      {county: "48453", ...good},
      {county: null, rows: 90, points: 90, outside: 90},
    ],
    ["1 -"],
  ],
  [
    "a county, beside rows of none that are right",
    [
      {county: "48209", ...wrong},
      {county: "48453", ...good},
      {county: null, ...good},
    ],
    ["1 48209"],
  ],
  [
    "nothing of another file",
    [
      {file: 1, ...wrong},
      {file: 2, ...good},
    ],
    ["1 -"],
  ],
  [
    "the second of two files",
    [
      {file: 1, ...good},
      {file: 2, ...wrong},
    ],
    ["2 -"],
  ],
  ["rows of no county", [{county: null, ...wrong}], ["1 -"]],
  [
    "nothing where small faults of counties are small together",
    [
      {county: "48209", ...good, outside: 1},
      {county: "48453", ...good},
    ],
    [],
  ],
  [
    "a file whose small faults of counties are large together",
    ["48209", "48453", "48491", "48021"].map((county) => ({county, rows: 200, points: 200, outside: 3})),
    ["1 -"],
  ],
])("refuses %s", async (_, said, expected) => {
  expect((await refusedOf(said)).places).toEqual(expected);
});

test("states the figures, the county, and whether swapping would help", async () => {
  const {reason} = await refusedOf([{rows: 30, points: 30, outside: 4, swapped: 15}]);
  expect(reason).toMatch(
    /^crs_mismatch: 4 of 30 points of parcels\/us-tx-sample\/a\.csv, county 48453 do not .*--accept TX:outside-county/,
  );
  expect(reason).not.toContain("swapped");
  expect((await refusedOf([{rows: 30, points: 30, outside: 4, swapped: 16}])).reason).toContain("swapped");
  expect((await refusedOf([{county: null, ...wrong}])).reason).toContain("a.csv do not");
  const rowsOfNone = {county: null, rows: 5};
  expect((await refusedOf([{...wrong}, rowsOfNone])).reason).toContain("a.csv, county 48453 do not");
  expect((await refusedOf([{file: 2, ...wrong}])).reason).toContain("points of us-tx-sample, county");
  expect((await refusedOf([{rows: 1000, rejected: 30}])).reason).toMatch(
    /a\.csv, county 48453: 30 of 1000 rows rejected; expected at most 2 % .*--accept TX:rejected-rows/,
  );
});

const rowsModel = model({name: "rows", columns: {}});

test("rejects refused rows and leaves the reasons of those that were rejected before", async () => {
  using db = await tableOf([
    {file: 1, county: "48209", rows: 2, rejected: 1},
    {file: 1, county: "48453", rows: 1},
    {file: 2, county: "48453", rows: 1},
    {file: 3, county: "48453", rows: 1},
  ]);
  expect(withoutRefused(rowsModel, [])).toBe(rowsModel);
  const view = withoutRefused(rowsModel, [
    {file: 1, county: "48209", reason: ""},
    {file: 3, county: null, reason: ""},
  ]);
  await new ModelRun(db).make({...view, reads: []});
  const kept = await db.rows<{reject: string | null}>(
    `SELECT _reject AS reject FROM ${view.name} ORDER BY _file, county_key, reject`,
  );
  expect(kept.map(({reject}) => reject)).toEqual(["county_refused", "null_id", null, null, "file_refused"]);
});
