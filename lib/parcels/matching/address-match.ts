import type {KeyHit} from "@open-cattle/mapped-index";
import {
  type AddressMatch,
  addressesIn,
  compareMatches,
  correctedName,
  exactKeys,
  foldedKeys,
  isPrintedInParts,
  isWholeName,
  keyNumbers,
  type NearNames,
  nameBeginning,
  nearNameKeys,
  nearNames,
  otherClassKeys,
  parseAddress,
  type ScoredAddress,
  scoreAddress,
  unitScore,
  wordsOfNoTown,
} from "@open-cattle/us-address";
import type {ParcelSet} from "../parcel-set.ts";
import {PlaceQuestion, type RowPlace} from "../place/place-question.ts";
import {isPlaceOf} from "../place/postal-places.ts";
import {addressReadings} from "./address-readings.ts";
import {hasStreet, hasStreetOfAnyType} from "./known-places.ts";
import {hasOtherAddresses, otherAddresses, otherPlace, rowAddress, rowLine, rowPlace} from "./row-address.ts";
import {countedRows, type RowTest} from "./use-filter.ts";

/** A row that matches one reading of the query. */
type Fit = {
  readonly row: number;
  readonly match: AddressMatch;
  readonly address: ScoredAddress;
  /** The reading of the query. */
  readonly asked: ScoredAddress;
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
  const search: Search = {
    set,
    address,
    place: new PlaceQuestion(address, set.state),
    namedPlace: new PlaceQuestion(named, set.state),
    counties,
    isCounted: countedRows(set, counties),
    fitByRow: new Map(),
    absentKeys: new Set(),
  };
  considerKeys(search, exactKeys(address));
  if (!fitsWholly(search)) considerKeys(search, foldedKeys(address.raw ?? ""));
  if (!fitsWholly(search)) considerReadings(search);
  if (!fitsWholly(search)) considerMisspelt(search);
  const fits = [...search.fitByRow.values()].filter((fit) => fit !== null);
  return betterFits(set, address, fits)
    .map(({row, match}) => ({set, row, match}))
    .sort((a, b) => compareMatches(a.match, b.match) || a.row - b.row);
}

function fitsWholly({fitByRow}: Search): boolean {
  for (const fit of fitByRow.values()) if (fit !== null && fit.match.type !== "fuzzy") return true;
  return false;
}

type Search = {
  readonly set: ParcelSet;
  readonly address: ScoredAddress;
  readonly place: PlaceQuestion;
  /** The place from the parameters alone. */
  readonly namedPlace: PlaceQuestion;
  readonly counties: AddressQuestion["counties"];
  readonly isCounted: RowTest;
  /** Each row considered so far, with its match or null. */
  readonly fitByRow: Map<number, Fit | null>;
  /** Keys that no row has. */
  readonly absentKeys: Set<string>;
};

function considerKeys(search: Search, keys: readonly string[]): void {
  for (const key of keys) for (const {row} of hitsOf(search, key)) consider(search, row);
}

function hitsOf({set, absentKeys}: Search, key: string): readonly KeyHit[] {
  if (absentKeys.has(key)) return [];
  const hits = set.addresses.find(key, maxRowsOfKey);
  if (hits.length === 0) absentKeys.add(key);
  return hits;
}

/** Considers rows with the exact name of another reading; a row considered before keeps its better match. */
function considerReadings(search: Search): void {
  const {set, address, counties, namedPlace, isCounted, fitByRow} = search;
  for (const {reading, county} of addressReadings(set, address, counties)) {
    const isInCounty = county === null ? isCounted : countedRows(set, new Set([county]));
    const place = reading.city === address.city ? search.place : new PlaceQuestion(reading, set.state);
    for (const key of exactKeys(reading)) {
      for (const {row} of hitsOf(search, key)) {
        if (!isCounted(row) || !isInCounty(row) || namedPlace.compare(rowPlace(set, row)) === null) continue;
        const [before, fit] = [fitByRow.get(row) ?? null, fitOf(set, row, {address: reading, place})];
        if (fit !== null && (before === null || compareMatches(fit.match, before.match) < 0)) {
          fitByRow.set(row, fit);
        }
      }
    }
  }
}

