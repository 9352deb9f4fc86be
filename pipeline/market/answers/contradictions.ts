import {roundHalfAway} from "../../../lib/rounding.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import type {PriceUnit} from "../../../schemas/price-row.ts";
import {headTolerance, largestLot, outlier, plausible} from "./bounds.ts";

/** A number and who tells it where. */
type Told = {source: string; ref: string; value: number};
type Sides = {a: Told; b: Told; difference: number; tolerance: number};
type Said = Pick<Contradiction, "kind" | "field" | "resolution">;

const leftOut: Said = {kind: "outlier", field: "price_avg", resolution: "left out of aggregates"};
const derived = "derived-aggregates";

function contradiction({kind, field, resolution}: Said, {a, b, difference, tolerance}: Sides): Contradiction {
  const rounded = {difference: roundHalfAway(difference, 2), tolerance: roundHalfAway(tolerance, 2)};
  return {kind, field, a, b, ...rounded, resolution};
}

/** The contradiction of two numbers that are farther apart than a tolerance, each told in cents; null when they agree. */
function compared(said: Said, a: Told, b: Told, tolerance: number): Contradiction | null {
  const difference = b.value - a.value;
  const inCents = ({source, ref, value}: Told) => ({source, ref, value: roundHalfAway(value, 2)});
  if (Math.abs(difference) <= tolerance) return null;
  return contradiction(said, {a: inCents(a), b: inCents(b), difference, tolerance});
}

/** The contradiction of a row's number and a limit or a usual value that it is off. */
function off(said: Said, a: Told, b: Told, tolerance: number): Contradiction {
  return contradiction(said, {a, b, difference: a.value - b.value, tolerance});
}

/** Largest difference at which an official state figure and our roll-up over its own period agree, in the price's unit. */
export function rollupTolerance(official: number, unit: PriceUnit): number {
  return unit === "per_cwt" ? Math.max(3, 0.02 * official) : 0.02 * official;
}

/**
 * The contradictions of an official summary and the roll-up of the venues' own reports over the summary's period; an
 * empty list when they agree.
 */
export function rollupVsSummary(
  {price, ...official}: {price: number; source: string; ref: string},
  rollup: {price: number; ref: string},
  unit: PriceUnit,
): Contradiction[] {
  const resolution = "official summary published; roll-up kept for checking only";
  const found = compared(
    {kind: "rollup_vs_summary", field: "price_avg", resolution},
    {...official, value: price},
    {source: derived, ref: rollup.ref, value: rollup.price},
    rollupTolerance(price, unit),
  );
  return found === null ? [] : [found];
}

/** A row that is priced and stays out of aggregates. */
export type LeftOutRow = {
  source: string;
  ref: string;
  issue: string;
  price: number;
  median: number;
  head: number;
  receipts: number | null;
};

/** A row that is far off its cell's median: kept in the latest prices, left out of aggregates. */
export function outlierFound({source, ref, price, median}: LeftOutRow): Contradiction {
  const usual = {source: derived, ref: `median of the cell over ${outlier.days} days`, value: median};
  return off(leftOut, {source, ref, value: price}, usual, outlier.share * median);
}

/** A row whose price is far from those of its class and weight in its own report: kept in the latest prices, left out of aggregates. */
export function implausiblePrice({source, ref, price, median}: LeftOutRow): Contradiction {
  const share = price < median ? 1 - plausible.low : plausible.high - 1;
  const of = `median of its class and weight in the report over ${plausible.days} days`;
  const usual = {source: derived, ref: of, value: median};
  return off({...leftOut, kind: "implausible_price"}, {source, ref, value: price}, usual, share * median);
}

/**
 * The contradiction of a row whose head count cannot be right: negative, above all head of its sale, or more than any lot has.
 * The row is served as published and stays out of aggregates.
 */
export function headCannotBe({source, ref, issue, head, receipts}: LeftOutRow): Contradiction {
  const overReceipts = receipts !== null && head > headTolerance * receipts;
  const limit = head < 0 ? 0 : overReceipts ? receipts : largestLot;
  return off(
    {kind: "head_exceeds_receipts", field: "head_count", resolution: "row left out of aggregates"},
    {source, ref, value: head},
    {source, ref: overReceipts ? `${issue} receipts` : "head counts that a row can have", value: limit},
    overReceipts ? (headTolerance - 1) * limit : 0,
  );
}

type HeadOfSale = {source: string; ref: string; head: number; receipts: number};

/** A sale whose rows have more head than came to it, as a contradiction; an empty list up to 2 % more. */
export function headExceedsReceipts({source, ref, head, receipts}: HeadOfSale): Contradiction[] {
  const tolerance = 0.02 * receipts;
  if (head - receipts <= tolerance) return [];
  const said = {kind: "head_exceeds_receipts", field: "receipts", resolution: "unresolved"} as const;
  const sold = {source, ref: `${ref} rows`, value: head};
  return [off(said, sold, {source, ref: `${ref} receipts`, value: receipts}, tolerance)];
}

/** A source that tells of a sale: the published issue, or one that it replaced. */
export type Witness = {source: string; ref: string; status: string | null; published: string | null};

/**
 * The reason why `a` is published and not `b`, in the order of `docs/design/market.md` section 6: final over preliminary,
 * the later issue over the earlier, the market-news service over a transcription of its printed report; else `unresolved`.
 */
export function resolutionOf(a: Witness, b: Witness): string {
  if (a.status === "final" && b.status === "preliminary") return "final issue published";
  if (a.published !== null && b.published !== null && a.published > b.published)
    return "later issue published";
  return a.source === "mars" && b.source !== "mars" ? "primary feed published" : "unresolved";
}

/** One cell's price at one sale as two sources tell it; `a` is published. */
export type PricePair = {a: Witness & {price: number}; b: Witness & {price: number}; price_unit: PriceUnit};

/** The contradiction of two sources on the price of one cell at one sale; null when they agree. */
export function sameCellPrice({a, b, price_unit}: PricePair): Contradiction | null {
  const tolerance = price_unit === "per_cwt" ? Math.max(0.01, 0.005 * a.price) : 0.005 * a.price;
  const said = {kind: "same_cell_price", field: "price_avg", resolution: resolutionOf(a, b)} as const;
  return compared(said, {...a, value: a.price}, {...b, value: b.price}, tolerance);
}

type EventSide = Witness & {receipts: number | null; head: number | null};

/** The head of one sale as two sources tell it; `a` is published. */
export type EventPair = {a: EventSide; b: EventSide};

/**
 * The contradiction of two sources on the head of one sale; null when they agree within 5 head or 5 %. Receipts count where both state
 * them, else the head of their rows: rows that one of them lost are no disagreement on receipts.
 */
export function sameEventHead({a, b}: EventPair): Contradiction | null {
  const both = a.receipts !== null && b.receipts !== null;
  const [own, other] = both ? [a.receipts, b.receipts] : [a.head, b.head];
  if (own === null || other === null) return null;
  const field = both ? "receipts" : "head_count";
  const said = {kind: "same_event_head", field, resolution: resolutionOf(a, b)} as const;
  return compared(said, {...a, value: own}, {...b, value: other}, Math.max(5, 0.05 * own));
}

/** The findings of several checks as one list; null when no check had anything to compare with. */
export function togetherFound(...checks: readonly (Contradiction[] | null)[]): Contradiction[] | null {
  const made = checks.filter((found) => found !== null);
  return made.length === 0 ? null : made.flat();
}
