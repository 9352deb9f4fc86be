import {describe, expect, test} from "vitest";
import {lookupKey, lookupTable, transformSql} from "../../../../lib/parcels/conform/transforms.ts";
import {openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";

describe("the transform lookup", () => {
  test("answers in SQL as the table does", async () => {
    const db = await openDatabase();
    const cells = [
      "87",
      "87.0",
      "Easthampton",
      "EASTHAMPTON ",
      "Manchester-by-the-Sea",
      "Nowhere",
      "352",
      "",
    ];
    const rows = await db.rows<{cell: string; county: string | null}>(
      `SELECT cell, ${transformSql({transform: ["lookup:ma-towns"]}, ["cell"])} AS county FROM (VALUES ${cells.map((cell) => `(${sqlText(cell)})`).join(", ")}) t(cell)`,
    );
    expect(rows.map(({county}) => county)).toEqual(
      cells.map((cell) => lookupTable("ma-towns").get(lookupKey(cell)) ?? null),
    );
    expect(rows[1]).toEqual({cell: "87.0", county: "25015"});
    db.close();
  });

  test("names a table that there is not", () => {
    expect(() => transformSql({transform: ["lookup:nowhere"]}, ["cell"])).toThrow(
      "data/reference/lookups/nowhere.json: not readable",
    );
    expect(() => transformSql({transform: ["lookup:../states"]}, ["cell"])).toThrow(
      'transform "lookup": came "../states"',
    );
  });
});
