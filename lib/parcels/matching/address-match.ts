import {cityScore, unitScore, zipScore} from "../address/address-components.ts";
import {type AddressLookupKeys, addressLookupKeys} from "../address/address-keys.ts";
import {type AddressMatch, scoreAddress} from "../address/address-score.ts";
import {isWholeName, type NearNames, nameBeginning, nearNameKeys, nearNames} from "../address/near-names.ts";
import {otherReadings} from "../address/other-readings.ts";
import type {ScoredAddress} from "../address/parsed-address.ts";
import type {ParcelSet} from "../artifacts.ts";
import {inCounties, type RowTest} from "./county-filter.ts";
import {hasTown} from "./known-places.ts";
import {rowAddress} from "./row-address.ts";

type AddressQuestion = {
  readonly address: ScoredAddress;
  /** City and ZIP that the caller gave beside the line; those of `address` may come from the line. */
  readonly named?: Pick<ScoredAddress, "city" | "zip">;
  /** County keys; null for any county. */
  readonly counties: ReadonlySet<string> | null;
};

/** A row that fits an address. */
export type AddressHit = {readonly set: ParcelSet; readonly row: number; readonly match: AddressMatch};

/** Limit of the rows of one key: far more than any house number of a state has under one beginning of a name. */
const mostOfKey = 50_000;

/**
 * Finds the rows of a set that fit an address, best first (type, then score, then row). After a row that fits in every
 * component, other readings of the line and corrected names are not searched: they could neither win nor make it
 * ambiguous.
 */
export function findAddress(
  set: ParcelSet,
  {address, counties, named = {city: null, zip: null}}: AddressQuestion,
): AddressHit[] {
  const keys = addressLookupKeys(address, address.raw ?? "");
  const asLine = {...address, ...named};
  const search: Search = {set, address, asLine, inCounty: inCounties(set, counties), seen: new Map()};
  for (const key of [...keys.exact, ...keys.folded]) {
    for (const {row} of set.addresses.find(key, mostOfKey)) consider(search, row);
  }
  if (!fitsWholly(search)) considerReadings(search);
  if (!fitsWholly(search)) considerMisspelt(search, keys);
  return [...search.seen]
    .flatMap(([row, match]) => (match === null ? [] : [{set, row, match}]))
    .sort((a, b) => compareMatches(a.match, b.match) || a.row - b.row);
}

function fitsWholly({seen}: Search): boolean {
  for (const match of seen.values()) if (match !== null && match.type !== "fuzzy") return true;
  return false;
}

const ranks = {exact: 0, normalized: 1, fuzzy: 2} as const;

/** Orders better matches before worse ones: by type, then by score. */
export function compareMatches(
  a: Pick<AddressMatch, "type" | "score">,
  b: Pick<AddressMatch, "type" | "score">,
): number {
  return ranks[a.type] - ranks[b.type] || b.score - a.score;
}

type Search = {
  readonly set: ParcelSet;
  readonly address: ScoredAddress;
  /** The address with only the city and ZIP of the parameters. */
  readonly asLine: ScoredAddress;
  readonly inCounty: RowTest;
  /** The match of each row that was considered, or null. */
  readonly seen: Map<number, AddressMatch | null>;
};

/** Considers the rows with the exact name of another reading; a row that was considered before keeps its better match. */
function considerReadings({set, address, asLine, inCounty, seen}: Search): void {
  for (const other of otherReadings(address, (name) => hasTown(set, name))) {
    const reading = {...other, city: asLine.city ?? other.city};
    for (const key of addressLookupKeys(reading, "").exact) {
      for (const {row} of set.addresses.find(key, mostOfKey)) {
        if (!inCounty(row) || isElsewhere(set, row, reading)) continue;
        const [before, match] = [seen.get(row) ?? null, scoreAddress(reading, rowAddress(set.parcels, row))];
        if (match !== null && (before === null || compareMatches(match, before) < 0)) seen.set(row, match);
      }
    }
  }
}

/** Considers highways of another class, and near names at the numbers of the query. */
function considerMisspelt(search: Search, {otherClasses, numbers}: AddressLookupKeys): void {
  const {addresses} = search.set;
  for (const key of otherClasses) for (const {row} of addresses.find(key, mostOfKey)) consider(search, row);
  const near = nearNames(search.address.name ?? "");
  const starts = nearBeginnings(search, near);
  for (const number of numbers) {
    for (const start of starts) {
      const key = `${number}|${start}`;
      if (isWholeName(start)) {
        for (const {row} of addresses.find(key, mostOfKey)) consider(search, row);
        continue;
      }
      for (const {key: found, row} of addresses.prefix(key, mostOfKey)) {
        if (near.isNear(found.slice(number.length + 1))) consider(search, row);
      }
    }
  }
}

/** Gives the beginnings of the set's street names that near names may have. A key names one row for each beginning. */
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

function consider({set, address, asLine, inCounty, seen}: Search, row: number): void {
  if (seen.has(row) || !inCounty(row)) return;
  if (isOtherUnit(set, row, address)) seen.set(row, null);
  else if (!isElsewhere(set, row, address))
    seen.set(row, scoreAddress(address, rowAddress(set.parcels, row)));
  else
    seen.set(row, isSameLine(set, row, asLine) ? scoreAddress(asLine, rowAddress(set.parcels, row)) : null);
}

/** True for the exact line of a row, which has that row's town whatever its last words were read as (`… RD RR`). */
function isSameLine({parcels}: ParcelSet, row: number, asLine: ScoredAddress): boolean {
  const line = asLine.raw?.trim().toUpperCase();
  return parcels.text("situs_raw").at(row)?.trim().toUpperCase() === line;
}

/** True for another unit, which rules out all but one row of a large building before their other parts are read. */
function isOtherUnit({parcels}: ParcelSet, row: number, address: ScoredAddress): boolean {
  if (address.unit === null) return false;
  const [unit, unitType] = [parcels.string("situs_unit").at(row), parcels.string("situs_unit_type").at(row)];
  return unit !== null && unitScore(address, {unit, unitType}) === "reject";
}

/** True for another town and ZIP, which rules out most rows of a common address before their other parts are read. */
function isElsewhere({parcels}: ParcelSet, row: number, {city, zip}: ScoredAddress): boolean {
  if (city === null && zip === null) return false;
  const byZip = zip === null ? null : zipScore(zip, parcels.string("zip").at(row));
  if (byZip?.score === 1) return false;
  const byCity = city === null ? null : cityScore(city, parcels.string("city").at(row));
  if (byCity?.score === 1) return false;
  return byZip !== null || byCity !== null;
}
