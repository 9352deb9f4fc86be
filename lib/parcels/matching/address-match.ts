import {
  isWholeName,
  type NearNames,
  nameBeginning,
  nearNameKeys,
  nearNames,
} from "../../text/edit-distance.ts";
import {type AddressLookupKeys, addressLookupKeys} from "../address/address-keys.ts";
import {type AddressMatch, isOutranked, scoreAddress, unitScore} from "../address/address-score.ts";
import {isSameHighway} from "../address/numbered-road.ts";
import {otherReadings} from "../address/other-readings.ts";
import type {ScoredAddress} from "../address/parsed-address.ts";
import {parcelIdSpellings} from "../parcel-id/parcel-id-spellings.ts";
import type {ParcelSet} from "../parcel-set.ts";
import {PlaceQuestion} from "../place/place-question.ts";
import {hasStreet, hasTown} from "./known-places.ts";
import {rowAddress, rowPlace} from "./row-address.ts";
import {countedRows, type RowTest} from "./use-filter.ts";

/** A row that matches one reading of the query. */
type Fit = {
  readonly row: number;
  readonly match: AddressMatch;
  readonly address: ScoredAddress;
  /** True when the street name of the reading was corrected. */
  readonly isCorrected: boolean;
  /** True when the row has a different city of the county and only the county was recognised. */
  readonly byCounty: boolean;
};

type AddressQuestion = {
  readonly address: ScoredAddress;
  /** City and ZIP given as parameters; those in `address` may come from the line. */
  readonly named?: Pick<ScoredAddress, "city" | "zip">;
  /** County keys; null for any county. */
  readonly counties: ReadonlySet<string> | null;
};

/** A row that fits an address. */
export type AddressHit = {readonly set: ParcelSet; readonly row: number; readonly match: AddressMatch};

/** Limit of rows per key: far above what any house number of a state has under one name beginning. */
const maxRowsOfKey = 50_000;

/**
 * Finds the rows of a set that match an address, best first (type, then score, then row). Once a row matches
 * in every component, other readings of the line and corrected names are not searched: they could neither win
 * nor make the match ambiguous.
 */
export function findAddress(
  set: ParcelSet,
  {address, counties, named = {city: null, zip: null}}: AddressQuestion,
): AddressHit[] {
  const keys = addressLookupKeys(address, address.raw ?? "");
  const search: Search = {
    set,
    address,
    place: new PlaceQuestion(address, set.state),
    namedPlace: new PlaceQuestion(named, set.state),
    isCounted: countedRows(set, counties),
    seen: new Map(),
  };
  for (const key of [...keys.exact, ...keys.folded]) {
    for (const {row} of set.addresses.find(key, maxRowsOfKey)) consider(search, row);
  }
  if (!fitsWholly(search)) considerReadings(search);
  if (!fitsWholly(search)) considerMisspelt(search, keys);
  const fits = [...search.seen.values()].filter((fit) => fit !== null);
  return betterFits(set, address, fits)
    .map(({row, match}) => ({set, row, match}))
    .sort((a, b) => compareMatches(a.match, b.match) || a.row - b.row);
}

function fitsWholly({seen}: Search): boolean {
  for (const fit of seen.values()) if (fit !== null && fit.match.type !== "fuzzy") return true;
  return false;
}

const ranks = {exact: 0, normalized: 1, fuzzy: 2} as const;

/** Sorts better matches first: by type, then by score. */
export function compareMatches(
  a: Pick<AddressMatch, "type" | "score">,
  b: Pick<AddressMatch, "type" | "score">,
): number {
  return ranks[a.type] - ranks[b.type] || b.score - a.score;
}

type Search = {
  readonly set: ParcelSet;
  readonly address: ScoredAddress;
  readonly place: PlaceQuestion;
  /** The place from the parameters alone. */
  readonly namedPlace: PlaceQuestion;
  readonly isCounted: RowTest;
  /** Each row considered so far, with its match or null. */
  readonly seen: Map<number, Fit | null>;
};

