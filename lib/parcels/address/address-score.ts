import {
  directionalScore,
  nameScore,
  numberScore,
  type PartScore,
  typeScore,
  unitScore,
} from "./address-components.ts";
import {foldText} from "./fold-text.ts";
import type {ScoredAddress} from "./parsed-address.ts";

/** A match of a row's address with a query's. */
export type AddressMatch = {
  readonly type: "exact" | "normalized" | "fuzzy";
  /** 0 to 1, two decimals. */
  readonly score: number;
  readonly notes: string[];
};

const leastScore = 0.8;
/** Notes of a town or ZIP that nothing known of the row confirms, and the most that such a match scores. */
const uncheckedNotes: ReadonlySet<string> = new Set(["locality_unchecked", "city_unknown"]);
const mostUnchecked = 0.95;

/** True for the notes of a match whose town or ZIP could not be checked. */
export function isUnchecked(notes: readonly string[]): boolean {
  return notes.some((note) => uncheckedNotes.has(note));
}

/** Cost of each word of the query that was not used. */
const perDroppedWord = 0.1;

/**
 * Scores a row against a query by the component table of docs/design/parcels.md section 7; null when the two do not match.
 * `place` are the scores of city and ZIP. A row without a house number never matches, except that `legal_only` and
 * `name_only` rows match an equal folded text.
 */
export function scoreAddress(
  query: ScoredAddress,
  row: ScoredAddress,
  place: readonly PartScore[],
): AddressMatch | null {
  if (row.status === "legal_only" || row.status === "name_only") return foldedMatch(query, row);
  if (row.status !== "numbered" || query.number === null || query.name === null) return null;
  const street = streetScores(query, row);
  if (street === null) return null;
  const parts = [...street, ...place];
  const isSame = sameText(query.raw, row.raw);
  const dropped = isSame ? 0 : (query.dropped ?? 0);
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  const exactSum = parts.reduce((sum, part) => sum + part.weight * part.score, 0);
  const notes = parts.flatMap((part) => (part.note === null ? [] : [part.note]));
  const share = roundedShare(exactSum - dropped * perDroppedWord * weight, weight);
  const score = isUnchecked(notes) ? Math.min(share, mostUnchecked) : share;
  if (dropped > 0) notes.push("words_dropped");
  if (dropped === 0 && parts.every((part) => part.score === 1)) {
    return {type: isSame ? "exact" : "normalized", score: 1, notes};
  }
  return score >= leastScore ? {type: "fuzzy", score, notes: [...new Set(notes)]} : null;
}

/** Gives the counted components of the street, or null when one of them rules the row out. */
function streetScores(query: ScoredAddress, row: ScoredAddress): PartScore[] | null {
  const parts: PartScore[] = [];
  for (const compare of [numberScore, nameScore, directionalScore, typeScore, unitScore]) {
    const part = compare(query, row);
    if (part === "reject") return null;
    if (part !== null) parts.push(part);
  }
  return parts;
}

/** Rounds a share half up to two decimals; it is first rounded at nine, so that 0.835 does not count as 0.83499. */
function roundedShare(sum: number, weight: number): number {
  return Math.floor(Math.round((sum / weight) * 1e9) / 1e7 + 0.5) / 100;
}

function foldedMatch(query: ScoredAddress, row: ScoredAddress): AddressMatch | null {
  const asked = foldText(query.raw ?? "");
  if (asked === "" || asked !== foldText(row.raw ?? "")) return null;
  return {type: sameText(query.raw, row.raw) ? "exact" : "normalized", score: 1, notes: []};
}

function sameText(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a.trim().toUpperCase() === b.trim().toUpperCase();
}
