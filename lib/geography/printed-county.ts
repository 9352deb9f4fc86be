import {counties, countyOf, foldedCountyName, ofFullName} from "./counties.ts";
import {newerCounties} from "./newer-counties.ts";
import {stateOf} from "./states.ts";

/** A county of today or of the edition of 2017, or a planning region of Connecticut, by its key. */
export type NamedCounty = {readonly key: string; readonly name: string; readonly state: string};

/** What a printed county means: one county, two that share the name, or none that is known. */
export type PrintedCounty =
  | {readonly county: NamedCounty}
  | {readonly ambiguous: readonly NamedCounty[]}
  | null;

/** Keys that the Census has retired, with the county that took their land (`docs/design/parcels.md` section 2.5). */
const successors: ReadonlyMap<string, string> = new Map([
  ["02270", "02158"],
  ["12025", "12086"],
  ["46113", "46102"],
  ["51515", "51019"],
  ["51560", "51005"],
  ["51780", "51083"],
]);

/** Names of retired counties that no county bears today, by state and folded name. */
const retiredNames: Readonly<Record<string, string>> = {
  "AK wadehampton": "02158",
  "FL dade": "12086",
  "SD shannon": "46102",
  "VA bedfordcity": "51019",
  "VA cliftonforge": "51005",
  "VA cliftonforgecity": "51005",
  "VA southboston": "51083",
  "VA southbostoncity": "51083",
};

/** Retired keys whose land went to several counties: a row that says no more has no county. */
const splitKeys: ReadonlySet<string> = new Set(["02261"]);

/** The key of the county that replaced a retired one; the same key for every other county. */
export function currentCountyKey(key: string): string {
  return successors.get(key) ?? key;
}

/** The county of a key, or of the key that replaced it; undefined for an unknown key and for one that was split. */
export function countyOfKey(key: string): NamedCounty | undefined {
  const today = currentCountyKey(key);
  if (splitKeys.has(today)) return undefined;
  const tabled = countyOf(today);
  if (tabled !== undefined) return {key: today, name: tabled.name, state: tabled.state};
  const newer = newerCounties.find(({fips}) => fips === today);
  return newer === undefined ? undefined : newerCounty(newer);
}

/**
 * The county that a cell or a question prints: five digits, up to three digits within the state, or a name in any of the usual spellings.
 * Where a county and a city share a name, the bare name is ambiguous.
 */
export function printedCounty(text: string, state: string): PrintedCounty {
  const printed = text.trim().replace(/\.0+$/, "");
  if (/^\d{1,5}$/.test(printed)) return byNumber(printed, state);
  const spelt = printed
    .replace(/\s*\((city|county)\)\s*$/i, " $1")
    .replace(/\s*&\s*/g, " and ")
    .replace(/^(county|parish|borough)\s+(?!of\b)/i, "");
  const named = ofFullName(spelt, countiesSpelt(spelt, state), ({fullName}) => fullName);
  const [only, second] = named;
  if (second !== undefined) return {ambiguous: named.map(({county}) => county)};
  if (only !== undefined) return {county: only.county};
  const retired = retiredNames[`${state} ${foldedCountyName(spelt)}`];
  return retired === undefined ? null : {county: countyOfKey(retired)!};
}

function byNumber(digits: string, state: string): PrintedCounty {
  const prefix = stateOf(state)?.fips ?? "";
  // Four digits have lost a leading zero.
  const key = digits.length <= 3 ? prefix + digits.padStart(3, "0") : digits.padStart(5, "0");
  const county = countyOfKey(key);
  return county === undefined || county.state !== state ? null : {county};
}

type Spelt = {readonly county: NamedCounty; readonly fullName: string};

function countiesSpelt(name: string, state: string): Spelt[] {
  const wanted = foldedCountyName(name);
  const fits = (...names: string[]) => names.some((each) => foldedCountyName(each) === wanted);
  const tabled = counties()
    .filter(
      (county) => county.state === state && !splitKeys.has(county.fips) && fits(county.name, county.fullName),
    )
    .map(({fips, name: own, fullName}) => ({county: {key: fips, name: own, state}, fullName}));
  const newer = newerCounties
    .filter(({fips, name: own}) => stateOf(fips.slice(0, 2))?.state === state && fits(own))
    .map((each) => ({county: newerCounty(each), fullName: each.name}));
  return [...tabled, ...newer];
}

function newerCounty({fips, name}: {fips: string; name: string}): NamedCounty {
  const state = stateOf(fips.slice(0, 2))!.state;
  return {key: fips, name: name.replace(/ (?:Census Area|Planning Region)$/, ""), state};
}
