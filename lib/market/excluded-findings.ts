import type {Contradiction} from "../../schemas/market-evidence.ts";
import {contradiction} from "./contradictions.ts";
import type {SalePlace} from "./price-checks.ts";
import {headTolerance, largestLot, outlier, plausible, strayLogarithm} from "./pricing-rules.ts";

/** A row that figures leave out, with what it was held against. */
export type ExcludedFigures = {
  source: string;
  ref: string;
  issue: string;
  outlier: boolean;
  implausible: boolean;
  price: number;
  median: number;
  head: number;
  receipts: number | null;
};

/** The same with its sale, its cell and the age of the sale in days. */
export type ExcludedRow = SalePlace & ExcludedFigures & {age: number};

/** Why a row is left out, as a contradiction. */
export function findingOf(row: ExcludedFigures): Contradiction {
  if (row.outlier)
    return priceFinding(row, "outlier", {
      of: `median of the cell over ${outlier.days} days`,
      share: outlier.share,
    });
  if (!row.implausible) return impossibleHead(row);
  const ratio = row.price / row.median;
  if (ratio >= plausible.low && ratio <= plausible.high) {
    const share = Math.abs(Math.exp(Math.sign(ratio - 1) * strayLogarithm) - 1);
    return priceFinding(row, "implausible_price", {of: "the weight curve of its state and week", share});
  }
  const of = `median of its class and weight, or of its grade, in the report over ${plausible.days} days`;
  const share = ratio < 1 ? 1 - plausible.low : plausible.high - 1;
  return priceFinding(row, "implausible_price", {of, share});
}

/** A price that is further from a median, or from a weight curve, than a share of it: served in the latest prices, excluded from aggregates. */
function priceFinding(
  {source, ref, price, median}: ExcludedFigures,
  kind: "outlier" | "implausible_price",
  {of, share}: {of: string; share: number},
): Contradiction {
  const label = {kind, field: "price_avg", resolution: "left out of aggregates"};
  const usual = {source: "derived-aggregates", ref: of, value: median};
  return contradiction(label, {source, ref, value: price}, usual, {tolerance: share * median});
}

/**
 * An impossible head count: negative, above the receipts of its sale, or larger than any lot. It is served as published and
 * excluded from aggregates.
 */
function impossibleHead({source, ref, issue, head, receipts}: ExcludedFigures): Contradiction {
  const overReceipts = receipts !== null && head > headTolerance * receipts;
  const value = head < 0 ? 0 : overReceipts ? receipts : largestLot;
  const label = {field: "head_count", resolution: "row left out of aggregates"};
  return contradiction(
    {kind: "head_exceeds_receipts", ...label},
    {source, ref, value: head},
    {source, ref: overReceipts ? `${issue} receipts` : "head counts that a row can have", value},
    {tolerance: overReceipts ? (headTolerance - 1) * value : 0},
  );
}
