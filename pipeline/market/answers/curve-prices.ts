import {curveOf, readFigure, type SalePen} from "../../../lib/market/curve-figure.ts";
import {type CurveGrade, curveGrades} from "../../../lib/market/weight-curve.ts";
import {model, type Run} from "../../../lib/models/model.ts";
import {cells} from "../normalise/cell-rows.ts";
import {ofCurve} from "./curve-cattle.ts";
import {described_sales, feeder_sales} from "./feeder-sales.ts";
import {cell_rows} from "./price-cells.ts";
import {current_issues} from "./sold-issues.ts";

/** A cell of one sale, at whose average weight the curve of a class at that sale is read. */
type SaleCell = {
  readonly venue_id: string;
  readonly report_end_date: string;
  readonly curve_class: string;
  readonly frame: string | null;
  readonly muscle_grade: string | null;
  readonly cell_id: string;
  readonly avg_weight: number;
};

type PenRow = Pick<SaleCell, "venue_id" | "report_end_date" | "curve_class"> & {
  readonly grade: CurveGrade;
  readonly lb: number;
  readonly price: number;
  readonly head: number;
};

/**
 * The price of lots without comment at the average weight of each cell of a sale, from the weight curve of a class at that sale
 * (`docs/design/market.md` section 7.1): of its own class for cells of `feeder_sales` and `described_sales`, and of steers for heifers too. Null
 * with the minimums that the sale misses, and for cattle that have no curve. Measures between two cells are made of these, never of two
 * single pens.
 */
export const curve_prices = model({
  name: "curve_prices",
  reads: [feeder_sales, described_sales, cell_rows, cells, current_issues],
  columns: {VARCHAR: "venue_id cell_id curve_class reason", DATE: "report_end_date", DOUBLE: "price"},
  rows: pricesOf,
});

const saleOf = (row: Pick<SaleCell, "venue_id" | "report_end_date" | "curve_class">) =>
  `${row.venue_id} ${row.report_end_date} ${row.curve_class}`;

/** SQL: each cell with the class whose curve is read at its weight. */
const cellsOfCurves = `SELECT *, class AS curve_class FROM feeder_sales
  UNION ALL SELECT *, class FROM described_sales
  UNION ALL SELECT *, 'steers' FROM feeder_sales WHERE class = 'heifers'`;

async function pricesOf({db}: Run): Promise<object[]> {
  const pens = Map.groupBy(
    await db.rows<PenRow>(
      `SELECT venue_id, report_end_date::VARCHAR AS report_end_date, class AS curve_class, muscle_grade AS grade, w AS lb, (cents / 100)::DOUBLE AS price, h::INTEGER AS head
      FROM cell_rows JOIN cells USING (cell_no) JOIN current_issues USING (issue_no)
      WHERE ${ofCurve} AND usable AND NOT outlier AND NOT w_imputed AND report_scope = 'venue'
        AND (venue_id, report_end_date) IN (SELECT (venue_id, report_end_date) FROM feeder_sales)`,
    ),
    saleOf,
  );
  const sales = new Map([...pens].map(([sale, rows]) => [sale, rows.map(penOf)]));
  const saleCells = await db.rows<SaleCell>(
    `SELECT venue_id, report_end_date::VARCHAR AS report_end_date, curve_class, frame, muscle_grade, cell_id, avg_weight FROM (${cellsOfCurves}) ORDER BY ALL`,
  );
  return saleCells.map((cell) => ({...cell, ...priceOf(cell, sales.get(saleOf(cell)) ?? [])}));
}

function penOf({venue_id, report_end_date, grade, lb, price, head}: PenRow): SalePen {
  const sale = {venueId: venue_id, state: "", date: report_end_date};
  return {grade, weightLb: lb, price, head, ageDays: 0, sale};
}

function priceOf(
  {frame, muscle_grade, avg_weight: weightLb}: SaleCell,
  pens: readonly SalePen[],
): {price: number | null; reason: string | null} {
  const grade = curveGrades.find((each) => each === muscle_grade);
  if (frame !== "medium_and_large" || grade === undefined)
    return {price: null, reason: "only Medium and Large 1 and 1-2 have a weight curve"};
  const {price, reasons} = readFigure(curveOf(pens, grade), pens, {weightLb, grade});
  return {price, reason: reasons.length === 0 ? null : `the curve of the sale: ${reasons.join(", ")}`};
}
