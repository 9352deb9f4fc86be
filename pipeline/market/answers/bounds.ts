/** Days of the window in which county and state figures are pooled, and of the wider one for thin cells. */
export const windowDays = 14;
export const widenedWindowDays = 28;

/** A venue's latest sale is served up to this age; older ones are history. */
export const latestMaxAgeDays = 60;

/** Outlier rule: at least so many rows in (state, cell, 28 days), |z| beyond, and this share off the median. */
export const outlier = {minRows: 7, days: 28, z: 6, share: 0.2} as const;

/**
 * A price is doubted below or above these shares of the median of its class and weight in its report over so many days, of so many rows;
 * so many times away its unit is a mistake, if the other one fits.
 */
export const plausible = {days: 28, minRows: 5, low: 0.4, high: 2.5, unitMistake: 8} as const;

/** A row cannot have more head than this share of its sale's receipts, nor more than this many head. */
export const headTolerance = 1.02;
export const largestLot = 20_000;

/** Estimates: farthest market, number of markets that count, and the distance below which nearness gains nothing more. */
export const estimate = {maxMiles: 150, venues: 3, floorMiles: 10} as const;

/** Matched changes: days from the earlier sale to the later, and how far it may be off them. */
export const weekBack = {days: 7, tolerance: 3} as const;
export const yearBack = {days: 364, tolerance: 10} as const;

/** Ages of the rows that take part: those that are served and the week before them, and the same a year before, in whole weeks. */
export const servedDays = {to: latestMaxAgeDays + weekBack.days + weekBack.tolerance} as const;
export const yearBefore = {
  from: yearBack.days - yearBack.tolerance - 7,
  to: latestMaxAgeDays + yearBack.days + yearBack.tolerance,
} as const;

/** A sale day is taken from reported sales: at least so many in so many days, and this share of the last ones on one weekday. */
export const inferredSchedule = {sales: 4, days: 100, last: 8, share: 0.75} as const;
