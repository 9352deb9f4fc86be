import {roundHalfAway} from "../../../lib/rounding.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {headTolerance, largestLot, outlier, plausible} from "./bounds.ts";

/** Largest difference at which an official state figure and our roll-up over its own period agree, in the price's unit. */
export function rollupTolerance(official: number, unit: "per_cwt" | "per_head" | "per_pair"): number {
  return unit === "per_cwt" ? Math.max(3, 0.02 * official) : 0.02 * official;
}

/**
 * The contradictions of an official summary and the roll-up of the venues' own reports over the summary's period; an
 * empty list when they agree.
 */
export function rollupVsSummary(
  official: {price: number; source: string; ref: string},
  rollup: {price: number; ref: string},
  unit: "per_cwt" | "per_head" | "per_pair",
): Contradiction[] {
  const tolerance = rollupTolerance(official.price, unit);
  const difference = rollup.price - official.price;
  if (Math.abs(difference) <= tolerance) return [];
  return [
    {
      kind: "rollup_vs_summary",
      field: "price_avg",
      a: {source: official.source, ref: official.ref, value: roundHalfAway(official.price, 2)},
      b: {source: "derived-aggregates", ref: rollup.ref, value: roundHalfAway(rollup.price, 2)},
      difference: roundHalfAway(difference, 2),
      tolerance: roundHalfAway(tolerance, 2),
      resolution: "official summary published; roll-up kept for checking only",
    },
  ];
}

/** A row that is far off its cell's median: kept in the latest prices, left out of aggregates. */
export function outlierFound(row: {
  source: string;
  ref: string;
  price: number;
  median: number;
}): Contradiction {
  return {
    kind: "outlier",
    field: "price_avg",
    a: {source: row.source, ref: row.ref, value: row.price},
    b: {source: "derived-aggregates", ref: `median of the cell over ${outlier.days} days`, value: row.median},
    difference: roundHalfAway(row.price - row.median, 2),
    tolerance: roundHalfAway(outlier.share * row.median, 2),
    resolution: "left out of aggregates",
  };
}

/** A row whose price is far from those of its class and weight in its own report: kept in the latest prices, left out of aggregates. */
export function implausiblePrice(row: {
  source: string;
  ref: string;
  price: number;
  median: number;
}): Contradiction {
  const share = row.price < row.median ? 1 - plausible.low : plausible.high - 1;
  return {
    kind: "implausible_price",
    field: "price_avg",
    a: {source: row.source, ref: row.ref, value: row.price},
    b: {
      source: "derived-aggregates",
      ref: `median of its class and weight in the report over ${plausible.days} days`,
      value: row.median,
    },
    difference: roundHalfAway(row.price - row.median, 2),
    tolerance: roundHalfAway(share * row.median, 2),
    resolution: "left out of aggregates",
  };
}

/**
 * The contradiction of a row whose head count cannot be right: negative, above all head of its sale, or more than any lot has.
 * The row is served as published and stays out of aggregates.
 */
export function headCannotBe(row: {
  source: string;
  ref: string;
  issue: string;
  head: number;
  receipts: number | null;
}): Contradiction {
  const overReceipts = row.receipts !== null && row.head > headTolerance * row.receipts;
  const limit = row.head < 0 ? 0 : overReceipts ? row.receipts! : largestLot;
  return {
    kind: "head_exceeds_receipts",
    field: "head_count",
    a: {source: row.source, ref: row.ref, value: row.head},
    b: {
      source: row.source,
      ref: overReceipts ? `${row.issue} receipts` : "head counts that a row can have",
      value: limit,
    },
    difference: row.head - limit,
    tolerance: overReceipts ? roundHalfAway((headTolerance - 1) * limit, 2) : 0,
    resolution: "row left out of aggregates",
  };
}

/** The contradiction of a sale whose rows have more head than came to it; null up to 2 % more. */
export function headExceedsReceipts(event: {
  source: string;
  ref: string;
  head: number;
  receipts: number;
}): Contradiction | null {
  const tolerance = 0.02 * event.receipts;
  if (event.head - event.receipts <= tolerance) return null;
  return {
    kind: "head_exceeds_receipts",
    field: "receipts",
    a: {source: event.source, ref: `${event.ref} rows`, value: event.head},
    b: {source: event.source, ref: `${event.ref} receipts`, value: event.receipts},
    difference: event.head - event.receipts,
    tolerance: roundHalfAway(tolerance, 2),
    resolution: "unresolved",
  };
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

/** The contradiction of two sources on the price of one cell at one sale; null when they agree. */
export function sameCellPrice(
  a: {source: string; ref: string; price: number},
  b: {source: string; ref: string; price: number},
  unit: "per_cwt" | "per_head" | "per_pair",
  resolution: string,
): Contradiction | null {
  const tolerance = unit === "per_cwt" ? Math.max(0.01, 0.005 * a.price) : 0.005 * a.price;
  const difference = b.price - a.price;
  if (Math.abs(difference) <= tolerance) return null;
  return {
    kind: "same_cell_price",
    field: "price_avg",
    a: {source: a.source, ref: a.ref, value: roundHalfAway(a.price, 2)},
    b: {source: b.source, ref: b.ref, value: roundHalfAway(b.price, 2)},
    difference: roundHalfAway(difference, 2),
    tolerance: roundHalfAway(tolerance, 2),
    resolution,
  };
}

/** The contradiction of two sources on the head of one sale; null when they agree within 5 head or 5 %. */
export function sameEventHead(
  a: {source: string; ref: string; head: number},
  b: {source: string; ref: string; head: number},
  field: "receipts" | "head_count",
  resolution: string,
): Contradiction | null {
  const tolerance = Math.max(5, 0.05 * a.head);
  if (Math.abs(b.head - a.head) <= tolerance) return null;
  return {
    kind: "same_event_head",
    field,
    a: {source: a.source, ref: a.ref, value: a.head},
    b: {source: b.source, ref: b.ref, value: b.head},
    difference: b.head - a.head,
    tolerance: roundHalfAway(tolerance, 2),
    resolution,
  };
}

/** The findings of several checks as one list; null when no check had anything to compare with. */
export function togetherFound(...checks: readonly (Contradiction[] | null)[]): Contradiction[] | null {
  const made = checks.filter((found) => found !== null);
  return made.length === 0 ? null : made.flat();
}
