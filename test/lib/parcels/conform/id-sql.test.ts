import {expect, test} from "vitest";
import {shapesSql} from "../../../../lib/parcels/conform/id-sql.ts";
import {openDatabase} from "../../../../lib/sql/duckdb.ts";

test.each([
  [100, 0, ["9-A"]],
  [99, 0, []],
  [99, 1, ["9-A"]],
  [98, 1, []],
  [197, 2, []],
  [297, 3, ["9-A"]],
])("%i numbers of one shape and %i of another show the shapes %j", async (usual, odd, shapes) => {
  await using db = await openDatabase();
  await db.run(
    `CREATE TABLE mapped AS SELECT 1 AS "~file", CASE WHEN i < ${usual} THEN i || '-R' ELSE 'R' || i END AS "~id 0" FROM range(${usual + odd}) r(i)`,
  );
  const rows = await db.rows(shapesSql({ids: {raw: {text: "PIN"}}} as never, "mapped"));
  expect(rows.map(({shape}) => shape)).toEqual(shapes);
});
