import {roundHalfAway} from "../../../../lib/rounding.ts";

export const droughtClasses = ["d0", "d1", "d2", "d3", "d4"] as const;

/** Shares of an area in percent: without drought, and by class D0 to D4 (cumulative or exclusive). */
export type Shares = {readonly none: number; readonly classes: readonly number[]};

/** Both ways of counting of one area: D1 and worse within `atLeast[1]`, exactly D1 in `only[1]`. */
export type DroughtShares = {
  readonly none: number;
  readonly atLeast: readonly number[];
  readonly only: readonly number[];
};

/** Largest rounding of six published shares of two decimals, and of shares of four decimals times 100. */
const tolerancePercent = 0.15;

/** From shares of at least each class; null where they grow with the class or do not make up the area. */
export function fromCumulative({none, classes}: Shares): DroughtShares | null {
  const only = classes.map((share, index) => share - (classes[index + 1] ?? 0));
  const whole = Math.abs(none + classes[0]! - 100) <= tolerancePercent;
  const can = [none, ...only].every((share) => share >= -tolerancePercent);
  return whole && can ? rounded(none, classes, only) : null;
}

/** From shares of exactly each class (categorical); null where they do not make up the area. */
export function fromExclusive({none, classes}: Shares): DroughtShares | null {
  const atLeast = classes.map((_, index) => classes.slice(index).reduce((sum, share) => sum + share, 0));
  const whole = Math.abs(none + atLeast[0]! - 100) <= tolerancePercent;
  return whole && [none, ...classes].every((share) => share >= 0) ? rounded(none, atLeast, classes) : null;
}

/** `D0` to `D4`: the worst class with a share of the area; null without drought. */
export function worstClass({only}: DroughtShares): string | null {
  const worst = only.findLastIndex((share) => share > 0);
  return worst < 0 ? null : `D${worst}`;
}

function rounded(none: number, atLeast: readonly number[], only: readonly number[]): DroughtShares {
  const percent = (share: number) => roundHalfAway(Math.min(100, Math.max(0, share)), 2);
  return {none: percent(none), atLeast: atLeast.map(percent), only: only.map(percent)};
}
