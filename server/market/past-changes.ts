import {addDays, ageDays} from "../../lib/dates.ts";
import {minimumForChange} from "../../lib/market/price-confidence.ts";
import {weekBack, yearBack} from "../../lib/market/pricing-rules.ts";
import {roundHalfAway} from "../../lib/rounding.ts";
import type {PriceValues} from "../../schemas/market-fields/price.ts";
import type {PastCell, PastSale, PastSales, Span} from "../tables/past-sales.ts";
import {PooledRows} from "./pooled-rows.ts";

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

/** The pooled rows of a cell: of a market on a day, or of a state in the week that ends on that day. */
export type CellSale = {
  readonly date: string;
  /** USD, not rounded. */
  readonly price: number;
  /** Pounds or head behind the price. */
  readonly weight: number;
  readonly head: number;
  readonly pens: number;
  /** Too few cattle to tell a change by. */
  readonly few: boolean;
  /** The reporter says that there was no market test of them. */
  readonly untested: boolean;
};

/** A market whose sales of a cell are compared: the last one, and those between two days. */
export type ComparedMarket = {readonly now: CellSale; readonly soldIn: (span: Span) => readonly CellSale[]};

/** The last sale of a market and its earlier one; null without one. */
type Pair = {readonly now: CellSale; readonly before: CellSale | null};

/**
 * The changes of a cell against the same markets' sales a week and a year before, by the rule of the build
 * (`pipeline/market/answers/changes.ts`): the nearest sale within the tolerance, of several markets weighted by what each sold last, without
 * any of too few or of untested cattle. Markets are in the order of their ids.
 */
export function changesOf(markets: readonly ComparedMarket[]): Changes {
  const pairs = (back: typeof weekBack | typeof yearBack) =>
    markets.map((market) => ({now: market.now, before: earlierSale(market, back)}));
  const [week, year] = [pairs(weekBack), pairs(yearBack)];
  const [inWeek, inYear] = [week.filter(isMatch), year.filter(isMatch)];
  const matched = inWeek.length > 0 ? inWeek : inYear;
  const compared = comparedPairs(week);
  return {
    change_week: changeOver(inWeek),
    change_week_from: earliestOf(inWeek),
    change_week_reason: reasonOf(week),
    change_year: changeOver(inYear),
    change_year_from: earliestOf(inYear),
    change_year_reason: reasonOf(year),
    matched_cells: matched.length,
    matched_pens: matched.reduce((sum, {now, before}) => sum + Math.min(now.pens, before.pens), 0),
    last_sale: lastSide(compared),
    then_sale: thenSide(compared),
    year_sales: inYear.length === 0 ? null : {last_sale: lastSide(inYear)!, then_sale: thenSide(inYear)!},
  };
}

/** The changes of a cell of a sale against the market's own sales before. */
export function pastChanges(past: PastSales, {market, date}: PastSale, cell: PastCell): Changes {
  return changesOf(venueMarket(past, {market, date, cell}) ?? []);
}

/** A venue, or the report of a trade, as a market with its sale of a cell on a day; null without one. */
export function venueMarket(
  past: PastSales,
  {market, date, cell}: {readonly market: string; readonly date: string; readonly cell: PastCell},
): [ComparedMarket] | null {
  const soldIn = (span: Span) =>
    [...Map.groupBy(past.ofMarket(market, span), (sale) => sale.date)].flatMap(
      ([day, sales]) => cellSale(past, sales, {date: day, cell, isUntested: anyOf}) ?? [],
    );
  const [now] = soldIn({from: date, to: date});
  return now === undefined ? null : [{now, soldIn}];
}

type UntestedRule = (past: PastSales, sales: readonly PastSale[], cell: PastCell) => boolean;

const anyOf: UntestedRule = (past, sales, {cellNo}) =>
  sales.some((sale) => past.factsOf(sale).untested.includes(cellNo));

/** True if no sale with such cattle had a market test of them. */
export const allOf: UntestedRule = (past, sales, {cellNo}) =>
  sales.every((sale) => past.factsOf(sale).untested.includes(cellNo));

