import type {PriceSummary} from "../../schemas/market-summary.ts";
import {roundHalfAway} from "../rounding.ts";
import {
  type CurveMinimums,
  type CurveWindow,
  curveFigure,
  madeOnce,
  pensBetween,
  type SalePen,
  testedOf,
} from "./curve-figure.ts";

/** The members of a summary that say how its figure moved. */
export type Changes = Pick<
  PriceSummary,
  | "change_week"
  | "change_week_reason"
  | "change_14_days"
  | "change_14_days_reason"
  | "change_from"
  | "change_to"
  | "change_venues"
  | "change_year"
  | "change_year_reason"
  | "change_year_from"
  | "change_year_to"
>;

type ChangeReason = NonNullable<Changes["change_week_reason"]>;

/** A change between two windows, of the venues that sold in both. */
type Moved =
  | {
      readonly change: number;
      readonly from: number;
      readonly to: number;
      readonly venues: number;
      readonly reason: null;
    }
  | {
      readonly change: null;
      readonly from: null;
      readonly to: null;
      readonly venues: null;
      readonly reason: ChangeReason;
    };

const yearDays = 364;

/**
 * How the figure moved against the window before and against that of a year earlier (`docs/design/market.md` section 7.1): the same curve,
 * fitted on the venues that sold in both windows. Pens that their reporters call not tested leave both. `windowDays` is null for a summary without a figure, which has no change.
 */
export function changesOf<Pen extends SalePen>(
  pens: readonly Pen[],
  {
    windowDays,
    weightLb,
    minimums,
  }: {
    readonly windowDays: CurveWindow | null;
    readonly weightLb: number;
    readonly minimums: CurveMinimums;
  },
): Changes {
  const ofPens = (each: readonly SalePen[], days: number, [from, to]: readonly [number, number]) =>
    movedBetween(pensBetween(each, 0, days), pensBetween(each, from, to), {weightLb, minimums});
  const tested = testedOf(pens);
  const moved = (days: number, earlier: readonly [number, number]): Moved => {
    const ofTested = ofPens(tested, days, earlier);
    const isBlocked =
      ofTested.change === null && tested !== pens && ofPens(pens, days, earlier).change !== null;
    return isBlocked ? noChange("not_tested") : ofTested;
  };
  const [tooFew, tooWide] = [noChange("too_few"), noChange("window_too_wide")];
  const week = windowDays === 7 ? moved(7, [8, 14]) : windowDays === null ? tooFew : tooWide;
  const fortnight = windowDays === 14 ? moved(14, [15, 28]) : windowDays === null ? tooFew : tooWide;
  const newest = windowDays === 14 ? fortnight : week;
  const year = windowDays === null ? tooFew : moved(windowDays, [yearDays, yearDays + windowDays]);
  return {
    change_week: week.change,
    change_week_reason: week.reason,
    change_14_days: fortnight.change,
    change_14_days_reason: windowDays === 14 ? fortnight.reason : null,
    change_from: newest.from,
    change_to: newest.to,
    change_venues: newest.venues,
    change_year: year.change,
    change_year_reason: year.reason,
    change_year_from: year.from,
    change_year_to: year.to,
  };
}

function movedBetween(
  now: readonly SalePen[],
  then: readonly SalePen[],
  question: {readonly weightLb: number; readonly minimums: CurveMinimums},
): Moved {
  if (then.length === 0) return noChange("no_earlier_sale");
  const {venues, pens} = ofBoth(now, then);
  if (venues === 0) return noChange("not_comparable");
  const [to, from] = pens.map((each) => curveFigure(each, question).price);
  if (from == null || to == null) return noChange("too_few");
  const [shownFrom, shownTo] = [roundHalfAway(from, 2), roundHalfAway(to, 2)];
  // Of the figures as they are shown, so that a reader who subtracts finds the same.
  const change = roundHalfAway(shownTo - shownFrom, 2);
  return {change, from: shownFrom, to: shownTo, venues, reason: null};
}

/** The number of venues that sold in both of two windows, and their pens in each. */
type Both = {readonly venues: number; readonly pens: readonly (readonly SalePen[])[]};
const comparedWindows = new WeakMap<readonly SalePen[], WeakMap<readonly SalePen[], Both>>();

/** The venues that sold in both windows, with their pens in each; the same lists each time, so that each curve is fitted once. */
function ofBoth(now: readonly SalePen[], then: readonly SalePen[]): Both {
  const compared = madeOnce(comparedWindows, now, () => new WeakMap());
  return madeOnce(compared, then, () => {
    const earlier = new Set(then.map(({sale}) => sale.venueId));
    const venues = new Set(now.flatMap(({sale}) => (earlier.has(sale.venueId) ? [sale.venueId] : [])));
    const pens = [now, then].map((each) => {
      const common = each.filter(({sale}) => venues.has(sale.venueId));
      return common.length === each.length ? each : common;
    });
    return {venues: venues.size, pens};
  });
}

function noChange(reason: ChangeReason): Moved {
  return {change: null, from: null, to: null, venues: null, reason};
}
