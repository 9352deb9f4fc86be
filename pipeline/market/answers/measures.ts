/** Measures of `docs/design/market.md` section 7; results are unrounded. */

/** A row of `derived_measures`; `value` is null where `reason` says why. */
export type DerivedRow = {
  measure: "spread_to_feeder_futures" | "value_of_gain" | "slide" | "seasonal_index";
  venue_id: string;
  report_end_date: string;
  cell_id: string;
  to_cell_id: string | null;
  month: number | null;
  value: number | null;
  unit: string;
  head_count: number | null;
  to_head_count: number | null;
  contract_month: string | null;
  reason: string | null;
};

/** A price at a weight. */
export type WeightPrice = {weightLb: number; pricePerCwt: number};

/** Local cash minus futures, USD per cwt: the basis for the index-like cell, a spread for any other. */
export function basis(cashPerCwt: number, futuresPerCwt: number): number {
  return cashPerCwt - futuresPerCwt;
}

/** Slide between two weights: USD per cwt of price, per cwt of weight. */
export function slide(light: WeightPrice, heavy: WeightPrice): number {
  return ((light.pricePerCwt - heavy.pricePerCwt) / (heavy.weightLb - light.weightLb)) * 100;
}

/** USD per pound gained between two weights. */
export function valueOfGain(from: WeightPrice, to: WeightPrice): number {
  return (worth(to) - worth(from)) / (to.weightLb - from.weightLb);
}

function worth({weightLb, pricePerCwt}: WeightPrice): number {
  return (weightLb * pricePerCwt) / 100;
}
