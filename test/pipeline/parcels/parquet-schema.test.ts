import {copyFileSync} from "node:fs";
import {join} from "node:path";
import {tableFromIPC} from "apache-arrow";
import {expect, test} from "vitest";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../../lib/sql/sql-path.ts";
import {stateTablePath} from "../../../lib/storage/build-layout.ts";
import {parcelSchema} from "../../../pipeline/parcels/files/parquet-schema.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {built, csv, rawFiles, row} from "./raw-folder.ts";

test("a state's file alone has the state, as a dictionary by its Arrow schema", async () => {
  const {outDir} = await built(await rawFiles({"roll.csv": csv([row("1-1"), row("1-2")])}));
  const copy = join(temporaryFolder(), "anywhere.parquet");
  copyFileSync(join(outDir, stateTablePath("parcels", "TX")), copy);
  using db = await openDatabase();
  const states = await db.rows<{state: string; n: number}>(
    `SELECT state, count(*)::INTEGER AS n FROM ${parquetRelation(copy)} GROUP BY state`,
  );
  expect(states).toEqual([{state: "TX", n: 2}]);
  const footer = new Map(
    (
      await db.rows<{key: string; value: string}>(
        `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${sqlText(copy)})`,
      )
    ).map(({key, value}) => [key, value]),
  );
  const {schema} = tableFromIPC(Buffer.from(footer.get("ARROW:schema")!, "base64"));
  expect(schema.fields.map(({name}) => name)).toEqual([
    ...parcelColumns.map(({name}) => name),
    "geometry",
    "bbox",
  ]);
  const stored = await db.rows<{column_name: string; column_type: string}>(
    `DESCRIBE SELECT * FROM ${parquetRelation(copy)}`,
  );
  const arrowTypes: Readonly<Record<string, string>> = {
    VARCHAR: "Utf8",
    "VARCHAR[]": "List<Utf8>",
    DOUBLE: "Float64",
    FLOAT: "Float32",
    INTEGER: "Int32",
    SMALLINT: "Int16",
    BOOLEAN: "Bool",
    "DECIMAL(14,2)": "Decimal[14e+2]",
    DATE: "Date32<DAY>",
    "GEOMETRY('OGC:CRS84')": "Binary",
  };
  const types = Object.fromEntries(schema.fields.map(({name, type}) => [name, String(type)]));
  for (const {column_name: name, column_type: type} of stored) {
    if (name === "state") expect(types[name]).toBe("Dictionary<Int32, Utf8>");
    else if (name !== "bbox") expect(`${name} ${types[name]}`).toBe(`${name} ${arrowTypes[type]}`);
  }
  expect(parcelSchema({})).toBe(parcelSchema({}));
  // Readers on Arrow take the footer's other entries from the schema.
  footer.delete("ARROW:schema");
  expect(new Map(schema.metadata)).toEqual(footer);
});
