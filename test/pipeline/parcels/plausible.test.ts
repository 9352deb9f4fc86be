import {afterAll, beforeAll, beforeEach, expect, test} from "vitest";
import {countyOfCell} from "../../../lib/parcels/conform/county-keys.ts";
import {type Database, openDatabase} from "../../../lib/sql/duckdb.ts";
import {implausible} from "../../../pipeline/parcels/plausible.ts";
import type {ParcelSource} from "../../../schemas/parcel-source.ts";

let db: Database;
beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.close());

/** 2,000 sound rows of an invented source; each test changes one column. */
beforeEach(async () => {
  await db.run(`CREATE OR REPLACE TABLE rows_of_source AS SELECT '31001-' || i AS parcel_uid, -98.5 AS lon, 160::DOUBLE AS acres,
    158::DOUBLE AS geom_acres, 'deeded' AS acres_basis, 'D1' AS use_code, 'agriculture' AS land_use_category, NULL::VARCHAR AS _reject
    FROM range(2000) r (i)`);
});

const entry = {
  id: "us-ne-invented",
  verified: false,
  area: {from: "ACRES", unit: "acres"},
  use: {systems: ["tx-state-category"], codeFrom: "USE"},
  accept: {minRows: 1, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []},
} as unknown as ParcelSource;

const judge = (changed: Partial<ParcelSource> = {}) =>
  implausible(db, {entry: {...entry, ...changed}, table: "rows_of_source"});

test("lets plausible rows of an unread source in", async () => {
  expect(await judge()).toBeNull();
});

test.each([
  ["parcel_uid = '31001-' || (hash(parcel_uid) % 10)", /different parcel numbers .*Correct "ids.raw"/],
  ["lon = NULL", /0.0 % of the rows .* have a point/],
  ["acres = acres * 43560", /44111.39 times those of the outlines; expected about 1. Correct "area.unit"/],
  ["land_use_category = NULL", /0.0 % of the use codes .* tx-state-category/],
])("keeps an unread source out where %s", async (change, reason) => {
  await db.run(`UPDATE rows_of_source SET ${change}`);
  expect(await judge()).toMatch(reason);
});

test("does not judge few rows, nor a source that real rows prove", async () => {
  await db.run("UPDATE rows_of_source SET lon = NULL");
  expect(await judge({verified: true})).toBeNull();
  await db.run("DELETE FROM rows_of_source WHERE parcel_uid > '31001-1'");
  await db.run("DELETE FROM rows_of_source WHERE length(parcel_uid) > 8");
  expect(await judge()).toBeNull();
});

test("a source that names no county has that of the row's place, within its state alone", () => {
  const scope = {country: "US", state: "NE", counties: "all"} as const;
  expect(countyOfCell("-99.855 41.915", scope)).toEqual({countyKey: "31009", countyName: "BLAINE"});
  expect(countyOfCell("-97.750 35.530", scope)).toBeNull();
});
