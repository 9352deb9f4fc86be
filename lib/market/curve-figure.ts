import {CurveReason} from "../../schemas/market-curve.ts";
import {
  type CurveGrade,
  type CurvePen,
  curvePrice,
  fitWeightCurve,
  type WeightCurve,
} from "./weight-curve.ts";

/** One sale of a class at a venue. */
export type SaleKey = {readonly venueId: string; readonly state: string; readonly date: string};
/** A pen with the sale in which it was sold; `isUntested` where its reporter says that there was no market test of such cattle. */
export type SalePen = CurvePen & {readonly sale: SaleKey; readonly isUntested?: boolean};

/**
 * The least pens, head and states near a weight for a figure; `ofGrade`: the least pens of the grade asked, whatever the other grade of a
 * shared curve has; `ofOneSale`: the least pens and head where one sale sold them all.
 */
export type CurveMinimums = {
  readonly pens: number;
  readonly head: number;
  readonly states: number;
  readonly ofGrade?: number;
  readonly ofOneSale?: {readonly pens: number; readonly head: number};
};
export const areaMinimums: CurveMinimums = {pens: 5, head: 50, states: 1};
export const nationMinimums: CurveMinimums = {pens: 30, head: 1000, states: 3};

/** Of fewer pens of a grade near the weight its price would be that of the other grade, moved by an offset of cattle elsewhere. */
export const pensOfGrade = 2;
/** A single sale carries the figure of an area only with this much. */
const oneSale = {pens: 5, head: 100};
/** Pounds: what is near a weight, how far the nearest pen may be, and the nearest on each side. */
export const nearLb = 150;
/** Pounds from a weight within which a pen is one of that weight. */
export const likePenLb = 25;
const supportLb = {nearest: 50, eachSide: 100};
const effectivePens = 3;
export const largestSpread = 0.12;
/** The range holds about four pens in five. */
const rangeSpreads = 1.3;

/** Days of the windows, shortest first; a window of 7 days has the ages 0 to 7. */
export const curveWindows = [7, 14, 21] as const;
export type CurveWindow = (typeof curveWindows)[number];

/** What the curve says at a weight; `price`, `low` and `high` are unrounded USD per cwt, null with `reasons`. */
export type CurveFigure<Pen extends SalePen = SalePen> = {
  readonly weightLb: number;
  readonly grade: CurveGrade;
  readonly price: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly reasons: readonly CurveReason[];
  readonly curve: WeightCurve<Pen> | null;
  readonly near: Support<Pen>;
  /** Logarithm of `price` over the price of the curve: 0, or where a longer window joins shorter ones what moves it to their level. */
  readonly levelShift: number;
  /** The weights at which it joins them, lighter first. */
  readonly levelWeightsLb: readonly number[];
};

/** The pens within 150 lb of a weight. */
type Support<Pen> = {
  readonly pens: readonly Pen[];
  readonly head: number;
  readonly sales: number;
  readonly venues: number;
  readonly states: number;
  readonly effectivePens: number;
};

export type CurveQuestion = {
  readonly weightLb: number;
  readonly grade?: CurveGrade;
  readonly minimums?: CurveMinimums;
  readonly levelShift?: number;
};

const fittedCurves = new WeakMap<readonly SalePen[], Map<CurveGrade, WeightCurve<SalePen> | null>>();

/** The curve of a list of pens. A list is fitted once for each grade, however many weights are read from it. */
export function curveOf<Pen extends SalePen>(
  pens: readonly Pen[],
  grade: CurveGrade = "1",
): WeightCurve<Pen> | null {
  const curves = madeOnce(fittedCurves, pens, () => new Map());
  return madeOnce(curves, grade, () => fitWeightCurve(pens, grade)) as WeightCurve<Pen> | null;
}

const windowsOfPens = new WeakMap<readonly SalePen[], Map<string, readonly SalePen[]>>();

/** The pens whose ages lie between two numbers of days; the same list each time, so that its curve is fitted once. */
export function pensBetween<Pen extends SalePen>(
  pens: readonly Pen[],
  from: number,
  to: number,
): readonly Pen[] {
  const windows = madeOnce(windowsOfPens, pens, () => new Map());
  return madeOnce(windows, `${from}-${to}`, () =>
    pens.filter(({ageDays}) => ageDays >= from && ageDays <= to),
  ) as readonly Pen[];
}

const testedPens = new WeakMap<readonly SalePen[], readonly SalePen[]>();

/** The pens without those that their reporters call not tested, which say nothing of a change; the same list each time. */
export function testedOf<Pen extends SalePen>(pens: readonly Pen[]): readonly Pen[] {
  return madeOnce(testedPens, pens, () =>
    pens.some(({isUntested}) => isUntested) ? pens.filter(({isUntested}) => !isUntested) : pens,
  ) as readonly Pen[];
}

