import type {PriceSummary} from "../../schemas/market-summary.ts";
import {roundHalfAway} from "../rounding.ts";
import {type CurveFigure, levelPrice, type SalePen} from "./curve-figure.ts";
import {type CurveGrade, type WeightCurve, weightRange} from "./weight-curve.ts";

/** A pen is listed when its residual exceeds this many spreads, and this logarithm. */
const farPen = {spreads: 3, least: 0.1};
/** Pounds between the points at which a curve is drawn. */
const drawnLb = 25;

/** A curve as it is drawn: each of its grades, at the level of the figure, at round weights between its lightest and heaviest pen, and the pens; null without one. */
export function drawnCurve(figure: CurveFigure): NonNullable<PriceSummary["curve"]> | null {
  const {curve} = figure;
  if (curve === null) return null;
  const [lowest, highest] = weightRange(curve);
  const first = Math.ceil(lowest / drawnLb) * drawnLb;
  const weights = Array.from(
    {length: Math.max(0, Math.floor((highest - first) / drawnLb) + 1)},
    (_, at) => first + at * drawnLb,
  );
  const priceAt = (lb: number, grade: CurveGrade) => roundHalfAway(levelPrice(figure, lb, grade)!, 2);
  return {
    points: weights.map((lb) => ({
      weight_lb: lb,
      by_grade: curve.grades.map((grade) => ({muscle_grade: grade, price_avg: priceAt(lb, grade)})),
    })),
    pens: curve.pens.map(penFacts),
  };
}

/** A pen as it is told. */
function penFacts(pen: SalePen) {
  return {
    venue_id: pen.sale.venueId,
    sale_date: pen.sale.date,
    muscle_grade: pen.grade,
    avg_weight_lb: pen.weightLb,
    head_count: pen.head,
    price_avg: pen.price,
  };
}

/** True for a pen, by its place in the curve, that is far from it. */
function isFarFrom({residuals, residualSpread}: WeightCurve, at: number): boolean {
  return Math.abs(residuals[at]!) > Math.max(farPen.spreads * residualSpread, farPen.least);
}

/** The pens of the curve that are far from it, farthest first. */
export function residualPens({curve, price}: CurveFigure): PriceSummary["residual_pens"] {
  if (curve === null || price === null) return [];
  return curve.pens
    .map((pen, at) => ({pen, at, residual: curve.residuals[at]!}))
    .filter(({at}) => isFarFrom(curve, at))
    .sort((a, b) => Math.abs(b.residual) - Math.abs(a.residual))
    .map(({pen, residual}) => ({...penFacts(pen), percent: percent(residual)!}));
}

/** Percent of a logarithm, 2 decimals; null for none. */
export function percent(logarithm: number | null | undefined): number | null {
  return logarithm == null ? null : roundHalfAway(100 * Math.expm1(logarithm), 2);
}
