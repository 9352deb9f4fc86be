import {editDistance} from "@open-cattle/us-address";
import {type County, counties, countyOf, foldedCountyName, ofFullName} from "../../lib/geography/counties.ts";
import {newerCounties} from "../../lib/geography/newer-counties.ts";
import {stateOf, usStateCode} from "../../lib/geography/states.ts";
import {Problem} from "../http/problem-document.ts";
import type {BarnKey} from "../tables/record-tables.ts";

type Asked = {
  readonly state?: string | undefined;
  readonly county?: string | undefined;
  readonly venue?: string | undefined;
};

/** A county or venue whose name may be meant: its key in words, its state, and the names that it is compared by, folded. */
type Candidate = {readonly words: string; readonly state: string; readonly names: readonly string[]};

const MAX_NEAR = 5;
const MAX_EDITS = 2;
const SAME_LETTERS = 4;

/**
 * Returns the FIPS codes of the counties that a question names, by code or by name, with or without a suffix and the state; none without a
 * county. Throws a 400 with the near names for a county or a venue that does not exist, and for a county in another state than `state`.
 */
export function askedCounties(barns: readonly BarnKey[], {state, county, venue}: Asked): string[] {
  if (venue !== undefined && !barns.some((barn) => isNamed(barn, venue)))
    throw unknownPlace("venue", venue, nearVenues(barns, venue, state));
  if (county === undefined) return [];
  const named = withoutState(county);
  const within = named.state ?? state;
  const found = codesOf(barns, named.name).filter((fips) => within === undefined || isCountyOf(fips, within));
  const codes = ofFullName(named.name, found, (fips) => fullNameOf(barns, fips));
  if (codes.length === 0) throw unknownPlace("county", county, nearCounties(named.name, within), within);
  if (state !== undefined && named.state !== null && named.state !== state)
    throw unknownPlace("county", county, nearCounties(named.name, state), state);
  return codes;
}

