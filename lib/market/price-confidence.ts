import type {Confidence, Contradiction} from "../../schemas/market-evidence.ts";
import {roundHalfAway} from "../rounding.ts";

/** A cell with fewer head than this (pairs: `thinPairs`) is thin. */
export const thinHead = 10;
/** A sale with fewer head (pairs) or pens of a cell says more about these cattle than about the market: it has no change. */
export const minimumForChange = {head: 20, pairs: 10, pens: 2};
export const thinPairs = 5;

/** The inputs of a price's confidence. */
export type ConfidenceInput = {
  /** Mean over the head of the factor of each sale's own age; null when no source states a date. */
  recency: number | null;
  head: number;
  coverage: number;
  agreement: number;
  thin?: boolean;
  estimate?: boolean;
  /** True for a figure that is known to lack sales: at most medium. */
  isUnsure?: boolean;
  outlier?: boolean;
};

/**
 * Confidence of a price: recency x volume x coverage x agreement, 4 decimals, with the caps of
 * `docs/design/market.md` section 6 (thin or outlier: low; estimate or unsure: at most medium; no source
 * date: unknown).
 */
export function priceConfidence(input: ConfidenceInput): Confidence {
  if (input.recency === null) return {level: "unknown", score: null, factors: null};
  return scored(
    {
      recency: input.recency,
      volume: Math.min(1, Math.sqrt(input.head / 100)),
      coverage: input.coverage,
      agreement: input.agreement,
    },
    input,
  );
}

/**
 * Confidence of a directory or schedule claim, by the age of its last check and whether the sale yard is
 * located.
 */
export function directoryConfidence(
  verifiedAge: number | null,
  atYard: boolean,
  agreement: number,
): Confidence {
  if (verifiedAge === null) return {level: "unknown", score: null, factors: null};
  const recency = verifiedAge <= 90 ? 1 : verifiedAge <= 365 ? 0.5 : 0.2;
  return scored({recency, volume: 1, coverage: atYard ? 0.9 : 0.6, agreement}, {});
}

/** The pens of a figure, how many venues sold them, and whether one sale or a wide spread keeps it from being sure. */
type CurveConfidence = {
  readonly pens: readonly {readonly head: number; readonly ageDays: number}[];
  readonly venues: number;
  readonly agreement: number;
  readonly isUnsure: boolean;
};

/** Confidence of a figure of a weight curve: recency by the age of each head, at most medium where it is unsure. */
export function curveConfidence({pens, venues, agreement, isUnsure}: CurveConfidence): Confidence {
  const head = pens.reduce((sum, pen) => sum + pen.head, 0);
  const recent = pens.reduce((sum, pen) => sum + pen.head * recencyPercent(pen.ageDays), 0);
  const factors = {
    recency: recent / head / 100,
    volume: Math.min(1, Math.sqrt(head / 100)),
    coverage: countyCoverage(venues),
    agreement,
  };
  return scored(factors, {isUnsure});
}

/** Coverage of a county figure. */
export function countyCoverage(venues: number): number {
  return venues >= 2 ? 1 : 0.9;
}

/** Coverage of a state roll-up. */
export function rollupCoverage(venues: number): number {
  if (venues >= 5) return 0.9;
  return venues >= 2 ? 0.7 : 0.4;
}

/** Coverage of an estimate, by the miles to the nearest contributor. */
export function estimateCoverage(nearestMiles: number): number {
  if (nearestMiles <= 25) return 0.6;
  if (nearestMiles <= 50) return 0.5;
  return nearestMiles <= 100 ? 0.3 : 0.15;
}

/**
 * Agreement: 1 when checked and equal, 0.9 with nothing to check against, less by the worst contradiction.
 */
export function agreementOf(contradictions: readonly Contradiction[] | null): number {
  if (contradictions === null) return 0.9;
  if (contradictions.length === 0) return 1;
  return contradictions.every(isSlight) ? 0.7 : 0.4;
}

/** Receipts of known sales may exceed those of a summary by this share before its figure counts as a poor one. */
const slightlyIncomplete = 0.1;

/** True for a settled difference within twice its tolerance; of an incomplete summary, within a tenth of what it states. */
function isSlight({kind, a, difference, tolerance, resolution}: Contradiction): boolean {
  if (resolution === "unresolved" || difference === null || tolerance === null) return false;
  const limit = kind === "summary_incomplete" ? slightlyIncomplete * Number(a.value) : 2 * tolerance;
  return (kind === "summary_incomplete" ? difference : Math.abs(difference)) <= limit;
}

/** Hundredths of the recency of a sale up to an age in days; an older one has none. Whole, so that their sums are exact. */
const recencyPercents: readonly (readonly [days: number, percent: number])[] = [
  [10, 100],
  [21, 80],
  [35, 50],
  [60, 25],
];

export function recencyPercent(age: number): number {
  return recencyPercents.find(([days]) => age <= days)?.[1] ?? 0;
}

/** SQL: the same of a column of ages. */
export function recencyPercentSql(age: string): string {
  return `CASE ${recencyPercents.map(([days, percent]) => `WHEN ${age} <= ${days} THEN ${percent}`).join(" ")} ELSE 0 END`;
}

type Factors = {recency: number; volume: number; coverage: number; agreement: number};

function scored(
  factors: Factors,
  {thin, estimate, isUnsure, outlier}: Pick<ConfidenceInput, "thin" | "estimate" | "isUnsure" | "outlier">,
): Confidence {
  const recency = roundHalfAway(factors.recency, 4);
  const score = roundHalfAway(recency * factors.volume * factors.coverage * factors.agreement, 4);
  const level = score >= 0.6 ? "high" : score >= 0.3 ? "medium" : "low";
  const capped = thin || outlier ? "low" : (estimate || isUnsure) && level === "high" ? "medium" : level;
  const rounded = {...factors, recency, volume: roundHalfAway(factors.volume, 4)};
  return {level: capped, score, factors: rounded};
}
