import {
  haveSharedCuts,
  type ParcelIdReading,
  type ParcelIdSpellings,
  parcelIdSpellings,
} from "../parcel-id/parcel-id-spellings.ts";
import type {ParcelSet} from "../parcel-set.ts";
import type {Choice} from "./address-choice.ts";
import {countedRows} from "./use-filter.ts";

/** How a row's parcel number matches a query, with the level at which the two are equal. */
type ParcelIdMatch = {
  readonly type: "exact" | "normalized" | "fuzzy";
  readonly score: number;
  /** 0 raw, 1 tok, 2 std, 3 loose; a lookup stops at the lowest level with hits. */
  readonly level: 0 | 1 | 2 | 3;
  readonly alternate: boolean;
};

/** A row whose parcel number or other id matches the query. */
export type ParcelIdHit = {readonly set: ParcelSet; readonly row: number; readonly match: ParcelIdMatch};

type ParcelIdQuestion = {
  readonly readings: readonly ParcelIdReading[];
  /** County keys; null for any county. */
  readonly counties: ReadonlySet<string> | null;
};

/**
 * Finds the rows of the sets with the number in any spelling, each with its best match over all readings.
 * Rows that differ in leading zeros are searched only in sets without a closer match, because they could not
 * win otherwise.
 */
export function findParcelId(sets: readonly ParcelSet[], question: ParcelIdQuestion): ParcelIdHit[] {
  return sets.flatMap((set) => {
    const found = new Map<number, ParcelIdHit>();
    for (const reading of question.readings) {
      if (reading.state === null || reading.state === set.state) addHits(found, {set, reading, ...question});
    }
    return [...found.values()];
  });
}

/**
 * Chooses the hits of the lowest level that has any. If there are several, the caller decides; a parcel's own
 * number sorts before its other ids.
 */
export function chooseParcelId(hits: readonly ParcelIdHit[]): Choice<ParcelIdHit> {
  // A uid from an answer identifies one parcel, even if its county uses the number twice.
  const byUid = hits.filter(({match}) => match === uidMatch);
  if (byUid.length === 1) return {kind: "one", hit: byUid[0]!, stack: false};
  const level = Math.min(...hits.map(({match}) => match.level));
  const winning = hits
    .filter(({match}) => match.level === level)
    .sort((a, b) => b.match.score - a.match.score || compareUids(a, b));
  const [best] = winning;
  if (best === undefined) return {kind: "none"};
  return winning.length === 1 ? {kind: "one", hit: best, stack: false} : {kind: "several", hits: winning};
}

type ReadingSearch = {set: ParcelSet; reading: ParcelIdReading; counties: ReadonlySet<string> | null};

function addHits(hits: Map<number, ParcelIdHit>, {set, reading, counties}: ReadingSearch): void {
  const isCounted = countedRows(set, counties);
  const inReading = reading.countyKey === null ? isCounted : countedRows(set, new Set([reading.countyKey]));
  const {std, loose} = reading.spellings;
  for (const key of new Set([std, loose])) {
    if (key === "" || (key !== std && hasSureHit(hits))) continue;
    for (const {row} of set.ids.find(key)) {
      if (!isCounted(row) || !inReading(row)) continue;
      const match = matchOf(set, row, reading);
      const earlierHit = hits.get(row);
      const isBetter =
        earlierHit === undefined || match === uidMatch || (match?.score ?? 0) > earlierHit.match.score;
      if (match !== null && isBetter) hits.set(row, {set, row, match});
    }
  }
}

/** True when a row has the number with all its zeros. */
function hasSureHit(found: ReadonlyMap<number, ParcelIdHit>): boolean {
  for (const {match} of found.values()) if (match.level < 3) return true;
  return false;
}

function matchOf(
  {parcels}: ParcelSet,
  row: number,
  {spellings, countyKey, id}: ParcelIdReading,
): ParcelIdMatch | null {
  if (countyKey !== null) {
    const uid = parcels.text("parcel_uid").at(row) ?? "";
    if (uid.toUpperCase() === `${countyKey}-${id}`.toUpperCase()) return uidMatch;
  }
  return parcelIdMatchLevel(
    spellings,
    parcels.text("parcel_id").at(row),
    parcels.list("alt_ids").at(row) ?? [],
  );
}

const uidMatch: ParcelIdMatch = {type: "exact", score: 1, level: 0, alternate: false};

const levels = [
  {form: "raw", type: "exact", score: 1, alternateScore: 0.98},
  {form: "tok", type: "normalized", score: 0.98, alternateScore: 0.96},
  {form: "std", type: "normalized", score: 0.95, alternateScore: 0.93},
  {form: "loose", type: "fuzzy", score: 0.8, alternateScore: 0.78},
] as const;

/**
 * The first level (raw, tok, std, loose) at which a row's parcel number, or else one of its other ids, equals
 * the query; null when none does (docs/design/parcels.md section 5.1).
 */
export function parcelIdMatchLevel(
  query: ParcelIdSpellings,
  rowId: string | null,
  altIds: readonly string[] = [],
): ParcelIdMatch | null {
  const own = rowId === null ? null : parcelIdSpellings(rowId);
  const others = altIds.map((id) => parcelIdSpellings(id));
  for (const [at, {form, type, score, alternateScore}] of levels.entries()) {
    const wanted = query[form];
    if (wanted === "") continue;
    const level = at as ParcelIdMatch["level"];
    const fits = (row: ParcelIdSpellings) => row[form] === wanted && isSameNumber(form, query.tok, row.tok);
    if (own !== null && fits(own)) return {type, score, level, alternate: false};
    if (others.some(fits)) {
      return {type, score: alternateScore, level, alternate: true};
    }
  }
  return null;
}

/**
 * False for two numbers that only look alike once their parts are joined: `14-36` is not `143-6`, and without
 * zeros `1-049` is not `10-49`. A number may be written without hyphens; with its zeros one may be split
 * further than the other (`1-4-9-0`, `1-49-0`), never at other places.
 */
function isSameNumber(form: keyof ParcelIdSpellings, a: string, b: string): boolean {
  if (form === "raw" || form === "tok") return true;
  const [own, other] = [a.split("-"), b.split("-")];
  if (own.length < 2 || other.length < 2) return true;
  if (form === "std") return haveSharedCuts(own, other);
  return withoutZeros(own) === withoutZeros(other);
}

function withoutZeros(parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/^0+/, ""))
    .filter((part) => part !== "")
    .join("-");
}

function compareUids(a: ParcelIdHit, b: ParcelIdHit): number {
  const [first, second] = [uidOf(a), uidOf(b)];
  return first < second ? -1 : Number(first > second);
}

function uidOf({set, row}: ParcelIdHit): string {
  return set.parcels.text("parcel_uid").at(row) ?? "";
}