/** The number of pens of which the reporter says that there was no market test. */
export function untestedOf(pens: readonly {readonly isUntested?: boolean}[]): number {
  return pens.filter(({isUntested}) => isUntested).length;
}

/** The value of a key, made where the map has none. */
export function madeOnce<Key, Value>(
  map: {get(key: Key): Value | undefined; set(key: Key, value: Value): unknown},
  key: Key,
  make: () => Value,
): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const value = make();
  map.set(key, value);
  return value;
}

/** Reads the figure at a weight from the curve of the pens; without a price where a minimum is not met. */
export function curveFigure<Pen extends SalePen>(
  pens: readonly Pen[],
  question: CurveQuestion,
): CurveFigure<Pen> {
  return readFigure(curveOf(pens, question.grade), pens, question);
}

/** Reads the figure at a weight from a curve over these pens. */
export function readFigure<Pen extends SalePen>(
  curve: WeightCurve<Pen> | null,
  pens: readonly Pen[],
  {weightLb, grade = "1", minimums = areaMinimums, levelShift = 0}: CurveQuestion,
): CurveFigure<Pen> {
  const near = supportOf(curve ?? unfitted(pens, grade), weightLb);
  const price = levelPrice({curve, levelShift}, weightLb, grade);
  const {ofOneSale = oneSale, ofGrade = pensOfGrade} = minimums;
  const unmet: Record<CurveReason, boolean> = {
    too_few_pens: near.pens.length < minimums.pens,
    too_few_head: near.head < minimums.head,
    too_few_of_the_grade: near.pens.filter((pen) => pen.grade === grade).length < ofGrade,
    too_few_states: near.states < minimums.states,
    one_small_sale: near.sales < 2 && (near.pens.length < ofOneSale.pens || near.head < ofOneSale.head),
    no_weight_support: price === null || !isSupported(near.pens, weightLb),
    one_pen_dominates: near.effectivePens < effectivePens,
    prices_too_scattered: curve !== null && curve.residualSpread > largestSpread,
  };
  const reasons = CurveReason.options.filter((reason) => unmet[reason]);
  const question = {weightLb, grade, reasons, curve, near, levelShift, levelWeightsLb: []};
  if (price === null || reasons.length > 0) return {...question, price: null, low: null, high: null};
  const factor = Math.exp(rangeSpreads * curve!.residualSpread);
  return {...question, price, low: price / factor, high: price * factor};
}

/** The price of a curve at a weight, at the level of its figure; null without a curve, and for a grade that it lacks. */
export function levelPrice(
  {curve, levelShift}: Pick<CurveFigure, "curve" | "levelShift">,
  weightLb: number,
  grade?: CurveGrade,
): number | null {
  const ofCurve = curve === null ? null : curvePrice(curve, weightLb, grade);
  return ofCurve === null ? null : ofCurve * Math.exp(levelShift);
}

/** True where pens are near a weight and on both sides of it, so that a curve may be read there. */
export function isSupported(pens: readonly CurvePen[], weightLb: number): boolean {
  const has = (test: (offLb: number) => boolean) => pens.some((pen) => test(pen.weightLb - weightLb));
  return (
    has((off) => Math.abs(off) <= supportLb.nearest) &&
    has((off) => off <= 0 && off >= -supportLb.eachSide) &&
    has((off) => off >= 0 && off <= supportLb.eachSide)
  );
}

/** Names a sale: a venue and a day. */
export function saleId({venueId, date}: SaleKey): string {
  return `${venueId} ${date}`;
}

/** Without a curve the pens of the grade are counted, each with its full weight. */
function unfitted<Pen extends SalePen>(pens: readonly Pen[], grade: CurveGrade) {
  const ofGrade = pens.filter((pen) => pen.grade === grade);
  return {pens: ofGrade, weights: ofGrade.map(({head}) => head)};
}

function supportOf<Pen extends SalePen>(
  {pens, weights}: Pick<WeightCurve<Pen>, "pens" | "weights">,
  weightLb: number,
): Support<Pen> {
  const isNear = ({weightLb: lb}: Pen) => Math.abs(lb - weightLb) <= nearLb;
  const near = pens.filter(isNear);
  const counts = weights.filter((_, at) => isNear(pens[at]!));
  const sum = counts.reduce((total, v) => total + v, 0);
  const squares = counts.reduce((total, v) => total + v * v, 0);
  const distinct = (of: (pen: Pen) => string) => new Set(near.map(of)).size;
  return {
    pens: near,
    head: near.reduce((total, {head}) => total + head, 0),
    sales: distinct(({sale}) => saleId(sale)),
    venues: distinct(({sale}) => sale.venueId),
    states: distinct(({sale}) => sale.state),
    effectivePens: squares === 0 ? 0 : (sum * sum) / squares,
  };
}
