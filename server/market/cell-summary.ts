import {countWithNoun} from "../../lib/counts.ts";
import {cellWords, headWords, moneyWords, priceWords, sentenceStart} from "../../lib/market/cell-words.ts";
import {saleId, untestedOf} from "../../lib/market/curve-figure.ts";
import {headByAge, type Sale, saleFacts} from "../../lib/market/curve-summary.ts";
import {salesWords, untestedWords} from "../../lib/market/curve-words.ts";
import {headOf} from "../../lib/market/pen-means.ts";
import {windowDays} from "../../lib/market/pricing-rules.ts";
import {roundHalfAway} from "../../lib/rounding.ts";
import type {CellReason, CellSummary} from "../../schemas/market-summary.ts";
import type {PriceUnit} from "../../schemas/vocabulary/price-row.ts";

import type {CellPen, OtherCell} from "../tables/area-pens.ts";

type CellMembers = Omit<CellSummary, "evidence_id" | "official">;

/** What the window must hold at least. */
const minimums = {pens: 3, head: 20, pairs: 10, sales: 2};

const weightings = {per_cwt: "pounds", per_head: "head", per_pair: "pairs"} as const;

/**
 * The weighted mean of a cell over the sales of the last 14 days of an area (`docs/design/market.md` section 7.1, other cattle), without a
 * price and with the reasons where these are too few. `pens` are those of the last 28 days; the second half is for the change alone.
 */
export function cellSummary<Of extends Sale>(
  cell: OtherCell,
  pens: readonly CellPen<Of>[],
  place: string,
): {readonly summary: CellMembers; readonly pens: readonly CellPen<Of>[]} {
  const unit = cell.price_unit;
  const window = pens.filter(({ageDays}) => ageDays <= windowDays);
  const reasons = missingOf(window, unit);
  const price = reasons.length > 0 ? null : meanOf(window, unit);
  const weighed = window.filter(({weightLb}) => weightLb !== null);
  const weight =
    weighed.length === 0
      ? null
      : weighed.reduce((sum, {head, weightLb}) => sum + head * weightLb!, 0) / headOf(weighed);
  const prices = window.map((pen) => pen.price);
  const {headline: _, price_unit, lot_descriptors: __, ...facts} = cell;
  const members = {
    ...facts,
    price_unit,
    price_avg: price === null ? null : roundHalfAway(price, 2),
    price_low: price === null ? null : Math.min(...prices),
    price_high: price === null ? null : Math.max(...prices),
    weighting: weightings[unit],
    avg_weight_lb: weight === null ? null : Math.round(weight),
    value_per_head:
      price === null || weight === null || unit !== "per_cwt"
        ? null
        : roundHalfAway((price * weight) / 100, 2),
    reason: reasons[0] ?? null,
    reasons,
    window_days: windowDays,
    pens: window.length,
    sales: salesOf(window),
    ...saleFacts(window),
    head_by_age: headByAge(window),
    last_sale: lastSale(pens),
    ...changeOf(pens, unit, price !== null),
  };
  const sentence = sentenceOf(members, cell, {place, untested: untestedOf(window)});
  return {pens: window, summary: {...members, sentence}};
}

function missingOf(pens: readonly CellPen[], unit: PriceUnit): CellReason[] {
  const leastHead = unit === "per_pair" ? minimums.pairs : minimums.head;
  return [
    ...(pens.length < minimums.pens ? (["too_few_pens"] as const) : []),
    ...(headOf(pens) < leastHead ? (["too_few_head"] as const) : []),
    ...(salesOf(pens) < minimums.sales ? (["too_few_sales"] as const) : []),
  ];
}

const salesOf = (pens: readonly CellPen[]) => new Set(pens.map(({sale}) => saleId(sale))).size;