/** True if `asked` is the barn's id or a former one, or if each of its words starts a word of the barn's town and of one of its names. */
export function isNamed({venueId, venueName, aliases, city}: BarnKey, asked: string): boolean {
  if ([venueId, ...aliases].includes(asked.toLowerCase())) return true;
  const wanted = wordsOf(asked);
  if (wanted.length === 0) return false;
  return [venueName, ...aliases].some((name) => {
    const words = wordsOf(`${name} ${city}`);
    return wanted.every((word) => words.some((each) => each.startsWith(word)));
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Splits `Ford County, KS`, `Ford, Kansas` and `ford ks`; a text that is a county's name as a whole (`Ford Co`) names no state. */
function withoutState(county: string): {name: string; state: string | null} {
  const whole = {name: county, state: null};
  const [, before = "", after = ""] = /^(.+?)\s*,\s*([^,\d]+)$/.exec(county) ?? [];
  const afterComma = usStateCode(after);
  if (afterComma !== null) return {name: before, state: afterComma};
  if (countiesByName().has(foldedCountyName(county))) return whole;
  const [, start = "", letters = ""] = /^(.+?)\s+([A-Za-z]{2})$/.exec(county) ?? [];
  const afterBlank = usStateCode(letters);
  return afterBlank === null ? whole : {name: start, state: afterBlank};
}

function isCountyOf(fips: string, state: string): boolean {
  return stateOf(fips.slice(0, 2))?.state === state;
}

/** Codes of the county table, of the counties that are newer, and of those that a barn of the build lies in. */
function codesOf(barns: readonly BarnKey[], county: string): string[] {
  if (/^\d+$/.test(county)) {
    const exists = countyOf(county) !== undefined || newerCounties.some(({fips}) => fips === county);
    return exists || barns.some(({countyFips}) => countyFips === county) ? [county] : [];
  }
  const wanted = foldedCountyName(county);
  const tabled = (countiesByName().get(wanted) ?? []).map(({fips}) => fips);
  const newer = newerCounties.flatMap(({fips, name}) => (foldedCountyName(name) === wanted ? fips : []));
  const ofBarns = barns.flatMap(({countyFips, countyName}) =>
    countyFips !== null && countyOf(countyFips) === undefined && foldedCountyName(countyName ?? "") === wanted
      ? countyFips
      : [],
  );
  return [...new Set([...tabled, ...newer, ...ofBarns])];
}

/** The full name of a code of `codesOf`. */
function fullNameOf(barns: readonly BarnKey[], code: string): string {
  const newer = newerCounties.find(({fips}) => fips === code);
  const ofBarn = () => barns.find(({countyFips}) => countyFips === code)?.countyName;
  return countyOf(code)?.fullName ?? newer?.name ?? ofBarn() ?? "";
}

let byName: Map<string, County[]> | undefined;

/** Counties by folded short and full name. Built on first use, because folding is too slow for every request. */
function countiesByName(): Map<string, County[]> {
  if (byName !== undefined) return byName;
  byName = new Map();
  for (const county of counties()) {
    for (const folded of new Set([county.name, county.fullName].map(foldedCountyName))) {
      byName.set(folded, [...(byName.get(folded) ?? []), county]);
    }
  }
  return byName;
}

/** The counties with a name like the one given; for a wrong code, those of its state with the nearest numbers. */
function nearCounties(countyText: string, state: string | undefined): string[] {
  if (!/^\d+$/.test(countyText)) {
    const candidates = counties().map((county) => ({
      words: `${county.name}, ${county.state} (${county.fips})`,
      state: county.state,
      names: [foldedCountyName(county.name)],
    }));
    return nearNames(candidates, foldedCountyName(countyText), state);
  }
  const gap = ({fips}: County) => Math.abs(Number(fips) - Number(countyText));
  return counties()
    .filter(({fips}) => fips.slice(0, 2) === countyText.slice(0, 2))
    .sort((a, b) => gap(a) - gap(b))
    .slice(0, MAX_NEAR)
    .map((county) => `${county.name}, ${county.state} (${county.fips})`);
}

function nearVenues(barns: readonly BarnKey[], given: string, state: string | undefined): string[] {
  const candidates = barns.map(({venueId, venueName, city, state: its}) => ({
    words: `${venueName}, ${city}, ${its} (${venueId})`,
    state: its,
    names: [venueId, city, venueName, ...wordsOf(`${venueName} ${city}`)].map(foldedVenueName),
  }));
  // Two errors make any two letters out of any others.
  const words = [given, ...wordsOf(given)].map(foldedVenueName).filter((word) => word.length >= SAME_LETTERS);
  const near = words.flatMap((word) => nearNames(candidates, word, state));
  return [...new Set(near)].slice(0, MAX_NEAR);
}

const foldedVenueName = (name: string) => wordsOf(name).join("");

/** The candidates with at most two errors, fewest first, then those with the same first letters; those of the state before all others. */
function nearNames(candidates: readonly Candidate[], given: string, state: string | undefined): string[] {
  const beginning = given.slice(0, SAME_LETTERS);
  const distance = ({names}: Candidate) => {
    const edits = Math.min(...names.map((name) => editDistance(given, name, MAX_EDITS)));
    const begins = beginning.length === SAME_LETTERS && names.some((name) => name.startsWith(beginning));
    return edits > MAX_EDITS && begins ? MAX_EDITS + 0.5 : edits;
  };
  return candidates
    .map((candidate) => ({...candidate, edits: distance(candidate)}))
    .filter(({edits}) => edits <= MAX_EDITS + 0.5)
    .sort(
      (a, b) =>
        Number(b.state === state) - Number(a.state === state) ||
        a.edits - b.edits ||
        (a.words < b.words ? -1 : 1),
    )
    .slice(0, MAX_NEAR)
    .map(({words}) => words);
}

function unknownPlace(
  name: "county" | "venue",
  value: string,
  near: readonly string[],
  state?: string,
): Problem {
  const where = state === undefined ? "" : ` in ${state}`;
  const meant = near.length === 0 ? "" : `; near: ${near.join("; ")}`;
  const detail = `${name} names no ${name}${where}${meant}.`;
  const allowed = near.length === 0 ? {} : {allowed: [...near]};
  return new Problem("invalid-parameter", detail, {
    members: {invalid_params: [{name, value, reason: "unknown_place", ...allowed}]},
  });
}
