/**
 * Derived measures of `docs/design/market.md` section 7. They take what the caller knows and assume no cost of their own; results are
 * unrounded.
 */

/** Change in percent of the earlier value; null where there is none to compare with. */
export function percentChange(now: number, then: number | null): number | null {
  return then === null || then === 0 ? null : ((now - then) / then) * 100;
}

/** Local cash minus futures, USD per cwt. Named basis only for the index-like cell, else spread. */
export function basis(cashPerCwt: number, futuresPerCwt: number): number {
  return cashPerCwt - futuresPerCwt;
}

/** Slide between two weights: USD per cwt of price, per cwt of weight. */
export function slide(light: WeightPrice, heavy: WeightPrice): number {
  return ((light.pricePerCwt - heavy.pricePerCwt) / (heavy.weightLb - light.weightLb)) * 100;
}

export type WeightPrice = {weightLb: number; pricePerCwt: number};

/** Price at a weight, from a base price and its agreed slide. */
export function adjustedPrice(base: WeightPrice, slidePerCwt: number, weightLb: number): number {
  return base.pricePerCwt - (slidePerCwt * (weightLb - base.weightLb)) / 100;
}

/** USD per pound gained between two weights. */
export function valueOfGain(from: WeightPrice, to: WeightPrice): number {
  const [before, after] = [from, to].map(({weightLb, pricePerCwt}) => (weightLb * pricePerCwt) / 100) as [
    number,
    number,
  ];
  return (after - before) / (to.weightLb - from.weightLb);
}

export type SaleCosts = {
  weightLb: number;
  head: number;
  loadLb: number;
  miles: number;
  ratePerLoadedMile: number;
  /** Share of the weight lost on the way, 0 to 1. */
  shrink: number;
  /** Share of the gross, 0 to 1. */
  commission: number;
  fixedPerHead: number;
};

/** Head that one load holds. */
export function headPerLoad(loadLb: number, weightLb: number): number {
  return Math.floor(loadLb / weightLb);
}

/** What a head brings at a venue after shrink, commission, fixed costs and freight, USD per head but for the pounds. */
export function netAtVenue(
  pricePerCwt: number,
  costs: SaleCosts,
): {payWeightLb: number; gross: number; freight: number; net: number} {
  const {payWeightLb, freight} = payAndFreight(costs);
  const gross = (payWeightLb * pricePerCwt) / 100;
  return {payWeightLb, gross, freight, net: gross * (1 - costs.commission) - costs.fixedPerHead - freight};
}

/** Price per cwt at a venue that brings the same net per head as elsewhere. */
export function breakEvenPrice(netElsewhere: number, costs: SaleCosts): number {
  const {payWeightLb, freight} = payAndFreight(costs);
  return ((netElsewhere + costs.fixedPerHead + freight) / (1 - costs.commission) / payWeightLb) * 100;
}

/**
 * Seasonal index by month (1 to 12): mean over the years of price over its 12-month centred mean, of one cell's monthly
 * prices by `YYYY-MM`. Null with fewer than 5 complete years of index values.
 */
export function seasonalIndex(monthly: ReadonlyMap<string, number>): number[] | null {
  const ratios = new Map<string, number>();
  for (const [month, price] of monthly) {
    const mean = centredMean(monthly, month);
    if (mean !== null) ratios.set(month, price / mean);
  }
  const years = [...new Set([...ratios.keys()].map((month) => month.slice(0, 4)))].sort();
  const months = Array.from({length: 12}, (_, i) => String(i + 1).padStart(2, "0"));
  const complete = years.filter((year) => months.every((month) => ratios.has(`${year}-${month}`)));
  if (complete.length < 5) return null;
  return months.map(
    (month) => complete.reduce((sum, year) => sum + ratios.get(`${year}-${month}`)!, 0) / complete.length,
  );
}

function payAndFreight(costs: SaleCosts): {payWeightLb: number; freight: number} {
  const loads = Math.ceil(costs.head / headPerLoad(costs.loadLb, costs.weightLb));
  return {
    payWeightLb: costs.weightLb * (1 - costs.shrink),
    freight: (loads * costs.miles * costs.ratePerLoadedMile) / costs.head,
  };
}

/** Mean of the 12 months around one, with the two outer ones counted half; null where one is missing. */
function centredMean(monthly: ReadonlyMap<string, number>, month: string): number | null {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
  let sum = 0;
  for (let offset = -6; offset <= 6; offset++) {
    const price = monthly.get(monthName(at + offset));
    if (price === undefined) return null;
    sum += Math.abs(offset) === 6 ? price / 2 : price;
  }
  return sum / 12;
}

function monthName(index: number): string {
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
}
