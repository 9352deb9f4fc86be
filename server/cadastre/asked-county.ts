import type {ScoredAddress} from "@open-cattle/us-address";
import {countyOf} from "../../lib/geography/counties.ts";
import {stateOf} from "../../lib/geography/states.ts";
import {countiesOfZip, placeOf} from "../../lib/parcels/place/postal-places.ts";
import type {Generation} from "../generation/generation.ts";
import type {CadastreQuestion} from "../parcels/cadastre-port.ts";

/** The county that a question is sent to. */
export type AskedCounty = {readonly country: "US" | "CA"; readonly state: string; readonly key: string};

/** The county to ask, and the others in which the parcel may lie: with such, an empty answer proves nothing. */
export type CountyOfQuestion = {
  /** Null when nothing tells which county to ask. */
  readonly county: AskedCounty | null;
  /** Their keys, sorted. */
  readonly others: readonly string[];
};

/** Minimum share of a ZIP's land area for its county to be asked. */
const minLandShare = 0.5;
const districtOfColumbia = "11001";

/**
 * Determines the county of a question (`docs/design/parcels.md` section 9). In this order: the named county; that of the parcel number's
 * prefix or of the point; the District of Columbia; the one with most of the ZIP's land; the only one of the city.
 */
export function askedCounty(question: CadastreQuestion, generation: Generation): CountyOfQuestion {
  const {key, possible} = countyAmong(question, generation);
  const state = key === null ? null : stateOfKey(key);
  const contradicts = question.state !== null && question.state !== state;
  if (key === null || state === null || contradicts) return {county: null, others: sorted(possible)};
  const county = {country: state === "MB" ? "CA" : "US", state, key} as const;
  return {county, others: sorted(possible).filter((each) => each !== key)};
}

function sorted(keys: readonly string[]): string[] {
  return [...new Set(keys)].sort();
}

type Found = {readonly key: string | null; readonly possible: readonly string[]};

function countyAmong(question: CadastreQuestion, generation: Generation): Found {
  const {counties, state} = question;
  const named = [...(counties ?? [])];
  if (named.length === 1) return {key: named[0]!, possible: []};
  if (counties === null && state === "DC") return {key: districtOfColumbia, possible: []};
  if (question.kind !== "address") return {key: null, possible: named};
  const mayBe = (key: string) =>
    (counties === null || counties.has(key)) && (state === null || stateOfKey(key) === state);
  const found = countyOfAddress(question.address, {state, mayBe, generation});
  return found.possible.length === 0 ? {...found, possible: named} : found;
}

type Known = {state: string | null; mayBe: (county: string) => boolean; generation: Generation};

function countyOfAddress({city, zip}: ScoredAddress, {state, mayBe, generation}: Known): Found {
  const place = city === null || state === null ? null : placeOf(state, city);
  const ofCity = [...(place?.counties ?? [])].filter(mayBe);
  const shares = zip === null ? [] : (generation.market?.zip(zip)?.counties ?? []);
  const touched = [...shares.map(({county_fips}) => county_fips), ...touchedBy(zip)];
  if (touched.length === 0) {
    const delivered = [...(place?.zips ?? [])].flatMap(touchedBy).filter(mayBe);
    return {key: onlyOf(ofCity) ?? null, possible: [...ofCity, ...delivered]};
  }
  const ofZip = touched.filter(mayBe);
  const largest = shares.find(({share}) => share >= minLandShare)?.county_fips;
  const best = [onlyOf(ofZip), largest, onlyOf(ofCity)].find(
    (key) => key !== undefined && ofZip.includes(key),
  );
  return {key: best ?? null, possible: ofZip};
}

function touchedBy(zip: string | null): readonly string[] {
  return (zip === null ? null : countiesOfZip(zip)) ?? [];
}

/** The only value of a list; undefined when there are none or several. */
function onlyOf(keys: readonly string[]): string | undefined {
  const [only, another] = new Set(keys);
  return another === undefined ? only : undefined;
}

/** The state of a county key; for codes newer than the county table, from the first two digits. */
function stateOfKey(key: string): string | null {
  if (/^MB\d{3}$/.test(key)) return "MB";
  return countyOf(key)?.state ?? stateOf(key.slice(0, 2))?.state ?? null;
}
