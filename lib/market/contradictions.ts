import type {Contradiction} from "../../schemas/market-evidence.ts";
import type {PriceUnit} from "../../schemas/vocabulary/price-row.ts";
import {roundHalfAway} from "../rounding.ts";

/** A number with its source and reference. */
type Measured = {source: string; ref: string; value: number};
type Label = Pick<Contradiction, "kind" | "field" | "resolution">;

/** The contradiction between a number and its limit or usual value; differences are rounded to cents. */
export function contradiction(
  {kind, field, resolution}: Label,
  a: Measured,
  b: Measured,
  {difference = a.value - b.value, tolerance}: {difference?: number; tolerance: number},
): Contradiction {
  const rounded = {difference: roundHalfAway(difference, 2), tolerance: roundHalfAway(tolerance, 2)};
  return {kind, field, a, b, ...rounded, resolution};
}

/** The contradiction between two numbers, rounded to cents, if they differ by more than the tolerance; else an empty list. */
function compare(label: Label, a: Measured, b: Measured, tolerance: number): Contradiction[] {
  const difference = b.value - a.value;
  const inCents = ({source, ref, value}: Measured) => ({source, ref, value: roundHalfAway(value, 2)});
  if (Math.abs(difference) <= tolerance) return [];
  return [contradiction(label, inCents(a), inCents(b), {difference, tolerance})];
}

/** A share of a price; per cwt at least `leastPerCwt`. */
function shareOf(price: number, unit: PriceUnit, share: number, leastPerCwt: number): number {
  return Math.max(unit === "per_cwt" ? leastPerCwt : 0, share * price);
}

/**
 * The contradiction between an official summary and the roll-up of venue reports over the same period if they differ by more
 * than 2 %, per cwt by more than 3 USD; else an empty list.
 */
export function rollupVsSummary(
  {price, ...official}: {price: number; source: string; ref: string},
  rollup: {price: number; ref: string},
  unit: PriceUnit,
): Contradiction[] {
  const resolution = "official summary published; roll-up kept for checking only";
  return compare(
    {kind: "rollup_vs_summary", field: "price_avg", resolution},
    {...official, value: price},
    {source: "derived-aggregates", ref: rollup.ref, value: rollup.price},
    shareOf(price, unit, 0.02, 3),
  );
}

type SummaryReceipts = {
  readonly stated: {readonly source: string; readonly ref: string; readonly head: number};
  readonly known: {readonly ref: string; readonly head: number};
};

/** The contradiction of an official summary that does not hold its whole period, between its receipts and those of the known sales. */
export function summaryIncomplete({stated, known}: SummaryReceipts): Contradiction {
  return contradiction(
    {
      kind: "summary_incomplete",
      field: "receipts",
      resolution:
        "the summary's figure is published; a newer version of it, or the missing sales, complete it",
    },
    {source: stated.source, ref: stated.ref, value: stated.head},
    {source: "derived-aggregates", ref: known.ref, value: known.head},
    {difference: known.head - stated.head, tolerance: Math.max(50, 0.02 * stated.head)},
  );
}

type HeadOfSale = {source: string; ref: string; head: number; receipts: number};

/** A contradiction if the rows of a sale have over 2 % more head than its receipts; else an empty list. */
export function headExceedsReceipts({source, ref, head, receipts}: HeadOfSale): Contradiction[] {
  const tolerance = 0.02 * receipts;
  if (head - receipts <= tolerance) return [];
  const label = {kind: "head_exceeds_receipts", field: "receipts", resolution: "unresolved"} as const;
  const sold = {source, ref: `${ref} rows`, value: head};
  return [contradiction(label, sold, {source, ref: `${ref} receipts`, value: receipts}, {tolerance})];
}

/** A source of a sale: the published issue, or one that it replaced. */
type Witness = {source: string; ref: string; status: string | null; published: string | null};

/**
 * Why `a` is published rather than `b`, in the order of `docs/design/market.md` section 6: final over preliminary, later over
 * earlier issue, the market-news service over a transcription of its printed report; else `unresolved`.
 */
export function resolutionOf(a: Witness, b: Witness): string {
  if (a.status === "final" && b.status === "preliminary") return "final issue published";
  if (a.published !== null && b.published !== null && a.published > b.published)
    return "later issue published";
  return a.source === "mars" && b.source !== "mars" ? "primary feed published" : "unresolved";
}

/** The price of one cell at one sale in two sources; `a` is published. */
export type PricePair = {a: Witness & {price: number}; b: Witness & {price: number}; price_unit: PriceUnit};

/** A contradiction if two sources differ on the price of one cell at one sale by more than 0.5 %; else an empty list. */
export function sameCellPrice({a, b, price_unit}: PricePair): Contradiction[] {
  const label = {kind: "same_cell_price", field: "price_avg", resolution: resolutionOf(a, b)} as const;
  const tolerance = shareOf(a.price, price_unit, 0.005, 0.01);
  return compare(label, {...a, value: a.price}, {...b, value: b.price}, tolerance);
}

type EventSide = Witness & {receipts: number | null; head: number | null};

/** The head of one sale in two sources; `a` is published. */
export type EventPair = {a: EventSide; b: EventSide};

/**
 * A contradiction if two sources differ on the head of one sale by more than 5 head and 5 %; else an empty list. Compares receipts if
 * both state them, else the head of their rows: rows that one source lost do not make the receipts disagree.
 */
export function sameEventHead({a, b}: EventPair): Contradiction[] {
  const both = a.receipts !== null && b.receipts !== null;
  const [own, other] = both ? [a.receipts, b.receipts] : [a.head, b.head];
  if (own === null || other === null) return [];
  const field = both ? "receipts" : "head_count";
  const label = {kind: "same_event_head", field, resolution: resolutionOf(a, b)} as const;
  return compare(label, {...a, value: own}, {...b, value: other}, Math.max(5, 0.05 * own));
}

/** Merges the findings of several checks; null if no check had anything to compare with. */
export function mergeFindings(
  ...checks: readonly (readonly Contradiction[] | null | undefined)[]
): Contradiction[] | null {
  const made = checks.filter((found) => found != null);
  return made.length === 0 ? null : made.flat();
}
