import {addDays, ageDays, saturdayOf} from "../../lib/dates.ts";
import {recencyPercent} from "../../lib/market/price-confidence.ts";
import type {PastCell, PastSale, PastSales, Span} from "../tables/past-sales.ts";
import type {KindTest} from "../tables/record-tables.ts";
import {PooledRows} from "./pooled-rows.ts";

/** A county over the days of a question, or a state in a week of them, with its sales, newest first. */
export type PastArea = {
  readonly state: string;
  readonly countyFips: string | null;
  /** The Saturday of the week of a state; null for a county. */
  readonly weekEnd: string | null;
  readonly sales: PastSale[];
};

/** The pooled rows of a cell in an area. */
export type PastFigure = {
  readonly area: PastArea;
  readonly cell: PastCell;
  readonly pool: PooledRows;
  /** Sales with such rows, newest first: all, and those whose rows count. */
  readonly sales: PastSale[];
  readonly counted: PastSale[];
};

type Wanted = {
  readonly span: Span;
  /** Null for all cells of the area, or with `onlyHeadlines` for those of a question without kinds. */
  readonly kind: KindTest | null;
  readonly onlyHeadlines: boolean;
};

/** What counties sold over the days of a question, by code, of each the most important cells first. `isAsked` tests a county's code. */
export function countyFigures(
  past: PastSales,
  {isAsked, ...wanted}: Wanted & {readonly isAsked: (fips: string) => boolean},
): PastFigure[] {
  const sales = past.within(
    wanted.span,
    ({pooled, countyFips}) => pooled && countyFips !== "" && isAsked(countyFips),
  );
  const areas = areasOf(sales, ({countyFips}) => countyFips);
  return areas.flatMap(([countyFips, ofCounty]) =>
    figuresOf(past, {state: "", countyFips, weekEnd: null, sales: ofCounty}, wanted),
  );
}

/**
 * What the venues of a state, or of each, sold in every week of a question, by state and newest week first. A week is one from Sunday to Saturday
 * with a day in the span, whole but for days after the span.
 */
export function stateFigures(
  past: PastSales,
  {state, ...wanted}: Wanted & {readonly state: string | undefined},
): PastFigure[] {
  const span = {from: addDays(saturdayOf(wanted.span.from), -6), to: wanted.span.to};
  const sales =
    state === undefined
      ? past.within(span, (sale) => sale.pooled && sale.state !== "")
      : past.ofState(state, span);
  const ofStates = areasOf(sales, (sale) => sale.state);
  return ofStates.flatMap(([code, ofState]) =>
    [...Map.groupBy(ofState, ({date}) => saturdayOf(date))].flatMap(([weekEnd, ofWeek]) =>
      figuresOf(past, {state: code, countyFips: null, weekEnd, sales: ofWeek}, wanted),
    ),
  );
}

/** Sales by area, in the order of the areas' codes. */
function areasOf(
  sales: readonly PastSale[],
  codeOf: (sale: PastSale) => string,
): [code: string, sales: PastSale[]][] {
  return [...Map.groupBy(sales, codeOf)].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The figures of an area with a price, most important first. */
function figuresOf(past: PastSales, area: PastArea, {span, kind, onlyHeadlines}: Wanted): PastFigure[] {
  const test = (cell: PastCell) => (kind === null ? !onlyHeadlines || cell.headline : kind(cell));
  const byCell = new Map<number, PastFigure>();
  for (const sale of area.sales) {
    const recency = recencyPercent(ageDays(sale.date, span.to));
    for (const row of past.rowsOf(sale, test)) {
      const cell = past.cellOf(row);
      const figure = byCell.get(cell.cellNo) ?? emptyFigure(area, cell);
      byCell.set(cell.cellNo, figure);
      if (figure.sales.at(-1) !== sale) figure.sales.push(sale);
      if (figure.pool.add(past.row(row), recency) && figure.counted.at(-1) !== sale)
        figure.counted.push(sale);
    }
  }
  return [...byCell.values()]
    .filter(({pool}) => pool.rows > 0)
    .sort((a, b) => rankOf(a) - rankOf(b) || b.pool.head - a.pool.head || a.cell.cellNo - b.cell.cellNo);
}

function emptyFigure(area: PastArea, cell: PastCell): PastFigure {
  return {area, cell, pool: new PooledRows(cell.unit), sales: [], counted: []};
}

/** Thin figures come last, but for those of headline cells. */
function rankOf({cell, pool}: PastFigure): number {
  return pool.isThin && !cell.headline ? Number.POSITIVE_INFINITY : cell.rank;
}

/** Head of lots with a comment of the same cattle in the area; null for such lots themselves. */
export function describedHead(past: PastSales, {area, cell}: PastFigure): number | null {
  if (cell.baseNo !== cell.cellNo) return null;
  const numbers = new Set(past.describedCells(cell).map(({cellNo}) => cellNo));
  if (numbers.size === 0) return 0;
  const pool = new PooledRows(cell.unit);
  for (const sale of area.sales)
    for (const row of past.rowsOf(sale, ({cellNo}) => numbers.has(cellNo))) pool.add(past.row(row));
  return pool.head;
}
