import {roundHalfAway} from "../../../lib/rounding.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import type {PriceUnit} from "../../../schemas/price-row.ts";
import {headTolerance, largestLot, outlier, plausible} from "./bounds.ts";

/** A number with its source and reference. */
type Measured = {source: string; ref: string; value: number};
type Sides = {a: Measured; b: Measured; difference: number; tolerance: number};
type ContradictionLabel = Pick<Contradiction, "kind" | "field" | "resolution">;

const outlierLabel: ContradictionLabel = {
  kind: "outlier",
  field: "price_avg",
  resolution: "left out of aggregates",
};
const derived = "derived-aggregates";

function contradiction(
  {kind, field, resolution}: ContradictionLabel,
  {a, b, difference, tolerance}: Sides,
): Contradiction {
  const rounded = {difference: roundHalfAway(difference, 2), tolerance: roundHalfAway(tolerance, 2)};
  return {kind, field, a, b, ...rounded, resolution};
}

/** A contradiction if two numbers differ by more than the tolerance, with both rounded to cents for display; else null. */
function compare(
  label: ContradictionLabel,
  a: Measured,
  b: Measured,
  tolerance: number,
): Contradiction | null {
  const difference = b.value - a.value;
  const inCents = ({source, ref, value}: Measured) => ({source, ref, value: roundHalfAway(value, 2)});
  if (Math.abs(difference) <= tolerance) return null;
  return contradiction(label, {a: inCents(a), b: inCents(b), difference, tolerance});
}

/** The contradiction between a row's number and a limit or usual value, without testing the tolerance. */
function deviation(label: ContradictionLabel, a: Measured, b: Measured, tolerance: number): Contradiction {
  return contradiction(label, {a, b, difference: a.value - b.value, tolerance});
}

/** Maximum difference at which an official state figure and our roll-up over its period agree, in the unit of the price. */
export function rollupTolerance(official: number, unit: PriceUnit): number {
  return unit === "per_cwt" ? Math.max(3, 0.02 * official) : 0.02 * official;
}

/** Contradictions between an official summary and the roll-up of venue reports over the same period; empty if they agree. */
export function rollupVsSummary(
  {price, ...official}: {price: number; source: string; ref: string},
  rollup: {price: number; ref: string},
  unit: PriceUnit,
): Contradiction[] {
  const resolution = "official summary published; roll-up kept for checking only";
  const found = compare(
    {kind: "rollup_vs_summary", field: "price_avg", resolution},
    {...official, value: price},
    {source: derived, ref: rollup.ref, value: rollup.price},
    rollupTolerance(price, unit),
  );
  return found === null ? [] : [found];
}

/** A priced row that is excluded from aggregates. */
export type ExcludedRow = {
  source: string;
  ref: string;
  issue: string;
  price: number;
  median: number;
  head: number;
  receipts: number | null;
};

/** A row far from its cell's median: served in the latest prices, excluded from aggregates. */
export function outlierFinding({source, ref, price, median}: ExcludedRow): Contradiction {
  const usual = {source: derived, ref: `median of the cell over ${outlier.days} days`, value: median};
  return deviation(outlierLabel, {source, ref, value: price}, usual, outlier.share * median);
}

/**
 * A row priced far from others of its class and weight, or of its grade, in its report: served in the latest prices, excluded from aggregates.
 */
export function implausiblePriceFinding({source, ref, price, median}: ExcludedRow): Contradiction {
  const share = price < median ? 1 - plausible.low : plausible.high - 1;
  const of = `median of its class and weight, or of its grade, in the report over ${plausible.days} days`;
  const usual = {source: derived, ref: of, value: median};
  return deviation(
    {...outlierLabel, kind: "implausible_price"},
    {source, ref, value: price},
    usual,
    share * median,
  );
}

/**
 * A row with an impossible head count: negative, above the receipts of its sale, or larger than any lot. It is served as
 * published and excluded from aggregates.
 */
export function impossibleHeadFinding({source, ref, issue, head, receipts}: ExcludedRow): Contradiction {
  const overReceipts = receipts !== null && head > headTolerance * receipts;
  const limit = head < 0 ? 0 : overReceipts ? receipts : largestLot;
  return deviation(
    {kind: "head_exceeds_receipts", field: "head_count", resolution: "row left out of aggregates"},
    {source, ref, value: head},
    {source, ref: overReceipts ? `${issue} receipts` : "head counts that a row can have", value: limit},
    overReceipts ? (headTolerance - 1) * limit : 0,
  );
}

type HeadOfSale = {source: string; ref: string; head: number; receipts: number};

/** A contradiction if the rows of a sale have over 2 % more head than its receipts; else an empty list. */
export function headExceedsReceipts({source, ref, head, receipts}: HeadOfSale): Contradiction[] {
  const tolerance = 0.02 * receipts;
  if (head - receipts <= tolerance) return [];
  const label = {kind: "head_exceeds_receipts", field: "receipts", resolution: "unresolved"} as const;
  const sold = {source, ref: `${ref} rows`, value: head};
  return [deviation(label, sold, {source, ref: `${ref} receipts`, value: receipts}, tolerance)];
}

/** A source of a sale: the published issue, or one that it replaced. */
export type Witness = {source: string; ref: string; status: string | null; published: string | null};

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

/** A contradiction if two sources disagree on the price of one cell at one sale; else null. */
export function sameCellPrice({a, b, price_unit}: PricePair): Contradiction | null {
  const tolerance = price_unit === "per_cwt" ? Math.max(0.01, 0.005 * a.price) : 0.005 * a.price;
  const label = {kind: "same_cell_price", field: "price_avg", resolution: resolutionOf(a, b)} as const;
  return compare(label, {...a, value: a.price}, {...b, value: b.price}, tolerance);
}

type EventSide = Witness & {receipts: number | null; head: number | null};

/** The head of one sale in two sources; `a` is published. */
export type EventPair = {a: EventSide; b: EventSide};

/**
 * A contradiction if two sources differ on the head of one sale by more than 5 head and 5 %; else null. Compares receipts if
 * both state them, else the head of their rows: rows that one source lost do not make the receipts disagree.
 */
export function sameEventHead({a, b}: EventPair): Contradiction | null {
  const both = a.receipts !== null && b.receipts !== null;
  const [own, other] = both ? [a.receipts, b.receipts] : [a.head, b.head];
  if (own === null || other === null) return null;
  const field = both ? "receipts" : "head_count";
  const label = {kind: "same_event_head", field, resolution: resolutionOf(a, b)} as const;
  return compare(label, {...a, value: own}, {...b, value: other}, Math.max(5, 0.05 * own));
}

/** Merges the findings of several checks; null if no check had anything to compare with. */
export function mergeFindings(...checks: readonly (Contradiction[] | null)[]): Contradiction[] | null {
  const made = checks.filter((found) => found !== null);
  return made.length === 0 ? null : made.flat();
}
