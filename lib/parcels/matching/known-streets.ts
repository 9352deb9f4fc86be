import type {ParcelSet} from "../artifacts.ts";

/** A key of `addresses.arrow` for a street of a county: `^`, the county key, the name and the type. */
type StreetKey = {readonly key: string; readonly form: 16};

type Street = {readonly name: string; readonly type: string | null};

/** Gives the key of a street with numbered addresses in a county. */
export function streetKey({name, type}: Street, county: string): StreetKey {
  return {key: `^${county}|${name}|${type ?? ""}`, form: 16};
}

/**
 * Gives a SELECT of the street keys of a table of parcels (`key`, `row_no`, `form`) for the address index of a state: unique
 * keys, each with its first row.
 */
export function streetKeysSql(table: string): string {
  return `SELECT '^' || county_key || '|' || situs_name || '|' || coalesce(situs_type, '') AS "key", min(rowid) AS row_no, 16 AS form
    FROM ${table} WHERE situs_status = 'numbered' AND situs_name IS NOT NULL GROUP BY county_key, situs_name, situs_type`;
}

/** True when a parcel of the set has a numbered address on this street of this county. */
export function hasStreet(set: ParcelSet, street: Street, county: string): boolean {
  return set.addresses.find(streetKey(street, county).key, 1).length > 0;
}
