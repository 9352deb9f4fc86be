import {distanceMiles} from "@open-cattle/parcel-outlines";
import {
  type AddressMatch,
  compareMatches,
  numberScore,
  otherReadings,
  parseAddress,
  type ScoredAddress,
  scoreAddress,
} from "@open-cattle/us-address";
import type {AddressHit} from "../../../lib/parcels/matching/address-match.ts";
import {hasTown} from "../../../lib/parcels/matching/known-places.ts";
import type {LocationQuestion} from "../../../lib/parcels/matching/location-match.ts";
import type {OwnerWords} from "../../../lib/parcels/matching/owner-match.ts";
import {parcelIdMatchLevel} from "../../../lib/parcels/matching/parcel-id-match.ts";
import {rowPlace} from "../../../lib/parcels/matching/row-address.ts";
import type {UseQuestion} from "../../../lib/parcels/matching/use-filter.ts";
import {ownerRolesScorer} from "../../../lib/parcels/owner/owner-score.ts";
import {searchTokens} from "../../../lib/parcels/owner/owner-tokens.ts";
import {parcelIdReadings} from "../../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import {PlaceQuestion} from "../../../lib/parcels/place/place-question.ts";
import {scoreOwner} from "../../lib/parcels/owner/score-owner.ts";
import type {PlainRow} from "./plain-rows.ts";

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The parcels that a number means, by the definition of `docs/design/parcels.md` section 5.1: `uid score` of the first level with hits. */
export function scanIds(rows: readonly PlainRow[], asked: string): string[] {
  const readings = parcelIdReadings(asked);
  const hits = rows.flatMap(({uid, state, county, id, altIds, idForms}) => {
    const [best] = readings
      .filter(({spellings}) => idForms.has(spellings.std) || idForms.has(spellings.loose))
      .filter((reading) => reading.state === null || reading.state === state)
      .filter((reading) => reading.countyKey === null || reading.countyKey === county)
      .flatMap(({spellings}) => parcelIdMatchLevel(spellings, id, altIds) ?? [])
      .sort((a, b) => b.score - a.score);
    return best === undefined ? [] : [{uid, ...best}];
  });
  const level = Math.min(...hits.map((hit) => hit.level));
  return hits.filter((hit) => hit.level === level).map(({uid, score}) => `${uid} ${score}`);
}

type Fit = {row: PlainRow; match: AddressMatch; byCounty: boolean};

/**
 * The rows of one set that an address fits, each scored: as the line was read, and where nothing fits that in every component, rows with
 * the very name of another reading too. A street as written is taken before corrected ones.
 */
export function scanAddress(rows: readonly PlainRow[], address: ScoredAddress): AddressHit[] {
  const [first] = rows;
  if (first === undefined) return [];
  const fits = new Map<PlainRow, Fit>();
  const place = new PlaceQuestion(address, first.state);
  const nowhere = new PlaceQuestion({city: null, zip: null}, first.state);
  for (const row of rows) {
    const isSameLine = row.address.raw?.trim().toUpperCase() === address.raw?.trim().toUpperCase();
    const fit = scored(address, isSameLine ? nowhere : place, row);
    if (fit !== null) fits.set(row, fit);
  }
  if (![...fits.values()].some(({match}) => match.type !== "fuzzy")) addReadings(fits, rows, address);
  return better(rows, address, [...fits.values()]).map(({row: {set, row}, match}) => ({set, row, match}));
}

function addReadings(fits: Map<PlainRow, Fit>, rows: readonly PlainRow[], address: ScoredAddress): void {
  const [first] = rows;
  for (const reading of otherReadings(address, (town) => hasTown(first!.set, town))) {
    const place = new PlaceQuestion(reading, first!.state);
    for (const row of rows) {
      const fit = row.address.name === reading.name ? scored(reading, place, row) : null;
      const before = fits.get(row);
      if (fit !== null && (before === undefined || compareMatches(fit.match, before.match) < 0))
        fits.set(row, fit);
    }
  }
}

function scored(address: ScoredAddress, place: PlaceQuestion, row: PlainRow): Fit | null {
  if (row.address.status === "numbered") {
    if (address.number === null || numberScore(address, row.address) === "reject") return null;
  }
  const where = place.compare(rowPlace(row.set, row.row));
  const line = row.address.raw ?? "";
  const dropped = row.address.status === "numbered" ? parseAddress(line, {state: row.state}).dropped : 0;
  const match =
    where === null ? null : scoreAddress(address, {...row.address, dropped}, where.parts, row.state);
  return match === null ? null : {row, match, byCounty: where!.byCounty};
}

