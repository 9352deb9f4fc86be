import {cityKey, editDistance, stateCodes, stateNames} from "@open-cattle/us-address";
import {
  countiesNamed,
  countyOf,
  counties as countyTable,
  foldedCountyName,
  ofFullName,
} from "../../lib/geography/counties.ts";
import {countyOfKey, printedCounty} from "../../lib/geography/printed-county.ts";
import {stateOf} from "../../lib/geography/states.ts";
import type {Generation} from "../generation/generation.ts";
import {invalidParameters} from "../http/problem-document.ts";

/** The counties that a `county` parameter denotes, and their state if they are all in one. */
export type CountyChoice = {readonly keys: ReadonlySet<string>; readonly state: string | null};

type Known = {readonly key: string; readonly name: string; readonly state: string};

const maxSuggestions = 5;

/**
 * Resolves a county name (suffix optional), 5 digits, 3 digits within the state, or a key of Manitoba; null if the parameter is absent.
 * Throws a 400 with similar names if it is unknown or lies in another state.
 */
export function chooseCounty(
  generation: Generation,
  county: string | undefined,
  state: string | null,
): CountyChoice | null {
  if (county === undefined) return null;
  const named = withState(county);
  const contradicts = state !== null && named.state !== null && state !== named.state;
  const found = contradicts ? [] : matchingCounties(generation, named.county, state ?? named.state);
  if (found.length === 0) throw unknownCounty(generation, county, state);
  const states = new Set(found.map((each) => each.state));
  const [only = null] = states;
  return {keys: new Set(found.map(({key}) => key)), state: states.size === 1 ? only : null};
}

/** Splits `Travis County, TX`; the state is null where none is named. */
function withState(text: string): {county: string; state: string | null} {
  const [, county = "", after = ""] = /^(.+),\s*([^,]+)$/.exec(text) ?? [];
  const name = after.toUpperCase();
  const state = stateCodes.has(name) ? name : (stateNames.get(name) ?? null);
  return state === null ? {county: text, state} : {county, state};
}

/** A county that an address line names; undefined if no county of the state has that name. */
export function countyOfLine(
  generation: Generation,
  county: string | null,
  state: string | null,
): string | undefined {
  // The line has the word, which tells the county from the city of its name.
  const named = `${county} County`;
  if (county === null || matchingCounties(generation, named, state).length === 0) return undefined;
  return named;
}

/**
 * Returns the municipalities of Manitoba that a city name denotes (`ALONSA (RM)` for `Alonsa`); null for other states and for a city that
 * is no municipality of the build. We have no table that maps other places to municipalities.
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

/** The name of a municipality without its kind, folded by `cityKey`. */
function municipalityName(name: string): string {
  return cityKey(name.replace(/\s*\([^)]*\)/g, "").replace(/^(?:RM|LGD|MUNICIPALITY) OF /i, ""));
}

function matchingCounties(generation: Generation, county: string, state: string | null): Known[] {
  const stateCounties = buildCounties(generation, state);
  const key = countyKey(county, state);
  if (key !== null) {
    const tabled = countyOfKey(key);
    const known = tabled === undefined ? [] : [tabled];
    return [...known, ...stateCounties.filter((each) => each.key === (tabled?.key ?? key))].filter(
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
  const same = stateCounties.filter(({name}) => foldedCountyName(name) === wanted);
  const found = [...tabled, ...same];
  if (state === null || found.length > 0)
    return ofFullName(county, found, ({key: its, name}) => countyOf(its)?.fullName ?? name);
  const spelt = printedCounty(county, state);
  if (spelt === null) return [];
  return "county" in spelt ? [spelt.county] : [...spelt.ambiguous];
}

/** The county key given by digits (or `MB` and digits); null for a name. */
function countyKey(county: string, state: string | null): string | null {
  const text = county.toUpperCase();
  if (/^\d{5}$/.test(text) || /^MB\d{3}$/.test(text)) return text;
  if (!/^\d{3}$/.test(text) || state === null) return null;
  return state === "MB" ? `MB${text}` : `${stateOf(state)?.fips ?? ""}${text}`;
}

/** Counties with rows in the build, which include municipalities of Manitoba and codes newer than the county table. */
function buildCounties({manifest}: Generation, state: string | null): Known[] {
  return Object.entries(manifest.states)
    .filter(([code]) => state === null || code === state)
    .flatMap(([code, part]) =>
      part.counties.map(({county_key, county_name}) => ({key: county_key, name: county_name, state: code})),
    );
}

function unknownCounty(generation: Generation, county: string, state: string | null) {
  const wantedName = foldedCountyName(withState(county).county);
  const tabled = countyTable()
    .filter((each) => state === null || each.state === state)
    .map(({fips, name, state: its}) => ({key: fips, name, state: its}));
  // No suggestions for codes: three edits turn three digits into any three-letter name.
  const keys = new Set(tabled.map(({key}) => key));
  const own = buildCounties(generation, state).filter(({key}) => !keys.has(key));
  const known = /^\d+$/.test(county) ? [] : [...tabled, ...own];
  const near = known
    .map((each) => ({each, distance: editDistance(wantedName, foldedCountyName(each.name), 3)}))
    .filter(({distance}) => distance <= 3)
    .sort((a, b) => a.distance - b.distance || (a.each.key < b.each.key ? -1 : 1))
    .map(({each}) => `${each.name}, ${each.state}`);
  const allowed = [...new Set(near)].slice(0, maxSuggestions);
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
