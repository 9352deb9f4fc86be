import {
  areaMinimums,
  type CurveFigure,
  type CurveQuestion,
  type CurveWindow,
  curveFigure,
  curveOf,
  curveWindows,
  isSupported,
  largestSpread,
  pensBetween,
  type SalePen,
} from "./curve-figure.ts";
import {curvePrice, weightRange} from "./weight-curve.ts";

/**
 * The figure of the shortest of the windows that meets the minimums, else of the longest one. A longer window has the level of other weeks, so
 * its figure is moved to that of the shorter ones at the nearest weights at which these have one: two questions a pound apart agree.
 */
export function windowFigure<Pen extends SalePen>(
  pens: readonly Pen[],
  question: CurveQuestion,
  windows: readonly CurveWindow[] = curveWindows,
): {readonly windowDays: CurveWindow; readonly figure: CurveFigure<Pen>} {
  const [windowDays, shorter] = [windows.at(-1)!, windows.slice(0, -1)];
  const ofShorter = shorter.length === 0 ? null : windowFigure(pens, question, shorter);
  if (ofShorter !== null && ofShorter.figure.price !== null) return ofShorter;
  const within = pensBetween(pens, 0, windowDays);
  const figure = curveFigure(within, question);
  if (ofShorter === null || figure.price === null) return {windowDays, figure};
  const nearest = nearestFigures(pens, question, {windows: shorter, range: weightRange(figure.curve!)});
  const {levelShift, weightsLb} = levelOf(nearest, figure);
  const atLevel = curveFigure(within, {...question, levelShift});
  return {windowDays, figure: {...atLevel, levelWeightsLb: weightsLb}};
}

/** The nearest lighter and heavier figures of some windows within a range of weights. */
function nearestFigures<Pen extends SalePen>(
  pens: readonly Pen[],
  question: CurveQuestion,
  {windows, range}: {readonly windows: readonly CurveWindow[]; readonly range: readonly [number, number]},
): CurveFigure<Pen>[] {
  if (!windows.some((days) => canBeRead(pensBetween(pens, 0, days), question))) return [];
  const [lightest, heaviest] = range;
  const longest = pensBetween(pens, 0, windows.at(-1)!);
  const first = (step: 1 | -1): CurveFigure<Pen>[] => {
    for (let weightLb = question.weightLb + step; ; weightLb += step) {
      if (weightLb < lightest || weightLb > heaviest) return [];
      // Cheap, and false at most weights without a figure.
      if (!isSupported(longest, weightLb)) continue;
      const {figure} = windowFigure(pens, {...question, weightLb}, windows);
      if (figure.price !== null) return [figure];
    }
  };
  return [...first(-1), ...first(1)];
}

/** False where the pens have a figure at no weight, so that none need be looked for. */
function canBeRead(pens: readonly SalePen[], {grade, minimums = areaMinimums}: CurveQuestion): boolean {
  const curve = pens.length < minimums.pens ? null : curveOf(pens, grade);
  return curve !== null && curve.residualSpread <= largestSpread;
}

/**
 * The shift, as a logarithm, that brings a figure to the level of the nearest figures of lighter and heavier cattle, each counted the more the
 * nearer its weight is; and their weights. Without such figures the shift is 0.
 */
function levelOf(
  nearest: readonly CurveFigure[],
  {curve, grade, weightLb}: CurveFigure,
): {readonly levelShift: number; readonly weightsLb: readonly number[]} {
  const steps = nearest.flatMap(({weightLb: lb, price}) => {
    const ofCurve = curvePrice(curve!, lb, grade);
    return ofCurve === null ? [] : [{lb, shift: Math.log(price! / ofCurve)}];
  });
  const [lighter, heavier] = [steps[0], steps.at(-1)];
  if (lighter === undefined || heavier === undefined) return {levelShift: 0, weightsLb: []};
  const between = heavier.lb - lighter.lb;
  const share = between === 0 ? 0 : (weightLb - lighter.lb) / between;
  return {
    levelShift: lighter.shift + share * (heavier.shift - lighter.shift),
    weightsLb: steps.map(({lb}) => lb),
  };
}
