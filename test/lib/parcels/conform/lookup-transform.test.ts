import {describe, expect, test} from "vitest";
import {transformSql} from "../../../../lib/parcels/conform/transforms.ts";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";

describe("the transform lookup", () => {
  test.each([
    ["ma-towns", "87", "25015"],
    ["ma-towns", "87.0", "25015"],
    ["ma-towns", "EASTHAMPTON ", "25015"],
    ["ma-towns", "Manchester-by-the-Sea", "25009"],
    ["vt-towns", "St. Albans Town", "50011"],
    ["vt-towns", "SAINT ALBANS TOWN", "50011"],
    ["ma-towns", "Nowhere", null],
    ["ma-towns", "352", null],
    ["ma-towns", "", null],
  ])("finds in %s what publishers write: %s", async (table, cell, county) => {
    const db = await openDatabase();
    const sql = transformSql({transform: [`lookup:${table}`]}, ["cell"]);
    const rows = await db.rows(`SELECT ${sql} AS county FROM (VALUES (${sqlText(cell)})) t(cell)`);
    expect(rows).toEqual([{county}]);
    db.close();
  });

  test("names a table that there is not", () => {
    expect(() => transformSql({transform: ["lookup:nowhere"]}, ["cell"])).toThrow(
      "data/reference/lookups/nowhere.json: not readable",
    );
    expect(() => transformSql({transform: ["lookup:../states"]}, ["cell"])).toThrow(
      'transform "lookup": expected the name of a table',
    );
  });
});
