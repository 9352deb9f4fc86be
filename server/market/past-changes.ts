import {addDays, ageDays} from "../../lib/dates.ts";
import {minimumForChange} from "../../lib/market/price-confidence.ts";
import {weekBack, yearBack} from "../../lib/market/pricing-rules.ts";
import {roundHalfAway} from "../../lib/rounding.ts";
import type {PriceValues} from "../../schemas/market-fields/price.ts";
import type {PriceUnit} from "../../schemas/vocabulary/price-row.ts";
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
  /** Too few cattle to tell a change by them alone. */
  readonly few: boolean;
  readonly thin: boolean;
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
 * thin or untested cells, and with enough cattle on each side together. Markets are in the order of their ids.
 */
export function changesOf(markets: readonly ComparedMarket[], unit: PriceUnit): Changes {
  const pairs = (back: typeof weekBack | typeof yearBack) =>
    markets.map((market) => ({now: market.now, before: earlierSale(market, back)}));
  const [week, year] = [pairs(weekBack), pairs(yearBack)];
  const [inWeek, inYear] = [matchesOf(week, unit), matchesOf(year, unit)];
  const matched = inWeek.length > 0 ? inWeek : inYear;
  const compared = comparedPairs(week, inWeek);
  return {
    change_week: changeOver(inWeek),
    change_week_from: earliestOf(inWeek),
    change_week_reason: reasonOf(week, inWeek),
    change_year: changeOver(inYear),
    change_year_from: earliestOf(inYear),
    change_year_reason: reasonOf(year, inYear),
    matched_cells: matched.length,
    matched_pens: matched.reduce((sum, {now, before}) => sum + Math.min(now.pens, before.pens), 0),
    last_sale: lastSide(compared),
    then_sale: thenSide(compared),
    year_sales: inYear.length === 0 ? null : {last_sale: lastSide(inYear)!, then_sale: thenSide(inYear)!},
  };
}

/** The changes of a cell of a sale against the market's own sales before. */
export function pastChanges(past: PastSales, {market, date}: PastSale, cell: PastCell): Changes {
  return changesOf(venueMarket(past, {market, date, cell}) ?? [], cell.unit);
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
  const few = !isEnough([{head, pens}], cell.unit);
  return {
    date,
    price,
    weight,
    head,
    pens,
    few,
    thin: pool.isThin,
    untested: isUntested(past, withRows, cell),
  };
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

type Match = Pair & {readonly before: CellSale};

const isPair = (pair: Pair): pair is Match =>
  pair.before !== null && !pair.now.thin && !pair.before.thin && !isUntestedPair(pair);

/** The pairs of a cell that make a change: tested and not thin ones, if there are enough cattle on each side of all of them. */
function matchesOf(pairs: readonly Pair[], unit: PriceUnit): readonly Match[] {
  const matches = pairs.filter(isPair);
  const sides = [matches.map(({now}) => now), matches.map(({before}) => before)];
  return sides.every((sales) => isEnough(sales, unit)) ? matches : [];
}

/** True for enough head (or pairs) and pens to tell a change by. */
function isEnough(sales: readonly Pick<CellSale, "head" | "pens">[], unit: PriceUnit): boolean {
  const total = (of: "head" | "pens") => sales.reduce((sum, sale) => sum + sale[of], 0);
  const enough = unit === "per_pair" ? minimumForChange.pairs : minimumForChange.head;
  return total("head") >= enough && total("pens") >= minimumForChange.pens;
}

/** The pairs that a change compares: the matched ones; without any, those with an earlier sale; without these, all. */
function comparedPairs(pairs: readonly Pair[], matches: readonly Match[]): readonly Pair[] {
  if (matches.length > 0) return matches;
  const withEarlier = pairs.filter(({before}) => before !== null);
  return withEarlier.length > 0 ? withEarlier : pairs;
}

function reasonOf(pairs: readonly Pair[], matches: readonly Match[]): Changes["change_week_reason"] {
  if (pairs.length === 0) return "not_comparable";
  if (matches.length > 0) return null;
  if (pairs.some(isUntestedPair)) return "not_tested";
  return pairs.some(isFew) ? "too_few" : "no_earlier_sale";
}

/** Ten decimals leave out the noise of doubles, which would otherwise decide between two cents. */
function changeOver(pairs: readonly Match[]): number | null {
  if (pairs.length === 0) return null;
  const terms = pairs.reduce((sum, {now, before}) => sum + now.weight * (now.price - before.price), 0);
  const weight = pairs.reduce((sum, {now}) => sum + now.weight, 0);
  return roundHalfAway(roundHalfAway(terms / weight, 10), 2);
}

function earliestOf(pairs: readonly Match[]): string | null {
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
