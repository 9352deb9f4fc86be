import type {PriceSummary, SummaryMembers} from "../../schemas/market-summary.ts";
import {roundHalfAway} from "../rounding.ts";
import {changesOf} from "./curve-changes.ts";
import {
  areaMinimums,
  type CurveFigure,
  type CurveMinimums,
  type CurveWindow,
  curveFigure,
  isSupported,
  levelPrice,
  likePenLb,
  nearLb,
  pensBetween,
  readFigure,
  type SaleKey,
  type SalePen,
  saleId,
  untestedOf,
} from "./curve-figure.ts";
import {percent, residualPens} from "./curve-pens.ts";
import {summarySentence} from "./curve-words.ts";
import {headOf, meanWeight, pensWithin, poundsMean} from "./pen-means.ts";
import {type CurveGrade, curveGrades, weightRange} from "./weight-curve.ts";
import {windowFigure} from "./window-figure.ts";

/** A sale of one class, with what a summary says of it. */
export type Sale = SaleKey & {
  readonly venueName: string;
  /** Town and state. */
  readonly place: string;
  readonly countyFips: string | null;
  /** From the place of the question; null without one. */
  readonly miles: number | null;
};
export type AreaPen<Of extends Sale = Sale> = SalePen & {readonly sale: Of};

/** The classes that have a curve. */
export const curveClasses = ["steers", "heifers"] as const;
export type CurveClass = (typeof curveClasses)[number];

/** The pens of an area by class: those of the last 28 days, and those of a year before. */
export type AreaPens<Of extends Sale = Sale> = Readonly<Record<CurveClass, readonly AreaPen<Of>[]>>;

export type SummaryQuestion = {
  readonly kind: CurveClass;
  readonly weightLb: number;
  /** The area in words: `within 150 miles of 64836`. */
  readonly place: string;
  readonly minimums?: CurveMinimums;
  /** Whether any venue of the area reported a sale, of whatever cattle; undefined where that is not asked. */
  readonly hasReports?: boolean | undefined;
  /** A sentence to end with. */
  readonly note?: string;
  /** The windows to try; 7, 14 and 21 days by default. */
  readonly windows?: readonly CurveWindow[];
};

/** The published members of a summary, and the pens behind them, for its evidence. */
export type CurveAnswer<Of extends Sale = Sale> = {
  readonly summary: SummaryMembers & {readonly sentence: string};
  readonly figure: CurveFigure<AreaPen<Of>>;
};

const muscleGrade: CurveGrade = "1";
/** Pounds between a weight and those that its slide is read at, and those that its gain is priced to. */
const slideLb = 50;
const gainLb = [100, 200];
const ageBands = [
  {days: "0-7", to: 7},
  {days: "8-14", to: 14},
  {days: "15-21", to: 21},
] as const;

/**
 * Reads the summary of a class and a weight from the curve of an area (`docs/design/market.md` section 7.1). Below a minimum it has no
 * price and says why.
 */
