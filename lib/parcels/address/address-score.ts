import {
  cityScore,
  directionalScore,
  nameScore,
  numberScore,
  type PartScore,
  typeScore,
  unitScore,
  zipScore,
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

/**
 * Scores a row against a query by the component table of docs/design/parcels.md section 7; null when the two do not match.
 * A row without a house number never matches, except that `legal_only` and `name_only` rows match an equal folded text.
 */
export function scoreAddress(query: ScoredAddress, row: ScoredAddress): AddressMatch | null {
  if (row.status === "legal_only" || row.status === "name_only") return foldedMatch(query, row);
  if (row.status !== "numbered" || query.number === null || query.name === null) return null;
  const parts = componentScores(query, row);
  if (parts === null) return null;
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  const exactSum = parts.reduce((sum, part) => sum + part.weight * part.score, 0);
  const score = roundedShare(exactSum, weight);
  const notes = parts.flatMap((part) => (part.note === null ? [] : [part.note]));
  if (parts.every((part) => part.score === 1)) {
    return {type: sameText(query.raw, row.raw) ? "exact" : "normalized", score: 1, notes};
  }
  return score >= leastScore ? {type: "fuzzy", score, notes} : null;
}

/** Gives the counted components, or null when one of them rules the row out. */
function componentScores(query: ScoredAddress, row: ScoredAddress): PartScore[] | null {
  const city = cityScore(query.city, row.city);
  const zip = zipScore(query.zip, row.zip);
  const cityAgrees = city !== null && city.score === 1;
  const zipAgrees = zip !== null && zip.score === 1;
  // A town that differs is forgiven only where the ZIP agrees, and the other way round.
  if ((city !== null && !cityAgrees && !zipAgrees) || (zip !== null && !zipAgrees && !cityAgrees))
    return null;
  const parts: PartScore[] = [];
  for (const compare of [numberScore, nameScore, directionalScore, typeScore, unitScore]) {
    const part = compare(query, row);
    if (part === "reject") return null;
    if (part !== null) parts.push(part);
  }
  for (const part of [city, zip]) if (part !== null) parts.push(part);
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
