import {cityScore, zipScore} from "../address/address-components.ts";
import {addressLookupKeys} from "../address/address-keys.ts";
import {type AddressMatch, scoreAddress} from "../address/address-score.ts";
import {editDistance, editsAllowed} from "../address/edit-distance.ts";
import type {ScoredAddress} from "../address/parsed-address.ts";
import type {ParcelSet} from "../parcel-artifacts.ts";
import {rowAddress} from "../parcel-record/values.ts";
import {inCounties, type RowTest} from "./county-filter.ts";

export type AddressQuestion = {
  readonly address: ScoredAddress;
  /** City and ZIP that the caller named beside the line; those of `address` may have been read from it. */
  readonly named?: Pick<ScoredAddress, "city" | "zip">;
  /** County keys; null for any county. */
  readonly counties: ReadonlySet<string> | null;
};

/** A row that fits an address. */
export type AddressHit = {readonly set: ParcelSet; readonly row: number; readonly match: AddressMatch};

/** Rows of one key: far more than any house number of a state has under one beginning of a name. */
const mostOfKey = 50_000;

/**
 * The rows of a set that fit an address, best first (type, then score, then row). Where one fits in every component, no corrected
 * names are looked for: they can then neither win nor make it ambiguous.
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
  if (![...search.seen.values()].some((match) => match !== null && match.type !== "fuzzy")) {
    considerMisspelt(search, keys);
  }
  return [...search.seen]
    .flatMap(([row, match]) => (match === null ? [] : [{set, row, match}]))
    .sort((a, b) => compareMatches(a.match, b.match) || a.row - b.row);
}

const ranks = {exact: 0, normalized: 1, fuzzy: 2} as const;

/** Better matches before worse ones: by type, then by score. */
export function compareMatches(
  a: Pick<AddressMatch, "type" | "score">,
  b: Pick<AddressMatch, "type" | "score">,
): number {
  return ranks[a.type] - ranks[b.type] || b.score - a.score;
}

type Search = {
  readonly set: ParcelSet;
  readonly address: ScoredAddress;
  /** The address with the city and ZIP of the parameters alone. */
  readonly asLine: ScoredAddress;
  readonly inCounty: RowTest;
  /** What came of each row that was looked at. */
  readonly seen: Map<number, AddressMatch | null>;
};

/** Names that begin with the same two letters, and those that end alike: an error leaves one of the two alone. */
function considerMisspelt(search: Search, keys: ReturnType<typeof addressLookupKeys>): void {
  const {set, address} = search;
  const isNear = nearName(address.name ?? "");
  for (const prefix of keys.prefixes) {
    for (const {key, row} of set.addresses.prefix(prefix, mostOfKey)) {
      if (isNear(key.slice(key.indexOf("|") + 1))) consider(search, row);
    }
  }
  const names = set.parcels.text("situs_name");
  const isHighway = keys.sounds.some((key) => key.includes("~#"));
  for (const key of keys.sounds) {
    for (const {row} of set.addresses.find(key, mostOfKey)) {
      if (isHighway || isNear(names.at(row) ?? "")) consider(search, row);
    }
  }
}

/** Says whether a name is at most as many edits away as a name of its length may be; of each name once. */
function nearName(name: string): (other: string) => boolean {
  let last = {other: "", near: false};
  return (other) => {
    if (other !== last.other) {
      const longer = other.length > name.length ? other : name;
      const allowed = editsAllowed(longer);
      last = {other, near: editDistance(name, other, allowed) <= allowed};
    }
    return last.near;
  };
}

function consider({set, address, asLine, inCounty, seen}: Search, row: number): void {
  if (seen.has(row) || !inCounty(row)) return;
  if (!isElsewhere(set, row, address)) seen.set(row, scoreAddress(address, rowAddress(set.row(row))));
  else seen.set(row, isSameLine(set, row, asLine) ? scoreAddress(asLine, rowAddress(set.row(row))) : null);
}

/** The very line of a row has that row's town, whatever its last words were read as (`… RD RR`). */
function isSameLine({parcels}: ParcelSet, row: number, asLine: ScoredAddress): boolean {
  const line = asLine.raw?.trim().toUpperCase();
  return parcels.text("situs_raw").at(row)?.trim().toUpperCase() === line;
}

/** Town and ZIP alone rule most rows of a common address out, before their other parts are read. */
function isElsewhere({parcels}: ParcelSet, row: number, {city, zip}: ScoredAddress): boolean {
  if (city === null && zip === null) return false;
  const byZip = zip === null ? null : zipScore(zip, parcels.string("zip").at(row));
  if (byZip?.score === 1) return false;
  const byCity = city === null ? null : cityScore(city, parcels.string("city").at(row));
  if (byCity?.score === 1) return false;
  return byZip !== null || byCity !== null;
}
