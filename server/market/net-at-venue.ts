import {roundHalfAway} from "../../lib/rounding.ts";

/** What selling at a barn costs the caller; every member is the caller's, none has a default. */
export type SellingCosts = {
  /** USD per loaded mile and truck. */
  readonly ratePerMile: number;
  /** Pounds that a truck carries. */
  readonly loadLb: number;
  readonly head: number;
  /** Percent of the weight that is lost on the way. */
  readonly shrinkPct: number;
  /** Percent of the gross that the barn keeps. */
  readonly commissionPct: number;
};

/**
 * Freight and what is left for each head, in USD with 2 decimals (`docs/design/market.md` section 7, net at a venue): whole trucks over
 * `miles`, a price in USD per cwt of the weight that arrives. Null where a truck cannot carry one head, and for no head.
 */
export function netAtVenue(
  {ratePerMile, loadLb, head, shrinkPct, commissionPct}: SellingCosts,
  {
    weightLb,
    price,
    miles,
  }: {readonly weightLb: number; readonly price: number | null; readonly miles: number},
): {readonly freight_hd: number | null; readonly net_per_head: number | null} {
  const headPerLoad = Math.floor(loadLb / weightLb);
  if (headPerLoad === 0 || head === 0) return {freight_hd: null, net_per_head: null};
  const freight = (Math.ceil(head / headPerLoad) * miles * ratePerMile) / head;
  const gross = price === null ? null : (weightLb * (1 - shrinkPct / 100) * price) / 100;
  const net = gross === null ? null : gross * (1 - commissionPct / 100) - freight;
  return {freight_hd: roundHalfAway(freight, 2), net_per_head: net === null ? null : roundHalfAway(net, 2)};
}