/** Considers rows with the exact name of another reading; a row considered before keeps its better match. */
function considerReadings({set, address, namedPlace, isCounted, seen, ...search}: Search): void {
  for (const reading of otherReadings(address, (name) => hasTown(set, name))) {
    const place = reading.city === address.city ? search.place : new PlaceQuestion(reading, set.state);
    for (const key of addressLookupKeys(reading, "").exact) {
      for (const {row} of set.addresses.find(key, maxRowsOfKey)) {
        if (!isCounted(row) || namedPlace.compare(rowPlace(set, row)) === null) continue;
        const [before, fit] = [seen.get(row) ?? null, fitOf(set, row, {address: reading, place})];
        if (fit !== null && (before === null || compareMatches(fit.match, before.match) < 0)) {
          seen.set(row, fit);
        }
      }
    }
  }
}

/** Considers highways of another class, and similar names at the house numbers of the query. */
function considerMisspelt(search: Search, {otherClasses, numbers}: AddressLookupKeys): void {
  const {addresses} = search.set;
  for (const key of otherClasses)
    for (const {row} of addresses.find(key, maxRowsOfKey)) consider(search, row);
  const near = nearNames(search.address.name ?? "");
  const starts = nearBeginnings(search, near);
  for (const number of numbers) {
    for (const start of starts) {
      const key = `${number}|${start}`;
      if (isWholeName(start)) {
        for (const {row} of addresses.find(key, maxRowsOfKey)) consider(search, row);
        continue;
      }
      for (const {key: found, row} of addresses.prefix(key, maxRowsOfKey)) {
        if (near.isNear(found.slice(number.length + 1))) consider(search, row);
      }
    }
  }
}

/** The name beginnings in the set that similar names may have. A key names one row per beginning. */
function nearBeginnings({set, address}: Search, near: NearNames): string[] {
  const names = set.parcels.text("situs_name");
  const found = new Map<string, boolean>();
  for (const {key} of nearNameKeys(address.name ?? "")) {
    for (const {row} of set.addresses.find(key)) {
      const start = nameBeginning(names.at(row) ?? "");
      if (!found.has(start)) found.set(start, near.mayBegin(start));
    }
  }
  return [...found].flatMap(([start, may]) => (may ? [start] : []));
}

function consider({set, address, place, namedPlace, isCounted, seen}: Search, row: number): void {
  if (seen.has(row) || !isCounted(row)) return;
  if (isOtherUnit(set, row, address)) seen.set(row, null);
  else seen.set(row, fitOf(set, row, {address, place: isSameLine(set, row, address) ? namedPlace : place}));
}

/**
 * Scores a row. The place is compared first, because it rules out most rows of a common address before the
 * other parts are read.
 */
function fitOf(set: ParcelSet, row: number, {address, place}: Pick<Search, "address" | "place">): Fit | null {
  const where = place.compare(rowPlace(set, row));
  if (where === null) return null;
  const found = rowAddress(set, row);
  const match = scoreAddress(address, found, where.parts);
  if (match === null) return null;
  const isCorrected = isCorrectedName(address.name, found.name);
  return {row, match, address: found, isCorrected, byCounty: where.byCounty};
}

/**
 * True when the query equals the row's line; the row's town then applies, whatever the last words were read
 * as (`… RD RR`).
 */
function isSameLine({parcels}: ParcelSet, row: number, {raw}: ScoredAddress): boolean {
  return parcels.text("situs_raw").at(row)?.trim().toUpperCase() === raw?.trim().toUpperCase();
}

/**
 * True for a different unit. This rules out all but one row of a large building before the other parts are
 * read.
 */
function isOtherUnit({parcels}: ParcelSet, row: number, address: ScoredAddress): boolean {
  if (address.unit === null) return false;
  const [unit, unitType] = [parcels.string("situs_unit").at(row), parcels.string("situs_unit_type").at(row)];
  return unit !== null && unitScore(address, {unit, unitType}) === "reject";
}

