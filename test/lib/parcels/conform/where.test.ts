import {beforeAll, describe, expect, test} from "vitest";
import {whereSql} from "../../../../lib/parcels/conform/where-sql.ts";
import {type Database, openDatabase, sqlName} from "../../../../lib/sql/duckdb.ts";

let db: Database;

beforeAll(async () => {
  db = await openDatabase();
  await db.run(
    `CREATE TABLE cells AS SELECT * FROM (VALUES ('FEE', '12', 'Main St'), ('WATER', '9', NULL), ('ROW', NULL, 'O''Shea Rd'), (NULL, 'x', 'row')) t (POLY, N, "SHAPE.Name()")`,
  );
});

/** `POLY` of the rows that a clause selects. */
async function selected(clause: string): Promise<(string | null)[]> {
  const {sql} = whereSql(clause, sqlName);
  return (await db.rows<{POLY: string | null}>(`SELECT POLY FROM cells WHERE ${sql} ORDER BY rowid`)).map(
    ({POLY}) => POLY,
  );
}

describe("a where clause", () => {
  test.each([
    ["POLY NOT IN ('WATER', 'ROW')", ["FEE"]],
    ["poly in ('WATER','ROW')", ["WATER", "ROW"]],
    ["POLY = 'FEE' OR POLY IS NULL", ["FEE", null]],
    ["POLY <> 'FEE' AND NOT (POLY = 'ROW')", ["WATER"]],
    ["POLY != 'FEE'", ["WATER", "ROW"]],
    ["N > 9", ["FEE"]],
    ["N >= 9 AND N < 12.5", ["FEE", "WATER"]],
    ["N BETWEEN 10 AND 20", ["FEE"]],
    ["N NOT BETWEEN 10 AND 20", ["WATER"]],
    ["POLY LIKE 'W%'", ["WATER"]],
    ["POLY NOT LIKE '%R%'", ["FEE"]],
    ["UPPER(\"SHAPE.Name()\") = 'ROW'", [null]],
    ["SHAPE.Name() IS NOT NULL AND SHAPE.Name() = 'O''Shea Rd'", ["ROW"]],
    ["1=1", ["FEE", "WATER", "ROW", null]],
  ])("%s", async (clause, expected) => expect(await selected(clause)).toEqual(expected));

  test("names each of its fields only once", () => {
    expect(whereSql("A = '1' OR a IS NULL OR A LIKE '2%' AND \"B c\" > 3", sqlName).names).toEqual([
      "A",
      "a",
      "B c",
    ]);
  });

  test.each([
    ["POLY = 'FEE'; DROP TABLE cells", /not understood at "; DROP TABLE cells"/],
    ["POLY = (SELECT 1)", /expected a field or a value, got "\( SELECT 1"/],
    ["POLY", /expected a comparison.*, got ""/],
    ["POLY IN ('A'", /expected "\)", got ""/],
    ["POLY = 'A' 'B'", /expected the end.*, got "B"/],
    ["POLY = 'A", /not understood at "'A"/],
  ])("that is not one is refused: %s", (clause, fault) => {
    expect(() => whereSql(clause, sqlName)).toThrow(fault);
  });
});
