import type {ParcelSet} from "../artifacts.ts";

/**
 * What every hit of an owner search is scored, grouped and summed by, in one number of a column, so that a hit reads one place of the
 * file for it: ten-thousandths of an acre and one more, 0 where the acres are not known; 2^41 times the sort of owner; 2^43 times the
 * last three digits of the county's key.
 */
export const ownerFactsColumn = "owner_facts";

/** Sorts of owner by the names that their lines may hold; persons, trusts and estates are `several`. */
export const ownerSorts = {other: 0, person: 1, several: 2} as const;

const severalKinds = ["persons", "trust", "estate"];
const acreUnits = 1e4;
const sortUnit = 2 ** 41;
const countyUnit = 2 ** 43;

/** SQL of the number of a row of `parcels`. */
export const ownerFactsSql = `right(county_key, 3)::DOUBLE * ${countyUnit}
  + CASE WHEN owner_kind = 'person' THEN ${ownerSorts.person * sortUnit}
      WHEN owner_kind IN (${severalKinds.map((kind) => `'${kind}'`).join(", ")}) THEN ${ownerSorts.several * sortUnit} ELSE 0 END
  + CASE WHEN acres IS NULL THEN 0 ELSE least(round(acres * ${acreUnits}) + 1, ${sortUnit - 1}) END`;

/** Reads the number of a row. Rows in memory, and those of a build of an older version, have only the columns that it is made of. */
export function ownerFactsReader({parcels}: ParcelSet): (row: number) => number {
  if (parcels.has(ownerFactsColumn)) {
    const column = parcels.number(ownerFactsColumn);
    return (row) => column.at(row)!;
  }
  const [counties, kinds] = [parcels.dictionary("county_key"), parcels.dictionary("owner_kind")];
  const column = parcels.number("acres");
  return (row) => {
    const [kind, acres] = [kinds.at(row) ?? "", column.at(row)];
    const {person, several, other} = ownerSorts;
    const sort = kind === "person" ? person : severalKinds.includes(kind) ? several : other;
    const units = acres === null ? 0 : Math.min(Math.round(acres * acreUnits) + 1, sortUnit - 1);
    return Number(counties.at(row)!.slice(-3)) * countyUnit + sort * sortUnit + units;
  };
}

/** One of `ownerSorts`. */
export function sortOf(facts: number): number {
  return Math.floor(facts / sortUnit) % (countyUnit / sortUnit);
}

/** The last three digits of the county's key. */
export function countyOf(facts: number): number {
  return Math.floor(facts / countyUnit);
}

/** Ten-thousandths of an acre; null where the acres are not known. */
export function acreUnitsOf(facts: number): number | null {
  const units = facts - Math.floor(facts / sortUnit) * sortUnit;
  return units === 0 ? null : units - 1;
}

/** Acres of a sum of units. */
export function acresOf(units: number): number {
  return units / acreUnits;
}
