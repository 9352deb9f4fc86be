import {type AnyModel, model} from "../../../lib/models/model.ts";
import {ensureTextFunction} from "../../../lib/parcels/conform/functions.ts";
import {pack, packSql} from "../../../lib/parcels/conform/packed-text.ts";
import {otherAddress} from "../../../lib/parcels/matching/row-address.ts";
import {sqlName} from "../../../lib/sql/duckdb.ts";

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
 * The model `addressed_parcels`, with the addresses of parcels by `rowid`: of each row its own, and its further ones, which are parsed as at a
 * lookup.
 */
export function addressedParcels(parcels: AnyModel): AnyModel {
  const names = ["county_key", "situs_raw", ...parts.map(([name]) => name)].map(sqlName).join(", ");
  const split = parts.map(([name, type], n) => `nullif(p[${n + 1}], '')::${type} AS ${name}`).join(", ");
  const asked = packSql(["state", "line"]);
  const columns = {
    VARCHAR: "county_key situs_raw situs_number situs_name situs_type situs_status city zip",
    INTEGER: "situs_number_lo situs_number_hi",
    BIGINT: "row_no",
  };
  const others = model({
    name: "other_addresses",
    reads: [parcels],
    columns,
    materialise: "table",
    sql: async (_, {db}) => {
      await ensureTextFunction(db, "other_address", packedAddress);
      return `SELECT county_key, line AS situs_raw, ${split}, row_no FROM (
       SELECT county_key, line, row_no, string_split(other_address(${asked}), chr(31)) AS p
       FROM (SELECT county_key, state, unnest(alt_situs) AS line, rowid AS row_no FROM ${parcels.name} WHERE len(alt_situs) > 0))`;
    },
  });
  return model({
    name: "addressed_parcels",
    reads: [parcels, others],
    columns: {...columns, BIGINT: "rowid"},
    materialise: "view",
    sql: async (_, run) => {
      const own = `SELECT ${names}, rowid AS rowid FROM ${parcels.name}`;
      const hasOthers = (await run.rows(others, "LIMIT 1")).length > 0;
      return hasOthers ? `${own} UNION ALL SELECT ${names}, row_no FROM other_addresses` : own;
    },
  });
}

/** Text UDF. In: state and line, packed; out: the parts of the line's address, packed. */
function packedAddress(packed: string): string {
  const [state = "", line = ""] = packed.split("\u001f");
  const {number, numberLo, numberHi, name, type, status, city, zip} = otherAddress(line, state);
  return pack([number, numberLo, numberHi ?? numberLo, name, type, status, city?.toUpperCase(), zip]);
}