/**
 * Keeps the matches that no better kind of match rules out (docs/design/parcels.md section 7): a street as
 * written rules out corrected ones; a corrected name of another type does not count where the street as
 * written exists in the row's county; a row of the city asked for rules out rows of other cities in the
 * county.
 */
function betterFits(set: ParcelSet, query: ScoredAddress, fits: readonly Fit[]): readonly Fit[] {
  const asWritten = fits.filter(({isCorrected}) => !isCorrected);
  const ofStreet = asWritten.length > 0 ? asWritten : fits.filter((fit) => !isOtherStreet(set, query, fit));
  const ofCity = ofStreet.filter(({byCounty}) => !byCounty);
  return ofCity.length > 0 ? ofCity : ofStreet;
}

/**
 * True when the row's street name differs from the query's; a highway of another class does not count as
 * corrected.
 */
function isCorrectedName(name: string | null, found: string | null): boolean {
  if (name === null || found === null || name === found) return false;
  return !isSameHighway(name, found);
}

function isOtherStreet(set: ParcelSet, {name, type}: ScoredAddress, {row, address}: Fit): boolean {
  if (name === null || type === null || type === address.type) return false;
  return hasStreet(set, {name, type}, set.parcels.string("county_key").at(row) ?? "");
}

/** The result of a lookup for one parcel: one hit, several equally good ones (best first), or none. */
export type Choice<Hit> =
  | {readonly kind: "one"; readonly hit: Hit; readonly stack: boolean}
  | {readonly kind: "several"; readonly hits: readonly Hit[]}
  | {readonly kind: "none"};

/** Scores within this distance of the best make a lookup ambiguous. */
const nearHundredths = 5;

/**
 * Chooses the parcel that an address means (`docs/design/parcels.md` section 7). Another parcel of the same
 * type within 0.05 of the best makes it ambiguous, unless the best outranks it, or they are a stack whose
 * parent has the address and the query names no unit.
 */
export function chooseAddress(
  hits: readonly AddressHit[],
  {withUnit}: {withUnit: boolean},
): Choice<AddressHit> {
  const sorted = [...hits].sort((a, b) => compareMatches(a.match, b.match));
  const [best] = sorted;
  if (best === undefined) return {kind: "none"};
  const alike = sorted.filter(
    ({match}) =>
      match.type === best.match.type &&
      isNear(match.score, best.match.score) &&
      !isOutranked(match, best.match),
  );
  if (alike.length === 1) return {kind: "one", hit: best, stack: !withUnit && hasChildren(best, hits)};
  const parent = withUnit ? undefined : stackParent(alike);
  return parent === undefined ? {kind: "several", hits: alike} : {kind: "one", hit: parent, stack: true};
}

function isNear(score: number, best: number): boolean {
  return Math.round(best * 100) - Math.round(score * 100) <= nearHundredths;
}

function hasChildren(parent: AddressHit, hits: readonly AddressHit[]): boolean {
  return hits.some((hit) => hit !== parent && isChildOf(hit, parent));
}

/** The hit that is the parent of all others, if any. */
function stackParent(hits: readonly AddressHit[]): AddressHit | undefined {
  return hits.find((parent) => hits.every((hit) => hit === parent || isChildOf(hit, parent)));
}

function isChildOf(child: AddressHit, parent: AddressHit): boolean {
  const named = child.set.parcels.text("parent_id").at(child.row);
  const county = (hit: AddressHit) => hit.set.parcels.string("county_key").at(hit.row);
  if (named === null || county(child) !== county(parent)) return false;
  const {tok} = parcelIdSpellings(named);
  const ids = [
    parent.set.parcels.text("parcel_id").at(parent.row),
    ...(parent.set.parcels.list("alt_ids").at(parent.row) ?? []),
  ];
  return ids.some((id) => id !== null && parcelIdSpellings(id).tok === tok);
}
