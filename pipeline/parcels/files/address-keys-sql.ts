import {addressKeys} from "../../../lib/parcels/address/address-keys.ts";
import type {AddressStatus} from "../../../lib/parcels/address/parsed-address.ts";
import {ensureTextFunction} from "../../../lib/parcels/conform/functions.ts";
import {
  memberSeparator,
  pack,
  packSql,
  partSeparator,
  unpack,
} from "../../../lib/parcels/conform/packed-text.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";

/** A number that stands under itself alone: `addressKeys` has one key for it, which SQL makes as well. */
const single = `situs_status = 'numbered' AND situs_name IS NOT NULL AND situs_number_lo IS NOT NULL AND NOT contains(situs_number, '-')
  AND coalesce(situs_number_hi <= situs_number_lo, true)`;

/** SELECT of the address keys of a table of parcels (`key`, `row_no`, `form`) for the address index: each pair of key and row once. */
export async function addressKeysSql(db: Database, table: string): Promise<string> {
  await ensureTextFunction(db, "address_key_list", addressKeyList);
  const line = "CASE WHEN situs_status IN ('legal_only', 'name_only') THEN situs_raw END";
  const question = packSql([
    "situs_number",
    "situs_number_lo::VARCHAR",
    "situs_number_hi::VARCHAR",
    "situs_name",
    "situs_status",
    line,
  ]);
  const asked = `SELECT ${question} AS question, rowid AS row_no FROM ${table}
    WHERE situs_status IN ('numbered', 'legal_only', 'name_only') AND (${single}) IS NOT TRUE`;
  return `SELECT situs_number_lo || '|' || situs_name AS "key", rowid AS row_no, 1::UTINYINT AS form FROM ${table} WHERE ${single}
    UNION ALL
    SELECT split_part(k, chr(30), 2) AS "key", row_no, split_part(k, chr(30), 1)::UTINYINT AS form
    FROM (SELECT unnest(keys) AS k, row_no FROM (${asked})
      JOIN (SELECT question, string_split(address_key_list(question), chr(31)) AS keys FROM (SELECT DISTINCT question FROM (${asked}))) USING (question))
    WHERE k <> ''`;
}

/** Packed: number, its ends, name, status and line in; `form`, separator, `key` of each key out. */
function addressKeyList(packed: string): string {
  const [number = null, lo = null, hi = null, name = null, status, line = null] = unpack(packed);
  const parts = {
    number,
    numberLo: lo === null ? null : Number(lo),
    numberHi: hi === null || hi === lo ? null : Number(hi),
    name,
    status: status as AddressStatus,
  };
  return pack(
    addressKeys(parts, line).map(
      ({key, form}) => `${form}${memberSeparator}${key.replaceAll(partSeparator, "")}`,
    ),
  );
}
