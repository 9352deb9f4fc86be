import type {BarnPrice} from "../../schemas/market-barn-price.ts";
import {roundHalfAway} from "../rounding.ts";
import {
  type CurveMinimums,
  curveFigure,
  likePenLb,
  readFigure,
  type SalePen,
  untestedOf,
} from "./curve-figure.ts";
import {headOf, meanWeight, pensWithin, poundsMean} from "./pen-means.ts";
import {type CurveGrade, curveGrades} from "./weight-curve.ts";

/** Pens and head that one sale of one barn must have near a weight, so that its curve gives a price (`docs/design/market.md` section 7.2). */
const barnMinimums: CurveMinimums = {pens: 5, head: 50, states: 1, ofOneSale: {pens: 5, head: 50}};
/** A barn whose last sale of the class is older is not compared. */
const recentDays = 28;
/** Days between a sale and the one that a weekly change is counted from. */
const weekDays = {from: 4, to: 10};

type SaleFigure<Pen> = Pick<
  BarnPrice,
  "price_avg" | "basis" | "pens" | "head_count" | "avg_weight_lb" | "by_grade" | "nearest_lot" | "reason"
> & {
  /** The pens that the price rests on. */
  readonly support: readonly Pen[];
};
type Question = {readonly weightLb: number; readonly grade?: CurveGrade};

/**
 * The price of a weight at one sale of one class: of the curve of that sale where it has the minimums, else the mean of the pens of the
 * grade within 25 lb; grades are never pooled. Null with the reason where there is none.
 */
export function saleFigure<Pen extends SalePen>(
  pens: readonly Pen[],
  {weightLb, grade = "1"}: Question,
): SaleFigure<Pen> {
  const {curve, near, price} = curveFigure(pens, {weightLb, grade, minimums: barnMinimums});
  const isGrade = (pen: Pen) => pen.grade === grade;
  if (price !== null)
    return {
      ...priceOf(price, "curve"),
      ...supportOf(near.pens.filter(isGrade)),
      by_grade: byGrade(
        near.pens,
        (each) => readFigure(curve, pens, {weightLb, grade: each, minimums: barnMinimums}).price,
      ),
    };
  const like = pensWithin(pens, weightLb, likePenLb);
  const ofGrade = like.filter(isGrade);
  const figure = {...supportOf(ofGrade), by_grade: byGrade(like, (_, lots) => poundsMean(lots))};
  if (ofGrade.length > 0) return {...priceOf(poundsMean(ofGrade)!, "pens"), ...figure};
  return {
    ...{price_avg: null, basis: null, ...figure},
    reason: reasonOf(pens, like),
    nearest_lot: nearestLot(pens.filter(isGrade), weightLb),
  };
}

function reasonOf(pens: readonly SalePen[], like: readonly SalePen[]): NonNullable<BarnPrice["reason"]> {
  if (pens.length === 0) return "other_lots_alone";
  return like.length === 0 ? "none_of_the_weight" : "none_of_the_grade";
}

function priceOf(price: number, basis: "pens" | "curve") {
  return {price_avg: roundHalfAway(price, 2), basis, reason: null, nearest_lot: null};
}

function supportOf<Pen extends SalePen>(support: readonly Pen[]) {
  const avg_weight_lb = support.length === 0 ? null : roundHalfAway(meanWeight(support), 0);
  return {support, pens: support.length, head_count: headOf(support), avg_weight_lb};
}

function byGrade(
  pens: readonly SalePen[],
  priceOf: (grade: CurveGrade, ofGrade: readonly SalePen[]) => number | null,
): BarnPrice["by_grade"] {
  return curveGrades.flatMap((grade) => {
    const ofGrade = pens.filter((pen) => pen.grade === grade);
    const price = ofGrade.length === 0 ? null : priceOf(grade, ofGrade);
    if (price === null) return [];
    const price_avg = roundHalfAway(price, 2);
    return [{muscle_grade: grade, price_avg, pens: ofGrade.length, head_count: headOf(ofGrade)}];
  });
}

/** The pen nearest to the weight; of two alike the one of more head. */
function nearestLot(pens: readonly SalePen[], weightLb: number): BarnPrice["nearest_lot"] {
  const off = (pen: SalePen) => Math.abs(pen.weightLb - weightLb);
  const [nearest] = pens.toSorted((a, b) => off(a) - off(b) || b.head - a.head);
  if (nearest === undefined) return null;
  return {avg_weight_lb: nearest.weightLb, price_avg: nearest.price, head_count: nearest.head};
}

/** A sale of one class with its pens of a weight curve; none where it sold other grades and frames, or lots with a comment, alone. */
export type ClassSale<Pen extends SalePen> = {
  readonly sale: Pen["sale"];
  readonly ageDays: number;
  readonly pens: readonly Pen[];
};

/** The newest sale of one class at one barn: its pens, and those of its sale of the week before, empty without one. */
export type BarnSale<Pen extends SalePen> = {
  readonly sale: Pen["sale"];
  readonly pens: readonly Pen[];
  readonly before: readonly Pen[];
};

/** The newest sale of each barn of the sales of one class; a barn without a sale in the last 28 days is left out. */
export function newestSales<Pen extends SalePen>(sales: readonly ClassSale<Pen>[]): BarnSale<Pen>[] {
  const recent = sales.filter(({ageDays}) => ageDays >= 0 && ageDays <= recentDays);
  return [...Map.groupBy(recent, ({sale}) => sale.venueId).values()].map((ofBarn) => {
    const days = [...Map.groupBy(ofBarn, ({ageDays}) => ageDays)]
      .map(([age, ofDay]) => ({age, sale: ofDay[0]!.sale, pens: ofDay.flatMap(({pens}) => pens)}))
      .sort((a, b) => a.age - b.age);
    const {age, sale, pens} = days[0]!;
    const isWeekBefore = (other: number) => other - age >= weekDays.from && other - age <= weekDays.to;
    const before = days.find((day) => day.pens.length > 0 && isWeekBefore(day.age))?.pens ?? [];
    return {sale, pens, before};
  });
}

/**
 * The price of a weight at the newest sale of a barn, less that of the sale of the week before as `change_week`. A sale is fitted once,
 * however many weights are asked of it.
 */
export function barnFigure<Pen extends SalePen>(
  {pens, before}: BarnSale<Pen>,
  question: Question,
): SaleFigure<Pen> & {readonly change_week: number | null} {
  const [now, then] = [saleFigure(pens, question), saleFigure(before, question)];
  const isTested = untestedOf(pens) + untestedOf(before) === 0;
  const isMeasured = now.basis === "curve" && then.basis === "curve";
  const change = isMeasured && isTested ? roundHalfAway(now.price_avg! - then.price_avg!, 2) : null;
  return {...now, change_week: change};
}
