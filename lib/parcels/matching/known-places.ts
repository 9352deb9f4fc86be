import {cityKey, streetTypes} from "@open-cattle/us-address";
import type {Database} from "../../sql/duckdb.ts";
import {ensureTextFunction} from "../conform/functions.ts";
import type {ParcelSet} from "../parcel-set.ts";

/** A key of `addresses.arrow` for a street of a county: `^`, county key, name and type. */
type StreetKey = {readonly key: string; readonly form: 16};

type Street = {readonly name: string; readonly type: string | null};

/** A key of `addresses.arrow` for a place of the state: `@` and the normalised town, or `@` and the ZIP. */
type PlaceKey = {readonly key: string; readonly form: 8};

/** The place keys of a row's postal town and ZIP. */
export function placeKeys(city: string | null, zip: string | null): PlaceKey[] {
  const town = townKey(city);
  const keys = [
    ...(town === "" ? [] : [`@${town}`]),
    ...(zip === null || zip === "" ? [] : [`@${zip.slice(0, 5)}`]),
  ];
  return keys.map((key) => ({key, form: 8}));
}

/**
 * SELECT of the place keys of a parcel table (`key`, `row_no`, `form`) for a state's address index: unique
 * keys, each with its first row. They tell which towns and ZIPs occur in the state, not where its parcels
 * are.
 */
export async function placeKeysSql(db: Database, table: string): Promise<string> {
  await ensureTextFunction(db, "town_key", townKey);
  // `any_value` stops DuckDB from pushing the filter below the grouping, where it would call `town_key` for
  // every row.
  return `SELECT '@' || place AS "key", min(row_no) AS row_no, 8 AS form FROM (
      SELECT town_key(any_value(city)) AS place, min(rowid) AS row_no FROM ${table} WHERE city IS NOT NULL GROUP BY city
      UNION ALL SELECT any_value(zip)[1:5], min(rowid) FROM ${table} WHERE zip IS NOT NULL GROUP BY zip)
    WHERE place <> '' GROUP BY place`;
}

/** True when a parcel of the set has this postal town. */
export function hasTown(set: ParcelSet, city: string): boolean {
  const town = townKey(city);
  return town !== "" && set.addresses.find(`@${town}`, 1).length > 0;
}

/** True when a parcel of the set has this five-digit ZIP. */
export function hasZip(set: ParcelSet, zip: string): boolean {
  return set.addresses.find(`@${zip.slice(0, 5)}`, 1).length > 0;
}

/**
 * Normalises a town; empty for the end of a street that was read as a town. A line such as `12 Jordan (rear)
 * St` leaves a street type, and a town of that name would then be split off every street.
 */
function townKey(city: string | null): string {
  const town = cityKey(city);
  const [first = "", ...others] = town.split(" ");
  const strength = streetTypes.get(first)?.strength ?? "weak";
  const isType = others.length === 0 ? strength !== "weak" : strength === "hard" && first !== "ST";
  return isType ? "" : town;
}

/** True when a parcel of the set has a numbered address on a street of this name in this county, of any type or none. */
export function hasStreetOfAnyType(set: ParcelSet, name: string, county: string): boolean {
  const {key} = streetKey({name, type: null}, county);
  return set.addresses.prefix(key, 1).length > 0;
}

/** The key of a street with numbered addresses in a county. */
export function streetKey({name, type}: Street, county: string): StreetKey {
  return {key: `^${county}|${name}|${type ?? ""}`, form: 16};
}

/**
 * SELECT of the street keys of a parcel table (`key`, `row_no`, `form`) for a state's address index: unique
 * keys, each with its first row.
 */
export function streetKeysSql(table: string): string {
  // `any_value` as above, so that the key is not built for every row.
  return `SELECT '^' || county_key || '|' || any_value(situs_name) || '|' || coalesce(situs_type, '') AS "key", min(rowid) AS row_no, 16 AS form
    FROM ${table} WHERE situs_status = 'numbered' AND situs_name IS NOT NULL GROUP BY county_key, situs_name, situs_type`;
}

/** True when a parcel of the set has a numbered address on this street of this county. */
export function hasStreet(set: ParcelSet, street: Street, county: string): boolean {
  return set.addresses.find(streetKey(street, county).key, 1).length > 0;
}
