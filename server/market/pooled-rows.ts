import {hasFlag} from "../../lib/market/past-row.ts";
import {thinHead, thinPairs} from "../../lib/market/price-confidence.ts";
import type {PriceUnit} from "../../schemas/vocabulary/price-row.ts";

/** A row of a sale in numbers: prices in cents, and the weight that it counts with. */
type NumberedRow = {
  readonly price: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly head: number | null;
  readonly weight: number | null;
  readonly flags: number;
};

/**
 * The pooled figures of a cell's rows, by the rule of the build (`pipeline/market/answers/aggregates.ts`): integer sums, of which a mean is one
 * division. Prices per cwt are weighted by pounds, others by head; outliers and rows that are not usable are counted alone.
 */
export class PooledRows {
  readonly #unit: PriceUnit;
  #pounds = 0;
  #weighedHead = 0;
  #poundCents = 0;
  #headCents = 0;
  head = 0;
  /** The head of each row times the recency that it was added with, in hundredths. */
  headRecency = 0;
  rows = 0;
  rowsExcluded = 0;
  weightsImputed = 0;
  weightSpansBins = false;
  isWeightEstimated = false;
  /** In cents. */
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;

  constructor(unit: PriceUnit) {
    this.#unit = unit;
  }

  /** Adds a row of a sale of a recency in hundredths, where one asks for it; true if it counts. */
  add({price, low, high, head, weight, flags}: NumberedRow, recency = 0): boolean {
    const isUsable = hasFlag(flags, "usable");
    if (!isUsable) this.rowsExcluded += 1;
    // A usable row has a price and a head.
    if (!isUsable || hasFlag(flags, "outlier") || price === null || head === null) return false;
    this.head += head;
    this.headRecency += head * recency;
    this.#headCents += head * price;
    this.#pounds += head * (weight ?? 0);
    this.#poundCents += head * (weight ?? 0) * price;
    if (weight !== null) this.#weighedHead += head;
    this.rows += 1;
    const isImputed = hasFlag(flags, "w_imputed");
    if (isImputed) this.weightsImputed += 1;
    if (isImputed || hasFlag(flags, "weight_estimated")) this.isWeightEstimated = true;
    if (hasFlag(flags, "weight_spans_bins")) this.weightSpansBins = true;
    this.low = Math.min(this.low, low ?? price);
    this.high = Math.max(this.high, high ?? price);
    return true;
  }

  /** Pounds or head, by which the mean is weighted. */
  get weight(): number {
    return this.#unit === "per_cwt" ? this.#pounds : this.head;
  }

  /** The weighted mean in USD, not rounded. Not a number without rows. */
  get price(): number {
    return (this.#unit === "per_cwt" ? this.#poundCents : this.#headCents) / (this.weight * 100);
  }

  /** Pounds a head, not rounded; null if no weight is known. */
  get averageWeight(): number | null {
    return this.#weighedHead === 0 ? null : this.#pounds / this.#weighedHead;
  }

  get isThin(): boolean {
    return this.head < (this.#unit === "per_pair" ? thinPairs : thinHead);
  }
}
