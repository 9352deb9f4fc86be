import {
  countiesNamed,
  countyOf,
  counties as countyTable,
  foldedCountyName,
} from "../../lib/geography/counties.ts";
import {stateOf} from "../../lib/geography/states.ts";
import {editDistance} from "../../lib/parcels/address/edit-distance.ts";
import {cityKey} from "../../lib/parcels/address/fold-text.ts";
import type {Generation} from "../generation/generation.ts";
import {invalidParameters} from "../http/problem.ts";

/** Counties that a `county` parameter means: their keys, and the state where all lie in one. */
export type CountyChoice = {readonly keys: ReadonlySet<string>; readonly state: string | null};

type Known = {readonly key: string; readonly name: string; readonly state: string};

const mostSuggestions = 5;

/**
 * The counties of a name (suffix optional), of 5 digits, of 3 digits within the state, or of a key of Manitoba; null when the
 * parameter is absent. Throws the 400 for one that is unknown or lies in another state, with names that are near.
 */
export function chooseCounty(
  generation: Generation,
  county: string | undefined,
  state: string | null,
): CountyChoice | null {
  if (county === undefined) return null;
  const found = countiesMeant(generation, county, state);
  if (found.length === 0) throw unknownCounty(generation, county, state);
  const states = new Set(found.map((each) => each.state));
  const [only = null] = states;
  return {keys: new Set(found.map(({key}) => key)), state: states.size === 1 ? only : null};
}

/**
 * The municipalities of Manitoba that a city names (`ALONSA (RM)` by `Alonsa`); null for another state, and for a city that
 * is no municipality of the build. No table says in which of them the other places lie.
 */
export function municipalitiesOf(
  generation: Generation,
  state: string,
  city: string | null,
): CountyChoice | null {
  if (state !== "MB" || city === null) return null;
  const wanted = cityKey(city);
  const found = buildCounties(generation, state).filter(({name}) => municipalityName(name) === wanted);
  return found.length === 0 ? null : {keys: new Set(found.map(({key}) => key)), state};
}

/** Gives the name of a municipality without its kind, as `cityKey` does. */
function municipalityName(name: string): string {
  return cityKey(name.replace(/\s*\([^)]*\)/g, "").replace(/^(?:RM|LGD|MUNICIPALITY) OF /i, ""));
}

function countiesMeant(generation: Generation, county: string, state: string | null): Known[] {
  const own = buildCounties(generation, state);
  const key = countyKey(county, state);
  if (key !== null) {
    const tabled = countyOf(key);
    const known = tabled === undefined ? [] : [{key, name: tabled.name, state: tabled.state}];
    return [...known, ...own.filter((each) => each.key === key)].filter(
      (each) => state === null || each.state === state,
    );
  }
  if (/^\d+$/.test(county)) return [];
  const wanted = foldedCountyName(county);
  const tabled = countiesNamed(county, state ?? undefined).map(({fips, name, state: its}) => ({
    key: fips,
    name,
    state: its,
  }));
  return [...tabled, ...own.filter(({name}) => foldedCountyName(name) === wanted)];
}

/** The key that digits (or `MB` and digits) say; null for a name. */
function countyKey(county: string, state: string | null): string | null {
  const text = county.toUpperCase();
  if (/^\d{5}$/.test(text) || /^MB\d{3}$/.test(text)) return text;
  if (!/^\d{3}$/.test(text) || state === null) return null;
  return state === "MB" ? `MB${text}` : `${stateOf(state)?.fips ?? ""}${text}`;
}

/** Counties that the build has rows of: municipalities of Manitoba, and codes newer than the county table. */
function buildCounties({manifest}: Generation, state: string | null): Known[] {
  return Object.entries(manifest.states)
    .filter(([code]) => state === null || code === state)
    .flatMap(([code, part]) =>
      part.counties.map(({county_key, county_name}) => ({key: county_key, name: county_name, state: code})),
    );
}

function unknownCounty(generation: Generation, county: string, state: string | null) {
  const wanted = foldedCountyName(county);
  const tabled = countyTable()
    .filter((each) => state === null || each.state === state)
    .map(({fips, name, state: its}) => ({key: fips, name, state: its}));
  // A code is near no name: three edits of three digits are any name of three letters.
  const known = /^\d+$/.test(county) ? [] : [...tabled, ...buildCounties(generation, state)];
  const near = known
    .map((each) => ({each, distance: editDistance(wanted, foldedCountyName(each.name), 3)}))
    .filter(({distance}) => distance <= 3)
    .sort((a, b) => a.distance - b.distance || (a.each.key < b.each.key ? -1 : 1))
    .map(({each}) => `${each.name}, ${each.state}`);
  const allowed = [...new Set(near)].slice(0, mostSuggestions);
  const where = state === null ? "" : ` in ${state}`;
  return invalidParameters([
    {
      name: "county",
      value: county,
      reason: `is not a county${where}`,
      ...(allowed.length === 0 ? {} : {allowed}),
    },
  ]);
}
