import {ensureTextFunction, installMacros} from "../../../lib/parcels/conform/functions.ts";
import {parcelIdForms} from "../../../lib/parcels/parcel-id/parcel-id-forms.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";

/** Bits of the forms: of the id, and of another id. */
const bits = {std: 1, loose: 2, altStd: 4, altLoose: 8};

/**
 * SELECT of the keys of the ids of a table of parcels (`key`, `row_no`, `form`) for the id index: each pair of key and row once, with the
 * bits of all forms in which the row has it.
 */
export async function idKeysSql(db: Database, table: string): Promise<string> {
  await installMacros(db);
  await ensureTextFunction(db, "loose_parcel_id", (id) => parcelIdForms(id).loose);
  // The general way costs a call for each id; a plain one is read in SQL.
  const loose = (id: string) =>
    `CASE WHEN strlen(${id}) = length(${id}) THEN id_loose(id_tok(${id})) ELSE loose_parcel_id(${id}) END`;
  const one = `SELECT parcel_id_std AS a, parcel_id_loose AS b, alt_ids_std[1] AS c, ${loose("alt_ids[1]")} AS d, rowid AS row_no
    FROM ${table} WHERE len(alt_ids) <= 1 OR alt_ids IS NULL`;
  const several = `SELECT parcel_id_std, parcel_id_loose, alt_ids, alt_ids_std, rowid AS row_no FROM ${table} WHERE len(alt_ids) > 1`;
  return `SELECT * FROM (WITH ids AS MATERIALIZED (${one}) ${ofOne("ids")})
    UNION ALL SELECT * FROM (WITH several AS MATERIALIZED (${several}) ${ofMany("several", loose("id"))})
    UNION ALL ${ofUids(table)}`;
}

/** Uids that are more than county and number are found as they stand: their digest or suffix is in no id. */
function ofUids(table: string): string {
  const key = "replace(id_tok(substr(parcel_uid, strlen(county_key) + 2)), '-', '')";
  const forms =
    "list_transform(coalesce(alt_ids, []), lambda id: id_loose(id_tok(id))) || coalesce(alt_ids_std, [])";
  return `SELECT "key", row_no, ${bits.std}::UTINYINT FROM (
      SELECT ${key} AS "key", rowid AS row_no, ${forms} || [parcel_id_std, parcel_id_loose] AS known
      FROM ${table} WHERE contains(parcel_uid, '~'))
    WHERE "key" <> '' AND NOT coalesce(list_contains(known, "key"), false)`;
}

/** Rows with one other id at most: a key that comes twice is left to the first of its forms, which takes all their bits. */
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
