import {ensureTextFunction} from "../../../lib/parcels/conform/functions.ts";
import {pack, packSql} from "../../../lib/parcels/conform/packed-text.ts";
import {otherAddress} from "../../../lib/parcels/matching/row-address.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";

/** Parts of an address that keys are made of, with their types. */
const parts = [
  ["situs_number", "VARCHAR"],
  ["situs_number_lo", "INTEGER"],
  ["situs_number_hi", "INTEGER"],
  ["situs_name", "VARCHAR"],
  ["situs_type", "VARCHAR"],
  ["situs_status", "VARCHAR"],
  ["city", "VARCHAR"],
  ["zip", "VARCHAR"],
] as const;

/**
 * Returns the name of a relation with the addresses of a parcel table, by `rowid`: of each row its own, and its further ones, which are
 * parsed as at a lookup. It is the table itself where no row has further ones.
 */
export async function addressedRows(db: Database, table: string): Promise<string> {
  const [several] = await db.rows(`SELECT 1 FROM ${sqlName(table)} WHERE len(alt_situs) > 0 LIMIT 1`);
  if (several === undefined) return table;
  await ensureTextFunction(db, "other_address", packedAddress);
  const names = ["county_key", "situs_raw", ...parts.map(([name]) => name)].map(sqlName).join(", ");
  const split = parts.map(([name, type], n) => `nullif(p[${n + 1}], '')::${type} AS ${name}`).join(", ");
  const asked = packSql(["state", "line"]);
  await db.run(
    `CREATE OR REPLACE TABLE other_addresses AS SELECT county_key, line AS situs_raw, ${split}, row_no FROM (
       SELECT county_key, line, row_no, string_split(other_address(${asked}), chr(31)) AS p
       FROM (SELECT county_key, state, unnest(alt_situs) AS line, rowid AS row_no FROM ${sqlName(table)} WHERE len(alt_situs) > 0))`,
  );
  const view = `${table}_addressed`;
  await db.run(
    `CREATE OR REPLACE VIEW ${sqlName(view)} AS SELECT ${names}, rowid AS rowid FROM ${sqlName(table)}
     UNION ALL SELECT ${names}, row_no FROM other_addresses`,
  );
  return view;
}

/** Text UDF. In: state and line, packed; out: the parts of the line's address, packed. */
function packedAddress(packed: string): string {
  const [state = "", line = ""] = packed.split("\u001f");
  const {number, numberLo, numberHi, name, type, status, city, zip} = otherAddress(line, state);
  return pack([number, numberLo, numberHi ?? numberLo, name, type, status, city?.toUpperCase(), zip]);
}