export function curveSummary<Of extends Sale>(
  areaPens: AreaPens<Of>,
  {kind, weightLb, place, minimums = areaMinimums, windows, note, hasReports}: SummaryQuestion,
): CurveAnswer<Of> {
  const all = areaPens[kind];
  const pens = pensBetween(all, 0, 28);
  const question = {weightLb, grade: muscleGrade, minimums};
  const {windowDays, figure} = windowFigure(all, question, windows);
  const {levelShift} = figure;
  const inWindow = (each: readonly AreaPen<Of>[]) => pensBetween(each, 0, windowDays);
  const changes = changesOf(all, {windowDays: figure.price === null ? null : windowDays, weightLb, minimums});
  const grades = byGrade(inWindow(all), figure, question);
  const members = {
    class: kind,
    weight_lb: weightLb,
    frame: "medium_and_large" as const,
    muscle_grade: muscleGrade,
    price_unit: "per_cwt" as const,
    ...pricesOf(figure),
    reason: figure.reasons[0] ?? null,
    reasons: [...figure.reasons],
    window_days: windowDays,
    ...(levelShift === 0
      ? {}
      : {level_shift_pct: percent(levelShift)!, level_weights_lb: [...figure.levelWeightsLb]}),
    ...saleFacts(figure.curve?.pens ?? figure.near.pens),
    fit: fitOf(figure),
    head_by_age: headByAge(figure.near.pens),
    by_grade: grades,
    pens_at_weight: pensAtWeight(figure),
    grade_offset_pct: hasEnoughOfEach(figure.near.pens) ? percent(figure.curve?.offset) : null,
    heifer_spread: heiferSpread(
      curveClasses.map((each) =>
        each === kind ? figure : curveFigure(inWindow(areaPens[each]), {...question, levelShift}),
      ),
    ),
    ...slideAndGain(figure),
    residual_pens: residualPens(figure),
    last_sale: lastSale(pens, question),
    ...changes,
  };
  const area = {
    place,
    pens,
    minimums,
    windows,
    hasReports,
    grades: figure.curve?.grades,
    near: figure.near.pens,
  };
  const sentence = [summarySentence(members, area), note].filter(Boolean).join(" ");
  return {figure, summary: {...members, sentence}};
}

const cents = (price: number | null) => (price === null ? null : roundHalfAway(price, 2));

function pricesOf({price, low, high, weightLb}: CurveFigure) {
  const price_avg = cents(price);
  return {
    price_avg,
    price_low: cents(low),
    price_high: cents(high),
    value_per_head: price === null ? null : roundHalfAway((price * weightLb) / 100, 2),
  };
}

/** A pen as far as its sale, its head and its age are concerned. */
type SoldPen = {readonly head: number; readonly ageDays: number; readonly sale: Sale};

/** Members of a summary that describe the sales of some pens: head, number of venues, states and counties, distances, first and last day. */
export function saleFacts(pens: readonly SoldPen[]) {
  const sales = pens.map(({sale}) => sale);
  const miles = sales.flatMap((sale) => sale.miles ?? []).sort((a, b) => a - b);
  const dates = sales.map(({date}) => date).sort();
  return {
    head_count: headOf(pens),
    venues: new Set(sales.map(({venueId}) => venueId)).size,
    states: new Set(sales.map(({state}) => state)).size,
    counties: new Set(sales.flatMap(({countyFips}) => countyFips ?? [])).size,
    nearest_mi: miles[0] ?? null,
    farthest_mi: miles.at(-1) ?? null,
    first_sale_date: dates[0] ?? null,
    last_sale_date: dates.at(-1) ?? null,
  };
}

function fitOf({curve, near}: CurveFigure): PriceSummary["fit"] {
  if (curve === null) return null;
  const [lowest, highest] = weightRange(curve);
  return {
    degree: curve.degree,
    pens: curve.pens.length,
    pens_near: near.pens.length,
    head_near: near.head,
    untested_near: untestedOf(near.pens),
    sales: new Set(curve.pens.map(({sale}) => saleId(sale))).size,
    sales_near: near.sales,
    venues: new Set(curve.pens.map(({sale}) => sale.venueId)).size,
    residual_spread: roundHalfAway(curve.residualSpread, 4),
    weight_min_lb: lowest,
    weight_max_lb: highest,
    effective_pens: roundHalfAway(near.effectivePens, 1),
  };
}

/** The share of the head of some pens by the age of its sale. */
export function headByAge(pens: readonly SoldPen[]): PriceSummary["head_by_age"] {
  let from = 0;
  return ageBands.flatMap(({days, to}) => {
    const head = headOf(pens.filter(({ageDays}) => ageDays >= from && ageDays <= to));
    from = to + 1;
    return head === 0 ? [] : [{days, share: roundHalfAway(head / headOf(pens), 4)}];
  });
}

