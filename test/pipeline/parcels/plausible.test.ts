import {readFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, beforeEach, expect, test} from "vitest";
import {countyOfCell} from "../../../lib/parcels/conform/cells-table.ts";
import {packageRoot} from "../../../lib/paths.ts";
import {type Database, openDatabase} from "../../../lib/sql/duckdb.ts";
import {firstPull, implausible} from "../../../pipeline/parcels/accept.ts";
import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {conformedRow} from "../../lib/parcels/conform/conformed.ts";
import {bareEntry} from "./invented-source.ts";

let db: Database;
beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.close());

/** 2,000 valid rows of an invented source; each test changes one column. */
const rowsSql = `CREATE OR REPLACE TABLE rows_of_source AS SELECT '31001-' || i AS parcel_uid, -98.5 AS lon, 160::DOUBLE AS acres,
    158::DOUBLE AS geom_acres, 'deeded' AS acres_basis, 'D1' AS use_code, 'agriculture' AS land_use_category, NULL::VARCHAR AS _reject
    FROM range(2000) r (i)`;
beforeEach(() => db.run(rowsSql));

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
])("keeps an unread source out if %s", async (change, reason) => {
  await db.run(`UPDATE rows_of_source SET ${change}`);
  expect(await judge()).toMatch(reason);
});

test.each([
  ["parcel_uid = '31001-' || (row_number % 1000)", "parcel_uid = '31001-' || (row_number % 999)"],
  ["lon = CASE WHEN row_number < 1000 THEN -98.5 END", "lon = CASE WHEN row_number < 999 THEN -98.5 END"],
  ["geom_acres = 80", "geom_acres = 79.9"],
  ["geom_acres = 320", "geom_acres = 320.1"],
  [
    "land_use_category = CASE WHEN row_number < 1000 THEN 'agriculture' END",
    "land_use_category = CASE WHEN row_number < 999 THEN 'agriculture' END",
  ],
])("applies each threshold exactly: lets in %s, but not %s", async (good, bad) => {
  const change = (set: string) =>
    db.run(
      `UPDATE rows_of_source SET ${set.replaceAll("row_number", "split_part(parcel_uid, '-', 2)::INTEGER")}`,
    );
  await change(good);
  expect(await judge()).toBeNull();
  await db.run(rowsSql);
  await change(bad);
  expect(await judge()).toMatch(/^implausible: /);
});

test("uses the thresholds of the rules", () => {
  const [, rules = ""] =
    /^## 5\. (.*)$/ms.exec(readFileSync(join(packageRoot, "docs/design/fetching.md"), "utf8")) ?? [];
  const rule = (n: number) =>
    new RegExp(`^${n}\\. (.*?)(?=^\\d\\. |^$)`, "ms").exec(rules)?.[1]?.replaceAll("\n", " ");
  const percent = (share: number) => `${share * 100} %`;
  expect(rule(1)).toContain(`Fewer than ${firstPull.judgedRows.toLocaleString("en-US")} accepted rows`);
  expect(rule(2)).toContain(`At least ${percent(firstPull.minDistinct)} of the rows`);
  expect(rule(3)).toContain(`At least ${percent(firstPull.minPlacedShare)} of the rows`);
  expect(rule(4)).toContain(`between ${firstPull.minAreaRatio} and ${firstPull.maxAreaRatio}`);
  expect(rule(5)).toContain(`at least ${percent(firstPull.minKnownCodes)} of the codes`);
});

test("judges neither a few rows nor a source that real rows prove", async () => {
  await db.run("UPDATE rows_of_source SET lon = NULL");
  expect(await judge({verified: true})).toBeNull();
  await db.run("DELETE FROM rows_of_source WHERE parcel_uid > '31001-1'");
  await db.run("DELETE FROM rows_of_source WHERE length(parcel_uid) > 8");
  expect(await judge()).toBeNull();
});

test("takes a missing county from the row's location, within its state only", () => {
  const scope = {country: "US", state: "NE", counties: "all"} as const;
  expect(countyOfCell("-99.855 41.915", scope)).toEqual({countyKey: "31009", countyName: "BLAINE"});
  expect(countyOfCell("-97.750 35.530", scope)).toBe("unknown_county");
});

test("rejects a row whose county's name is that of a county and a city, and takes one that says which", async () => {
  const entry = bareEntry({coverage: {country: "US", state: "VA", counties: "all", countyFrom: "COUNTY"}});
  const rejectOf = async (county: string) => {
    const {county_key, _reject} = await conformedRow(entry, {PIN: "1-1", COUNTY: county});
    return [county_key, _reject];
  };
  expect(await rejectOf("Richmond")).toEqual([null, "ambiguous_county"]);
  expect(await rejectOf("ATLANTIS")).toEqual([null, "unknown_county"]);
  expect(await rejectOf("City of Richmond")).toEqual(["51760", null]);
});
