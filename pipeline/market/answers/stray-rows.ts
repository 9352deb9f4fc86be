import {areaMinimums, curveOf, readFigure, type SalePen} from "../../../lib/market/curve-figure.ts";
import {curveAges, strayLogarithm} from "../../../lib/market/pricing-rules.ts";
import {type CurveGrade, curvePrice} from "../../../lib/market/weight-curve.ts";
import type {Run} from "../../../lib/models/model.ts";
import {ofCurve} from "./curve-cattle.ts";
import {venueSale} from "./sold-issues.ts";

type PenRow = {
  readonly row_no: number;
  readonly state: string;
  readonly class: string;
  readonly venue_id: string;
  readonly date: string;
  /** Days since 1970 of the sale and of the Saturday of its week. */
  readonly day: number;
  readonly week: number;
  readonly grade: CurveGrade;
  readonly lb: number;
  readonly price: number;
  readonly head: number;
};
type Pen = SalePen & {readonly rowNo: number};

/** Days of the pens, up to the Saturday of a week, from which the curve of that week is fitted. */
const weekWindowDays = 20;

/** A pen is judged by the curve of both grades, also where it is the only one of its own. */
const minimums = {...areaMinimums, ofGrade: 1};

/** SQL: the pens of weight curves of each state, but for those that are implausible by other rules. */
const statePens = `SELECT w.rowid::INTEGER AS row_no, state, class, venue_id, report_end_date::VARCHAR AS date,
    date_diff('day', DATE '1970-01-01', report_end_date)::INTEGER AS day, date_diff('day', DATE '1970-01-01', week_end_date)::INTEGER AS week,
    muscle_grade AS grade, w AS lb, (cents / 100)::DOUBLE AS price, h::INTEGER AS head
  FROM weighed_rows AS w JOIN cells USING (cell_no) JOIN current_issues USING (issue_no)
  WHERE ${ofCurve} AND usable AND NOT w_imputed AND ${venueSale} AND venue_id IS NOT NULL AND state IS NOT NULL
    AND (age BETWEEN 0 AND ${curveAges.to} OR age BETWEEN ${curveAges.yearFrom} AND ${curveAges.yearTo})
    AND w.rowid NOT IN (SELECT row_no FROM unlike_rows UNION ALL SELECT row_no FROM lonely_rows)`;

/**
 * The rows whose price is further from the weight curve of their state, class and week than any like cattle would be, each with the price of
 * the curve. A curve below the minimums of section 7.1 at the weight of a row says nothing of it.
 */
export async function strayRows({db}: Run): Promise<{row_no: number; median_price: number}[]> {
  const rows = await db.rows<PenRow>(statePens);
  const markets = Map.groupBy(rows, ({state, class: kind}) => `${state} ${kind}`);
  return [...markets.values()].flatMap((market) =>
    [...new Set(market.map(({week}) => week))].flatMap((week) => straysOfWeek(market, week)),
  );
}

function straysOfWeek(market: readonly PenRow[], week: number) {
  const pens = market
    .filter(({day}) => day <= week && day >= week - weekWindowDays)
    .map((row) => penOf(row, week));
  const ofWeek = new Set(market.flatMap((row) => (row.week === week ? [row.row_no] : [])));
  return pens.flatMap(({rowNo, weightLb, grade, price}) => {
    const curve = curveOf(pens, grade);
    const usual = curve === null ? null : curvePrice(curve, weightLb, grade);
    const isFar = usual !== null && Math.abs(Math.log(price / usual)) > strayLogarithm;
    if (!isFar || !ofWeek.has(rowNo)) return [];
    const meetsMinimums = readFigure(curve, pens, {weightLb, grade, minimums}).price !== null;
    return meetsMinimums ? [{row_no: rowNo, median_price: Math.round(100 * usual) / 100}] : [];
  });
}

function penOf({row_no, state, venue_id, date, day, grade, lb, price, head}: PenRow, week: number): Pen {
  const sale = {venueId: venue_id, state, date};
  return {rowNo: row_no, grade, weightLb: lb, price, head, ageDays: week - day, sale};
}
