import {addDays, ageDays} from "../../lib/dates.ts";
import {hasFlag} from "../../lib/market/past-row.ts";
import {minimumForChange} from "../../lib/market/price-confidence.ts";
import {weekBack, yearBack} from "../../lib/market/pricing-rules.ts";
import {roundHalfAway} from "../../lib/rounding.ts";
import type {PriceValues} from "../../schemas/market-fields/price.ts";
import type {PastCell, PastSale, PastSales} from "../tables/past-sales.ts";

type Changes = Pick<
  PriceValues,
  | "change_week"
  | "change_week_from"
  | "change_week_reason"
  | "change_year"
  | "change_year_from"
  | "change_year_reason"
  | "matched_cells"
  | "matched_pens"
  | "last_sale"
  | "then_sale"
  | "year_sales"
>;

/** What a market sold of a cell on a day. */
type CellSale = {
  readonly date: string;
  readonly price: number;
  readonly head: number;
  readonly pens: number;
  /** Too few cattle to tell a change by. */
  readonly few: boolean;
  /** The reporter says that there was no market test of them. */
  readonly untested: boolean;
};

/**
 * The changes of a cell of a sale against the market's own sales a week and a year before, by the rule of the latest prices
 * (`pipeline/market/answers/changes.ts`): the nearest sale within the tolerance, without any of too few or of untested cattle.
 */
export function pastChanges(past: PastSales, sale: PastSale, cell: PastCell): Changes {
  const now = soldOn(past, sale, cell);
  const week = now === null ? null : earlierSale(past, sale, {cell, ...weekBack});
  const year = now === null ? null : earlierSale(past, sale, {cell, ...yearBack});
  const matched = {week: isMatch(now, week), year: isMatch(now, year)};
  const compared = matched.week ? week : matched.year ? year : null;
  return {
    change_week: matched.week ? difference(now!, week!) : null,
    change_week_from: matched.week ? week!.date : null,
    change_week_reason: reasonOf(now, week),
    change_year: matched.year ? difference(now!, year!) : null,
    change_year_from: matched.year ? year!.date : null,
    change_year_reason: reasonOf(now, year),
    matched_cells: compared === null ? 0 : 1,
    matched_pens: compared === null ? 0 : Math.min(now!.pens, compared.pens),
    last_sale: now === null ? null : sideOf(now),
    then_sale: week === null ? null : sideOf(week),
    year_sales: matched.year ? {last_sale: sideOf(now!), then_sale: sideOf(year!)} : null,
  };
}

/** What the sale's market sold of a cell on its day, over all of its reports; null without a price that counts. */
function soldOn(past: PastSales, {market, date}: PastSale, cell: PastCell): CellSale | null {
  let [weights, terms, head, pens, untested] = [0, 0, 0, 0, false];
  for (const sale of past.ofMarket(market, {from: date, to: date})) {
    const rows = past
      .rowsOf(sale, ({cellNo}) => cellNo === cell.cellNo)
      .map((row) => past.row(row))
      .filter(({flags}) => hasFlag(flags, "usable") && !hasFlag(flags, "outlier"));
    for (const row of rows) {
      const weight = cell.unit === "per_cwt" ? row.head! * row.weight! : row.head!;
      weights += weight;
      terms += weight * row.price!;
      head += row.head!;
      pens += 1;
    }
    if (rows.length > 0 && past.factsOf(sale).untested.includes(cell.cellNo)) untested = true;
  }
  if (head === 0) return null;
  const enough = cell.unit === "per_pair" ? minimumForChange.pairs : minimumForChange.head;
  const few = head < enough || pens < minimumForChange.pens;
  return {date, price: terms / (weights * 100), head, pens, few, untested};
}

/** The sale of the cell nearest to so many days back; those of too few cattle last, on a tie the earlier one. */
function earlierSale(
  past: PastSales,
  sale: PastSale,
  {cell, days, tolerance}: {readonly cell: PastCell; readonly days: number; readonly tolerance: number},
): CellSale | null {
  const span = {
    from: addDays(sale.date, -days - tolerance),
    to: addDays(sale.date, -days + tolerance),
  };
  const onDays = new Map(past.ofMarket(sale.market, span).map((earlier) => [earlier.date, earlier]));
  const found = [...onDays.values()].flatMap((earlier) => soldOn(past, earlier, cell) ?? []);
  const off = ({date}: CellSale) => Math.abs(ageDays(date, sale.date) - days);
  const ranked = found.sort(
    (a, b) => Number(a.few) - Number(b.few) || off(a) - off(b) || (a.date < b.date ? -1 : 1),
  );
  return ranked[0] ?? null;
}

function isMatch(now: CellSale | null, then: CellSale | null): boolean {
  return now !== null && then !== null && ![now, then].some(({few, untested}) => few || untested);
}

function reasonOf(now: CellSale | null, then: CellSale | null): Changes["change_week_reason"] {
  if (now === null) return "not_comparable";
  if (isMatch(now, then)) return null;
  if (now.untested || then?.untested) return "not_tested";
  return now.few || then?.few ? "too_few" : "no_earlier_sale";
}

/** Ten decimals leave out the noise of doubles, which would otherwise decide between two cents. */
function difference(now: CellSale, then: CellSale): number {
  return roundHalfAway(roundHalfAway(now.price - then.price, 10), 2);
}

function sideOf({date, price, head, pens}: CellSale): NonNullable<Changes["last_sale"]> {
  return {date, price_avg: roundHalfAway(price, 2), head_count: head, pens, markets: 1};
}
