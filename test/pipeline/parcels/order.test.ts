import fc from "fast-check";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {conformedColumns} from "../../../lib/parcels/conform/conformed-table.ts";
import {groupNames} from "../../../lib/parcels/conform/file-cells.ts";
import {originColumn} from "../../../lib/parcels/dedupe/dedupe-sql.ts";
import {type Database, openDatabase, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {mergedFacts} from "../../../pipeline/parcels/merged-facts.ts";
import {orderedParcels} from "../../../pipeline/parcels/order.ts";
import {parquetTypes} from "../../../schemas/vocabulary/described-file.ts";

const origins = ["default" as const, ...groupNames].map(originColumn);

type Row = {
  id: string;
  county: string;
  uid: string | null;
  std: string;
  owner: string | null;
  name: string;
  lon: number | null;
  xmin: number;
};

const text = fc.constantFrom("1", "2-2", "A", "");
const anyRow: fc.Arbitrary<Row> = fc.record({
  id: fc.constantFrom("1", "22", "3A"),
  county: fc.constantFrom("48453", "48491"),
  uid: fc.constantFrom(null, "48453-1~2"),
  std: text,
  owner: fc.option(text),
  name: text,
  lon: fc.option(fc.constantFrom(-98, -97.5)),
  xmin: fc.constantFrom(-98, -97.5),
});
/** Rows in which some columns repeat others, as in most sources. */
const tidyRow = anyRow.map((row) => ({...row, uid: null, std: row.id, name: row.owner ?? ""}));
const oneValue = anyRow.map((row) => ({...row, county: "48453", lon: null, owner: null}));

describe("rows in their order", () => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase();
    await db.run("CREATE TABLE origins AS SELECT 'a' AS origin, 7 AS provenance_id");
  });
  afterAll(() => db.close());

  it("do not depend on whether constant or repeated columns are sorted", async () => {
    const rowsOf = (row: fc.Arbitrary<Row>) =>
      fc.uniqueArray(row, {maxLength: 6, selector: ({county, id}) => `${county}-${id}`});
    const table = fc.oneof(rowsOf(anyRow), rowsOf(tidyRow), rowsOf(oneValue));
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        await db.run(`CREATE OR REPLACE TABLE merged AS ${mergedSql(rows)}`);
        const facts = await mergedFacts(db, "merged");
        const plain = {constants: new Map(), repeated: new Map()};
        const [short, whole] = [facts, plain].map((each) =>
          orderedParcels({merged: "merged", state: "TX", facts: each}),
        );
        expect(await db.rows(short!)).toEqual(await db.rows(whole!));
        expect([facts.rows, facts.points]).toEqual([
          rows.length,
          rows.filter(({lon}) => lon !== null).length,
        ]);
      }),
      {numRuns: 25},
    );
  });

  it("are sorted without columns whose values are known beforehand", async () => {
    const row = {id: "1", county: "48453", uid: null, std: "1", owner: "A", name: "A", lon: -98, xmin: -98};
    await db.run(`CREATE OR REPLACE TABLE merged AS ${mergedSql([row, {...row, id: "2", std: "2"}])}`);
    const {constants, repeated, extent} = await mergedFacts(db, "merged");
    expect(constants.get("county_key")).toBe("48453");
    expect(constants.get("legal_desc")).toBeNull();
    expect([...repeated.keys()]).toEqual(
      expect.arrayContaining(["parcel_uid", "parcel_id_std", "owner_name", "xmin"]),
    );
    expect(constants.has("parcel_id") || repeated.has("parcel_id")).toBe(false);
    expect(extent).toEqual([-98, 30, -98, 30]);
  });
});

/** A merged table of the rows, with all columns, most of them null. */
function mergedSql(rows: readonly Row[]): string {
  const valued = rows.map(
    ({id, county, uid, std, owner, name, lon, xmin}): Record<string, string> => ({
      parcel_uid: sqlText(uid ?? `${county}-${id}`),
      county_key: sqlText(county),
      parcel_id: sqlText(id),
      parcel_id_std: sqlText(std),
      owner_raw: owner === null ? "NULL" : sqlText(owner),
      owner_name: sqlText(name),
      lon: String(lon ?? "NULL"),
      lat: lon === null ? "NULL" : "30",
      xmin: String(lon === null ? "NULL" : xmin),
      [originColumn("default")]: "'a'",
    }),
  );
  const columns = (row: Record<string, string>) => [
    ...conformedColumns.map(
      ({name, kind}) => `(${row[name] ?? "NULL"})::${parquetTypes[kind]} AS ${sqlName(name)}`,
    ),
    ...origins.map((name) => `(${row[name] ?? "NULL"})::VARCHAR AS ${sqlName(name)}`),
  ];
  const select = (row: Record<string, string>) => `SELECT ${columns(row).join(", ")}`;
  return valued.length === 0 ? `${select({})} WHERE false` : valued.map(select).join(" UNION ALL ");
}
