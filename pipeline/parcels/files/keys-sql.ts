import {type AddressStatus, addressKeys, nameBeginning, nearNameKeys} from "@open-cattle/us-address";
import {ensureTextFunction, installMacros} from "../../../lib/parcels/conform/functions.ts";
import {
  memberSeparator,
  pack,
  packSql,
  partSeparator,
  unpack,
} from "../../../lib/parcels/conform/packed-text.ts";
import {streetKeysSql} from "../../../lib/parcels/matching/known-places.ts";
import {parcelIdSpellings} from "../../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";

/** Bits for the spellings of the id and of alternative ids. */
const bits = {std: 1, loose: 2, altStd: 4, altLoose: 8};

/** Rows with exactly one key in `addressKeys`, the house number itself; SQL can build that key directly. */
const single = `situs_status = 'numbered' AND situs_name IS NOT NULL AND situs_number_lo IS NOT NULL AND NOT contains(situs_number, '-')
  AND coalesce(situs_number_hi <= situs_number_lo, true)`;

/** SELECT of a parcel table's address keys (`key`, `row_no`, `form`) for the address index, each pair of key and row once. */
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

/** Text UDF. In: number, its range, name, status and line, packed; out: `form`, separator and `key` of each key. */
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

/**
 * SELECT of the keys of similar names and of streets (`key`, `row_no`, `form`) for a state's address index: unique keys, each with its
 * first row. Similar names are keyed by the beginning of the name.
 */
export async function streetNameKeysSql(db: Database, table: string): Promise<string> {
  await ensureTextFunction(db, "name_beginning", nameBeginning);
  await ensureTextFunction(db, "near_name_keys", (name) =>
    nearNameKeys(name)
      .map(({key}) => key)
      .join("\n"),
  );
  return `SELECT unnest(string_split(near_name_keys(beginning), chr(10))) AS "key", row_no, 2 AS form FROM (
      SELECT name_beginning(situs_name) AS beginning, min(row_no) AS row_no FROM (
        SELECT situs_name, min(rowid) AS row_no FROM ${table}
        WHERE situs_status = 'numbered' AND NOT regexp_matches(situs_name, '[0-9]') GROUP BY situs_name)
      GROUP BY beginning)
    UNION ALL ${streetKeysSql(table)}`;
}

/**
 * SELECT of a parcel table's id keys (`key`, `row_no`, `form`) for the id index: each pair of key and row once, with the bits of all
 * spellings that give it.
 */
export async function idKeysSql(db: Database, table: string): Promise<string> {
  await installMacros(db);
  await ensureTextFunction(db, "loose_parcel_id", (id) => parcelIdSpellings(id).loose);
  // The UDF costs one call per id; plain ASCII ids are handled in SQL.
  const loose = (id: string) =>
    `CASE WHEN strlen(${id}) = length(${id}) THEN id_loose(id_tok(${id})) ELSE loose_parcel_id(${id}) END`;
  const one = `SELECT parcel_id_std AS a, parcel_id_loose AS b, alt_ids_std[1] AS c, ${loose("alt_ids[1]")} AS d, rowid AS row_no
    FROM ${table} WHERE len(alt_ids) <= 1 OR alt_ids IS NULL`;
  const several = `SELECT parcel_id_std, parcel_id_loose, alt_ids, alt_ids_std, rowid AS row_no FROM ${table} WHERE len(alt_ids) > 1`;
  return `SELECT * FROM (WITH ids AS MATERIALIZED (${one}) ${ofOne("ids")})
    UNION ALL SELECT * FROM (WITH several AS MATERIALIZED (${several}) ${ofMany("several", loose("id"))})
    UNION ALL ${ofUids(table)}`;
}

/** Uids that are more than county and number are also searchable as they are, because their digest or suffix is in no id. */
function ofUids(table: string): string {
  const key = "replace(id_tok(substr(parcel_uid, strlen(county_key) + 2)), '-', '')";
  const forms =
    "list_transform(coalesce(alt_ids, []), lambda id: id_loose(id_tok(id))) || coalesce(alt_ids_std, [])";
  return `SELECT "key", row_no, ${bits.std}::UTINYINT FROM (
      SELECT ${key} AS "key", rowid AS row_no, ${forms} || [parcel_id_std, parcel_id_loose] AS known
      FROM ${table} WHERE contains(parcel_uid, '~'))
    WHERE "key" <> '' AND NOT coalesce(list_contains(known, "key"), false)`;
}

/** Rows with at most one alternative id: a repeated key is kept for its first spelling only, with the bits of all. */
function ofOne(rows: string): string {
  const forms = [
    ["a", bits.std],
    ["b", bits.loose],
    ["c", bits.altStd],
    ["d", bits.altLoose],
  ] as const;
  const selects = forms.map(([key, bit], i) => {
    const later = forms
      .slice(i + 1)
      .map(([other, bit]) => ` + CASE WHEN ${other} = ${key} THEN ${bit} ELSE 0 END`);
    const earlier = forms.slice(0, i).map(([other]) => ` AND ${key} IS DISTINCT FROM ${other}`);
    return `SELECT ${key} AS "key", row_no, (${bit}${later.join("")})::UTINYINT AS form FROM ${rows} WHERE ${key} <> ''${earlier.join("")}`;
  });
  return selects.join(" UNION ALL ");
}

function ofMany(rows: string, loose: string): string {
  const others = `(SELECT unnest(alt_ids) AS id, row_no FROM ${rows})`;
  return `SELECT "key", row_no, bit_or(form::UTINYINT) AS form FROM (
      SELECT parcel_id_std AS "key", row_no, ${bits.std} AS form FROM ${rows}
      UNION ALL SELECT parcel_id_loose, row_no, ${bits.loose} FROM ${rows}
      UNION ALL SELECT unnest(alt_ids_std), row_no, ${bits.altStd} FROM ${rows}
      UNION ALL SELECT ${loose}, row_no, ${bits.altLoose} FROM ${others})
    WHERE "key" <> '' GROUP BY "key", row_no`;
}
