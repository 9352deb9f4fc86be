import type {BarnPrice} from "../../schemas/market-barn-price.ts";
import {roundHalfAway} from "../rounding.ts";
import {
  type CurveMinimums,
  curveFigure,
  pensBetween,
  readFigure,
  type SalePen,
  untestedOf,
} from "./curve-figure.ts";
import {headOf} from "./curve-summary.ts";
import {type CurveGrade, curveGrades} from "./weight-curve.ts";

/** Pens and head that one sale of one barn must have near a weight, so that its curve gives a price (`docs/design/market.md` section 7.2). */
const barnMinimums: CurveMinimums = {pens: 5, head: 50, states: 1, ofOneSale: {pens: 5, head: 50}};
/** Pounds from the weight within which pens speak for it where there is no curve. */
const likePenLb = 25;
/** A barn whose last sale of the class is older is not compared. */
const recentDays = 28;
/** Days between a sale and the one that a weekly change is counted from. */
const weekDays = {from: 4, to: 10};

type SaleFigure<Pen> = Pick<
  BarnPrice,
  "price_avg" | "basis" | "pens" | "head_count" | "by_grade" | "reason"
> & {
  /** The pens that the price rests on. */
  readonly support: readonly Pen[];
};

/**
 * The price of a weight at one sale of one class: of the curve of that sale, else of the pens of the grade within 25 lb; grades are never pooled.
 * Null with the reason where neither is there.
 */
export function saleFigure<Pen extends SalePen>(
  pens: readonly Pen[],
  {weightLb, grade = "1"}: {readonly weightLb: number; readonly grade?: CurveGrade},
): SaleFigure<Pen> {
  const question = {weightLb, grade, minimums: barnMinimums};
  const {price, near, curve} = curveFigure(pens, question);
  if (price !== null) {
    const priceOf = (each: CurveGrade) => readFigure(curve, pens, {...question, grade: each}).price;
    return {
      ...figureOf(near.pens, priceOf),
      price_avg: roundHalfAway(price, 2),
      basis: "curve",
      reason: null,
    };
  }
  const like = pens.filter((pen) => Math.abs(pen.weightLb - weightLb) <= likePenLb);
  const meanOf = (each: CurveGrade) => poundsMean(like.filter((pen) => pen.grade === each));
  const ofGrade = like.filter((pen) => pen.grade === grade);
  const byGrade = figureOf(like, meanOf).by_grade;
  if (ofGrade.length === 0)
    return {
      ...{price_avg: null, basis: null, pens: 0, head_count: 0, by_grade: byGrade, support: []},
      reason: like.length === 0 ? "none_of_the_weight" : "none_of_the_grade",
    };
  return {
    ...{...figureOf(ofGrade, meanOf), by_grade: byGrade},
    ...{price_avg: roundHalfAway(meanOf(grade)!, 2), basis: "pens", reason: null},
  };
}

function figureOf<Pen extends SalePen>(
  support: readonly Pen[],
  priceOf: (grade: CurveGrade) => number | null,
) {
  const by_grade = curveGrades.flatMap((grade) => {
    const ofGrade = support.filter((pen) => pen.grade === grade);
    const price = ofGrade.length === 0 ? null : priceOf(grade);
    return price === null
      ? []
      : [
          {
            muscle_grade: grade,
            price_avg: roundHalfAway(price, 2),
            pens: ofGrade.length,
            head_count: headOf(ofGrade),
          },
        ];
  });
  return {support, pens: support.length, head_count: headOf(support), by_grade};
}

/** USD per cwt over the pounds sold; null without pens. */
function poundsMean(pens: readonly SalePen[]): number | null {
  const pounds = pens.reduce((sum, {head, weightLb}) => sum + head * weightLb, 0);
  return pounds === 0
    ? null
    : pens.reduce((sum, {head, weightLb, price}) => sum + head * weightLb * price, 0) / pounds;
}

/** The newest sale of one class at one barn: its pens, and those of its sale of the week before, empty without one. */
export type BarnSale<Pen extends SalePen> = {
  readonly sale: Pen["sale"];
  readonly pens: readonly Pen[];
  readonly before: readonly Pen[];
};

/** The newest sale of each barn of the pens of one class; a barn without a sale in the last 28 days is left out. */
export function newestSales<Pen extends SalePen>(pens: readonly Pen[]): BarnSale<Pen>[] {
  const byBarn = Map.groupBy(pensBetween(pens, 0, recentDays), ({sale}) => sale.venueId);
  return [...byBarn.values()].map((ofBarn) => {
    const sales = [...Map.groupBy(ofBarn, ({ageDays}) => ageDays)].sort(([a], [b]) => a - b);
    const [age, newest] = sales[0]!;
    const isWeekBefore = (other: number) => other - age >= weekDays.from && other - age <= weekDays.to;
    const before = sales.find(([other]) => isWeekBefore(other))?.[1] ?? [];
    return {sale: newest[0]!.sale, pens: newest, before};
  });
}

/**
 * The price of a weight at the newest sale of a barn, less that of the sale of the week before as `change_week`. A sale is fitted once,
 * however many weights are asked of it.
 */
export function barnFigure<Pen extends SalePen>(
  {pens, before}: BarnSale<Pen>,
  question: {readonly weightLb: number; readonly grade?: CurveGrade},
): SaleFigure<Pen> & {readonly change_week: number | null} {
  const [now, then] = [saleFigure(pens, question), saleFigure(before, question)];
  const isRead = now.basis === "curve" && then.basis === "curve";
  const isTested = untestedOf(pens) + untestedOf(before) === 0;
  const change = isRead && isTested ? roundHalfAway(now.price_avg! - then.price_avg!, 2) : null;
  return {...now, change_week: change};
}
