import {counties, countyOf, foldedCountyName} from "../../geography/counties.ts";
import {isMisspelt} from "./near-place.ts";
import {placeKey} from "./place-key.ts";
import {type Place, placeTable} from "./place-table.ts";

/** Gives the counties that the area of a ZIP touches, the one with most of it first; null for an unknown ZIP. */
export function countiesOfZip(zip: string): readonly string[] | null {
  const found = placeTable().zips.get(zip.slice(0, 5)) ?? [];
  return found.length === 0 ? null : found;
}

/** Gives a place of a state by its name; null for an unknown one. Places of Manitoba have no counties. */
export function placeOf(state: string, city: string): Place | null {
  return placeTable().places.get(`${state}|${placeKey(city)}`) ?? null;
}

/** Gives the states that have a place of this name. */
export function statesOfPlace(city: string): readonly string[] {
  return placeTable().statesByKey.get(placeKey(city)) ?? [];
}

/** Gives the names of the places of a county; none for a county that the table of counties does not have. */
export function placesOfCounty(county: string): readonly string[] {
  return placeTable().byCounty.get(county) ?? [];
}

/** True for a county whose places and ZIPs are known: not for municipalities of Manitoba and counties newer than 2017. */
export function hasPlaces(county: string): boolean {
  return countyOf(county) !== undefined;
}

/**
 * Gives the one county that a city of a state is in: the place lies in it alone, and so do all its ZIPs. Null for a place
 * whose post office delivers across a county line, and for an unknown one.
 */
export function soleCounty(state: string, city: string): string | null {
  const place = placeOf(state, city);
  const [county, another] = place?.counties ?? [];
  if (county === undefined || another !== undefined) return null;
  const isAlone = [...place!.zips].every((zip) => countiesOfZip(zip)?.every((each) => each === county));
  return isAlone ? county : null;
}

let byName: ReadonlyMap<string, readonly string[]> | undefined;

/** Gives the counties of a state that a city names (`MESA COUNTY`, `WAUSHARA`, `DANE CO`); none for any other city. */
export function countiesNamedAs(city: string, state: string): readonly string[] {
  byName ??= countyNames();
  const name = city.replace(/ (?:CO|CTY|CNTY)\.?$/i, " County");
  return byName.get(`${state}|${foldedCountyName(name)}`) ?? [];
}

/** Gives the keys of all counties by state and name, with and without suffix. */
function countyNames(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const {fips, state, name, fullName} of counties()) {
    for (const each of new Set([foldedCountyName(name), foldedCountyName(fullName)])) {
      const key = `${state}|${each}`;
      found.set(key, [...(found.get(key) ?? []), fips]);
    }
  }
  return found;
}

const leastLetters = 6;

/** True for a name of six letters or more that is one typing error away from a place of the state. */
export function isNearPlace(state: string, city: string): boolean {
  const key = placeKey(city);
  if (key.length < leastLetters) return false;
  for (const id of placeTable().places.keys()) {
    if (id.startsWith(`${state}|`) && isMisspelt(key, id.slice(state.length + 1), 1)) return true;
  }
  return false;
}