/** Weighted by pounds, head or pairs; sums of whole cents, so that the order of the pens does not matter. */
function meanOf(pens: readonly CellPen[], unit: PriceUnit): number {
  const weightOf = ({head, weightLb}: CellPen) => (unit === "per_cwt" ? head * weightLb! : head);
  const cents = pens.reduce((sum, pen) => sum + weightOf(pen) * Math.round(100 * pen.price), 0);
  return cents / 100 / pens.reduce((sum, pen) => sum + weightOf(pen), 0);
}

type Change = Pick<
  CellSummary,
  "change_14_days" | "change_14_days_reason" | "change_from" | "change_to" | "change_venues"
>;

/** The change between two fortnights of the venues that sold in both, each above the minimums; untested pens leave both. */
function changeOf(pens: readonly CellPen[], unit: PriceUnit, hasPrice: boolean): Change {
  const none = (reason: Change["change_14_days_reason"]): Change => ({
    change_14_days: null,
    change_14_days_reason: reason,
    ...{change_from: null, change_to: null, change_venues: null},
  });
  const tested = pens.filter(({isUntested}) => !isUntested);
  const [now, then] = [true, false].map((isNow) =>
    tested.filter((pen) => pen.ageDays <= windowDays === isNow),
  );
  const earlier = new Set(then!.map(({sale}) => sale.venueId));
  const venues = new Set(now!.flatMap(({sale}) => (earlier.has(sale.venueId) ? [sale.venueId] : [])));
  const pairs = [now!, then!].map((each) => each.filter(({sale}) => venues.has(sale.venueId)));
  if (!hasPrice) return none("too_few");
  if (pairs.some((each) => missingOf(each, unit).length > 0)) {
    if (tested.length < pens.length) return none("not_tested");
    if (earlier.size === 0) return none("no_earlier_sale");
    return none(venues.size === 0 ? "not_comparable" : "too_few");
  }
  const [to, from] = pairs.map((each) => roundHalfAway(meanOf(each, unit), 2));
  return {
    change_14_days: roundHalfAway(to! - from!, 2),
    change_14_days_reason: null,
    ...{change_from: from!, change_to: to!, change_venues: venues.size},
  };
}

function lastSale(pens: readonly CellPen[]): CellSummary["last_sale"] {
  const [newest] = pens.toSorted(
    (a, b) => a.ageDays - b.ageDays || (a.sale.venueId < b.sale.venueId ? -1 : 1),
  );
  if (newest === undefined) return null;
  const {venueId, venueName, place, date} = newest.sale;
  return {venue_id: venueId, venue_name: venueName, place, date};
}

function sentenceOf(
  members: Omit<CellMembers, "sentence">,
  cell: OtherCell,
  {place, untested}: {readonly place: string; readonly untested: number},
): string {
  const unit = cell.price_unit;
  const {price_avg, price_low, price_high, pens, head_count, sales, last_sale: last} = members;
  const [noTest] = untestedWords(untested, pens).map((words) => `; ${words}`);
  const support = `${countWithNoun(pens, "pen")}, ${headWords(head_count, unit)}, ${countWithNoun(sales, "sale")}`;
  if (price_avg === null) {
    const needed = unit === "per_pair" ? `${minimums.pairs} pairs` : `${minimums.head} head`;
    const sold = last === null ? "" : `; last sold at ${last.place} on ${last.date}`;
    return `No figure for ${cellWords(cell)} ${place}: ${support} in ${windowDays} days; ${minimums.pens} pens, ${needed} and ${minimums.sales} sales are needed${noTest ?? ""}${sold}.`;
  }
  const moved =
    members.change_14_days === null
      ? ""
      : `; at the ${countWithNoun(members.change_venues!, "venue")} that sold in both fortnights: from ${moneyWords(members.change_from!)} to ${moneyWords(members.change_to!)}`;
  return `${sentenceStart(cellWords(cell))} brought ${priceWords(price_avg, unit)} ${place} ${salesWords(sales, members)} (${moneyWords(price_low!)} to ${moneyWords(price_high!)}; ${countWithNoun(pens, "pen")}, ${headWords(head_count, unit)}${noTest ?? ""})${moved}.`;
}