function better(
  rows: readonly PlainRow[],
  {name, type, raw}: ScoredAddress,
  fits: readonly Fit[],
): readonly Fit[] {
  const isCorrected = ({match}: Fit) => match.notes.includes("street name corrected");
  const isStreet = (county: string) =>
    rows.some(
      (row) =>
        row.county === county &&
        row.address.status === "numbered" &&
        row.address.name === name &&
        row.address.type === type,
    );
  const isOther = (fit: Fit) =>
    isCorrected(fit) || (fit.row.address.type !== null && fit.row.address.type !== type);
  const allowed = fits.filter((fit) => type === null || !isOther(fit) || !isStreet(fit.row.county));
  const written = allowed.filter((fit) => !isCorrected(fit));
  const numbered = written.length > 0 ? written : allowed;
  const equal = numbered.filter(({row}) => firstWord(row.address.raw) === firstWord(raw));
  const streets = numbered.filter(
    (fit) =>
      equal.includes(fit) || !equal.some((each) => isEqualButNumber(each.row.address, fit.row.address)),
  );
  const cities = streets.filter(({byCounty}) => !byCounty);
  return cities.length > 0 ? cities : streets;
}

function firstWord(line: string | null): string {
  return line?.trim().toUpperCase().split(/\s/)[0] ?? "";
}

function isEqualButNumber(a: ScoredAddress, b: ScoredAddress): boolean {
  const rest = ({raw: _, number: __, ...parts}: ScoredAddress) => JSON.stringify(parts);
  return rest(a) === rest(b);
}

type Near = {uid: string; miles: number; contains: boolean; area: number; category: string | null};

/**
 * Gives the answer of a location search: uids with miles in order (parcels that hold the point first, the smallest before
 * others), and its counts.
 */
export function scanPlace(rows: readonly PlainRow[], question: LocationQuestion) {
  const inside = rows.flatMap((row) => nearRow(row, question) ?? []);
  const kept = inside.filter(({category}) => isKept(category, question)).sort(compareNear);
  const page = kept.slice(question.offset, question.offset + question.limit);
  return {
    hits: page.map(({uid, miles, contains}) => ({uid, miles, contains})),
    total: kept.length,
    beforeUse: inside.length,
    unclassified: isFiltered(question) ? inside.filter(({category}) => category === null).length : 0,
  };
}

function nearRow(row: PlainRow, {point, radiusMiles, withUnaddressed}: LocationQuestion): Near | null {
  const {set, uid, lat, lon, category, area, address} = row;
  if (lat === null || lon === null || !(withUnaddressed || address.status === "numbered")) return null;
  const contains = set.outlines?.holds(row.row, point) ?? false;
  const miles = distanceMiles(point, {lat, lon});
  if (!contains && (radiusMiles === 0 || miles > radiusMiles)) return null;
  return {uid, miles: Math.round(miles * 1000) / 1000, contains, area, category};
}

function compareNear(a: Near, b: Near): number {
  const byArea = a.contains && b.contains && a.area !== b.area ? a.area - b.area : 0;
  return Number(b.contains) - Number(a.contains) || byArea || a.miles - b.miles || compare(a.uid, b.uid);
}

function isFiltered({use, residential}: UseQuestion): boolean {
  return use !== null || residential !== null;
}

function isKept(category: string | null, question: UseQuestion): boolean {
  if (!isFiltered(question)) return true;
  if (category === null) return false;
  const {use, residential} = question;
  return (
    (residential === null || residential === (category === "residential")) &&
    (use === null || use.includes(category))
  );
}

/** The rows that an owner question hits, in the order of the answer, with their scores. */
export function scanOwners(rows: readonly PlainRow[], words: OwnerWords): {score: number; row: PlainRow}[] {
  const asked = "tokens" in words ? words.tokens : searchTokens(`${words.lastName} ${words.firstName ?? ""}`);
  const hits = rows.flatMap((row) => {
    const score = ownerScore(row, words, asked);
    return score === null ? [] : [{score, row}];
  });
  return hits.sort(
    (a, b) =>
      b.score - a.score ||
      compare(a.row.state, b.row.state) ||
      compare(a.row.county, b.row.county) ||
      compare(a.row.std, b.row.std) ||
      compare(a.row.uid, b.row.uid),
  );
}

function ownerScore({owner}: PlainRow, words: OwnerWords, asked: readonly string[]): number | null {
  if (owner === null) return null;
  const {tokens, names, lines} = owner;
  // A hit lacks one word at most.
  if (asked.filter((token) => !tokens.includes(token)).length > 1) return null;
  if (!("tokens" in words)) {
    const given = words.firstName === null ? {} : {firstName: words.firstName};
    return ownerRolesScorer({lastName: words.lastName, ...given})(names)?.score ?? null;
  }
  const texts = [...lines, ...names.map(({text}) => text)];
  return scoreOwner(words.tokens, {tokens, names: texts})?.score ?? null;
}