/** Considers highways of another class, and similar names at the house numbers of the query. */
function considerMisspelt(search: Search): void {
  const {addresses} = search.set;
  considerKeys(search, otherClassKeys(search.address));
  const near = nearNames(search.address.name ?? "");
  const starts = nearBeginnings(search, near);
  for (const number of keyNumbers(search.address)) {
    for (const start of starts) {
      const key = `${number}|${start}`;
      if (isWholeName(start)) {
        considerKeys(search, [key]);
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
  const rows = new Set<number>();
  for (const {key} of nearNameKeys(address.name ?? "")) {
    for (const {row} of set.addresses.find(key)) {
      if (rows.has(row)) continue;
      rows.add(row);
      const start = nameBeginning(names.at(row) ?? "");
      if (!found.has(start)) found.set(start, near.mayBegin(start));
    }
  }
  return [...found].flatMap(([start, may]) => (may ? [start] : []));
}

function consider({set, address, place, namedPlace, isCounted, fitByRow}: Search, row: number): void {
  if (fitByRow.has(row) || !isCounted(row)) return;
  if (isOtherUnit(set, row, address)) fitByRow.set(row, null);
  else
    fitByRow.set(row, fitOf(set, row, {address, place: isSameLine(set, row, address) ? namedPlace : place}));
}

/**
 * Scores a row. The place is compared first, because it rules out most rows of a common address before the
 * other parts are read.
 */
function fitOf(set: ParcelSet, row: number, asked: Pick<Search, "address" | "place">): Fit | null {
  const where = rowPlace(set, row);
  const ownFit = fitOfAddress({set, row, where}, rowAddress(set, row, where), asked);
  let best = ownFit;
  for (const other of otherAddresses(set, row)) {
    const fit = fitOfAddress({set, row, where: otherPlace(where, other)}, other, asked);
    if (fit !== null && (best === null || compareMatches(fit.match, best.match) < 0)) best = fit;
  }
  if (best === null || best === ownFit) return ownFit;
  return {...best, match: {...best.match, notes: [...best.match.notes, "other_address"]}};
}

function fitOfAddress(
  {set, row, where}: {set: ParcelSet; row: number; where: RowPlace},
  found: ScoredAddress,
  {address, place}: Pick<Search, "address" | "place">,
): Fit | null {
  const placed = place.compare(where);
  if (placed === null) return null;
  // The row's line is parsed only where its words count: for a match, or beside words that the query leaves over.
  const printed = (address.leftOver?.length ?? 0) > 0 ? withRemainder(found, set.state) : found;
  const first = scoreAddress(address, printed, placed.parts, set.state);
  if (first === null) return null;
  const whole = printed === found ? withRemainder(found, set.state) : printed;
  const match = whole === printed ? first : scoreAddress(address, whole, placed.parts, set.state);
  if (match === null) return null;
  const isCorrected = match.notes.includes(correctedName);
  return {row, match, address: found, asked: address, isCorrected, byCounty: placed.byCounty};
}

/** A row's address with the words of its printed line that found no part; the same address where there are none. */
function withRemainder(found: ScoredAddress, state: string): ScoredAddress {
  const {raw, status, city} = found;
  if (raw === null || status !== "numbered" || isPrintedInParts(raw, found, state)) return found;
  const line = parseAddress(addressesIn(raw)[0]!, {state, listsLeftOver: true});
  const noTown = wordsOfNoTown(line, city, (town) => isPlaceOf(state, town));
  const dropped = line.dropped + noTown.length;
  return dropped === 0 ? found : {...found, dropped, leftOver: [...line.leftOver, ...noTown]};
}

/**
 * True when the query equals the row's line; the row's town then applies, whatever the last words were read
 * as (`… RD RR`).
 */
function isSameLine(set: ParcelSet, row: number, {raw}: ScoredAddress): boolean {
  return rowLine(set, row)?.trim().toUpperCase() === raw?.trim().toUpperCase();
}

/**
 * True for a different unit. This rules out all but one row of a large building before the other parts are
 * read.
 */
function isOtherUnit({parcels}: ParcelSet, row: number, address: ScoredAddress): boolean {
  if (address.unit === null || hasOtherAddresses(parcels, row)) return false;
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
  const onStreet = fits.filter((fit) => !isOtherStreet(set, fit));
  const asWritten = onStreet.filter(({isCorrected}) => !isCorrected);
  const ofStreet = withEqualPrint(query, asWritten.length > 0 ? asWritten : onStreet);
  const ofCity = ofStreet.filter(({byCounty}) => !byCounty);
  return ofCity.length > 0 ? ofCity : ofStreet;
}

/** Of rows that differ by zeros before the number or a letter behind it, keeps those that print it as asked. */
function withEqualPrint(query: ScoredAddress, fits: readonly Fit[]): readonly Fit[] {
  if (fits.length < 2) return fits;
  const asked = printedNumber(query.raw, query.number);
  const equal = fits.filter(({address}) => printedNumber(address.raw, address.number) === asked);
  if (asked === null || equal.length === 0) return fits;
  return fits.filter((fit) => equal.includes(fit) || !equal.some((each) => isEqualButNumber(each, fit)));
}

/** The house number as printed, with its zeros; the parsed one where the line does not begin with it. */
function printedNumber(line: string | null, number: string | null): string | null {
  const printed = /^\s*(0*)(\d+[A-Z]?)(?=\s)/i.exec(line ?? "");
  return printed !== null && printed[2]!.toUpperCase() === number ? printed[1]! + number : number;
}

/** True for two rows of one street and unit, whose numbers have the same digits. */
function isEqualButNumber({address: a}: Fit, {address: b}: Fit): boolean {
  const parts = [
    "numberLo",
    "numberHi",
    "fraction",
    "name",
    "type",
    "pre",
    "post",
    "unitType",
    "unit",
    "city",
    "zip",
  ] as const;
  return parts.every((part) => a[part] === b[part]);
}

/**
 * True for a row of another type or name than its reading asks for, where the street as asked exists in its county. A reading
 * without a type asks for the street of that name, of whatever type.
 */
function isOtherStreet(set: ParcelSet, {row, address, asked, isCorrected}: Fit): boolean {
  const {name, type} = asked;
  if (name === null) return false;
  const isOtherType = type !== null && address.type !== null && type !== address.type;
  if (!isOtherType && !isCorrected) return false;
  const county = set.parcels.string("county_key").at(row) ?? "";
  return type === null ? hasStreetOfAnyType(set, name, county) : hasStreet(set, {name, type}, county);
}