/** Each grade has its own price: from the shared curve, else from a curve of its own. */
function byGrade(
  pens: readonly AreaPen[],
  figure: CurveFigure<AreaPen>,
  question: {readonly weightLb: number; readonly minimums: CurveMinimums},
): PriceSummary["by_grade"] {
  return curveGrades.flatMap((grade) => {
    const ofGrade = pens.filter((pen) => pen.grade === grade);
    if (ofGrade.length === 0) return [];
    const isShared = figure.curve?.grades.includes(grade) ?? false;
    const asked = {...question, grade, levelShift: figure.levelShift};
    const {price} = isShared ? readFigure(figure.curve, pens, asked) : curveFigure(pens, asked);
    const pens_near = pensWithin(ofGrade, question.weightLb, nearLb).length;
    const counts = {pens: ofGrade.length, pens_near, head_count: headOf(ofGrade)};
    return [{muscle_grade: grade, price_avg: cents(price), ...counts}];
  });
}

/** The printed prices of the pens of the grade within 25 lb of the weight, summed up; null where there is no such pen. */
function pensAtWeight({near, weightLb, grade}: CurveFigure): PriceSummary["pens_at_weight"] {
  const at = pensWithin(near.pens, weightLb, likePenLb).filter((pen) => pen.grade === grade);
  if (at.length === 0) return null;
  const prices = at.map(({price}) => price);
  return {
    pens: at.length,
    head_count: headOf(at),
    avg_weight_lb: roundHalfAway(meanWeight(at), 0),
    price_avg: cents(poundsMean(at))!,
    price_low: Math.min(...prices),
    price_high: Math.max(...prices),
  };
}

/** True where both grades have the pens and head that a figure needs: an offset on fewer is that of these pens. */
function hasEnoughOfEach(pens: readonly AreaPen[]): boolean {
  return curveGrades.every((grade) => {
    const ofGrade = pens.filter((pen) => pen.grade === grade);
    return ofGrade.length >= areaMinimums.pens && headOf(ofGrade) >= areaMinimums.head;
  });
}

function heiferSpread([steers, heifers]: readonly CurveFigure[]): number | null {
  if (steers?.price == null || heifers?.price == null) return null;
  return roundHalfAway(cents(heifers.price)! - cents(steers.price)!, 2);
}

/** Both are read from the curve, at the level of the figure, and null where it is not supported. */
function slideAndGain(figure: CurveFigure): Pick<PriceSummary, "slide" | "value_of_gain"> {
  const {curve, weightLb, price} = figure;
  const at = (lb: number) =>
    curve === null || price === null || !isSupported(curve.pens, lb) ? null : levelPrice(figure, lb);
  const [lighter, heavier] = [at(weightLb - slideLb), at(weightLb + slideLb)];
  return {
    slide: lighter === null || heavier === null ? null : roundHalfAway(lighter - heavier, 2),
    value_of_gain: gainLb.map((gain) => {
      const [to, later] = [weightLb + gain, at(weightLb + gain)];
      const worth = later === null ? null : (to * later - weightLb * price!) / (100 * gain);
      return {to_weight_lb: to, value: worth === null ? null : roundHalfAway(worth, 2)};
    }),
  };
}

/** The newest sale of cattle of the grade near the weight; null where the last 28 days have none. */
function lastSale(
  pens: readonly AreaPen[],
  {weightLb, grade}: {readonly weightLb: number; readonly grade: CurveGrade},
): PriceSummary["last_sale"] {
  const near = pensWithin(pens, weightLb, nearLb).filter((pen) => pen.grade === grade);
  const newest = near.toSorted(
    (a, b) => a.ageDays - b.ageDays || (a.sale.venueId < b.sale.venueId ? -1 : 1),
  )[0];
  if (newest === undefined) return null;
  const {venueId, venueName, place, date} = newest.sale;
  return {venue_id: venueId, venue_name: venueName, place, date};
}