/** What sales sold of a cell, pooled; null without a price that counts. */
export function cellSale(
  past: PastSales,
  sales: readonly PastSale[],
  {
    date,
    cell,
    isUntested,
  }: {readonly date: string; readonly cell: PastCell; readonly isUntested: UntestedRule},
): CellSale | null {
  const pool = new PooledRows(cell.unit);
  const withRows = sales.filter((sale) => {
    const rows = past.rowsOf(sale, ({cellNo}) => cellNo === cell.cellNo);
    for (const row of rows) pool.add(past.row(row));
    return rows.length > 0;
  });
  if (pool.rows === 0) return null;
  const {price, weight, head, rows: pens} = pool;
  const enough = cell.unit === "per_pair" ? minimumForChange.pairs : minimumForChange.head;
  const few = head < enough || pens < minimumForChange.pens;
  return {date, price, weight, head, pens, few, untested: isUntested(past, withRows, cell)};
}

/** The sale of a market nearest to so many days back; those of too few cattle last, on a tie the earlier one. */
function earlierSale(
  {now, soldIn}: ComparedMarket,
  {days, tolerance}: {readonly days: number; readonly tolerance: number},
): CellSale | null {
  const found = soldIn({
    from: addDays(now.date, -days - tolerance),
    to: addDays(now.date, -days + tolerance),
  });
  const off = ({date}: CellSale) => Math.abs(ageDays(date, now.date) - days);
  const ranked = found.toSorted(
    (a, b) => Number(a.few) - Number(b.few) || off(a) - off(b) || (a.date < b.date ? -1 : 1),
  );
  return ranked[0] ?? null;
}

const isFew = ({now, before}: Pair) => now.few || before?.few === true;
const isUntestedPair = ({now, before}: Pair) => now.untested || before?.untested === true;

function isMatch(pair: Pair): pair is Pair & {before: CellSale} {
  return pair.before !== null && !isFew(pair) && !isUntestedPair(pair);
}

/** The pairs that a change compares: the matched ones; without any, those with an earlier sale; without these, all. */
function comparedPairs(pairs: readonly Pair[]): readonly Pair[] {
  const matched = pairs.filter(isMatch);
  if (matched.length > 0) return matched;
  const withEarlier = pairs.filter(({before}) => before !== null);
  return withEarlier.length > 0 ? withEarlier : pairs;
}

function reasonOf(pairs: readonly Pair[]): Changes["change_week_reason"] {
  if (pairs.length === 0) return "not_comparable";
  if (pairs.some(isMatch)) return null;
  if (pairs.some(isUntestedPair)) return "not_tested";
  return pairs.some(isFew) ? "too_few" : "no_earlier_sale";
}

/** Ten decimals leave out the noise of doubles, which would otherwise decide between two cents. */
function changeOver(pairs: readonly (Pair & {before: CellSale})[]): number | null {
  if (pairs.length === 0) return null;
  const terms = pairs.reduce((sum, {now, before}) => sum + now.weight * (now.price - before.price), 0);
  const weight = pairs.reduce((sum, {now}) => sum + now.weight, 0);
  return roundHalfAway(roundHalfAway(terms / weight, 10), 2);
}

function earliestOf(pairs: readonly (Pair & {before: CellSale})[]): string | null {
  return pairs.map(({before}) => before.date).sort()[0] ?? null;
}

function lastSide(pairs: readonly Pair[]): Changes["last_sale"] {
  return sideOf(
    pairs.map(({now}) => ({sale: now, weight: now.weight})),
    (days) => days.at(-1)!,
  );
}

function thenSide(pairs: readonly Pair[]): Changes["then_sale"] {
  return sideOf(
    pairs.flatMap(({now, before}) => (before === null ? [] : [{sale: before, weight: now.weight}])),
    (days) => days[0]!,
  );
}

type Weighed = {readonly sale: CellSale; readonly weight: number};

/** One side of a change, weighted by what each market sold last. */
function sideOf(sales: readonly Weighed[], dayOf: (days: readonly string[]) => string): Changes["last_sale"] {
  if (sales.length === 0) return null;
  const total = (value: (one: Weighed) => number) => sales.reduce((sum, one) => sum + value(one), 0);
  return {
    date: dayOf(sales.map(({sale}) => sale.date).sort()),
    price_avg: roundHalfAway(total(({sale, weight}) => weight * sale.price) / total(({weight}) => weight), 2),
    head_count: total(({sale}) => sale.head),
    pens: total(({sale}) => sale.pens),
    markets: sales.length,
  };
}
