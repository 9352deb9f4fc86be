/** Days over which county and state figures are pooled, and the wider window for thin cells. */
export const windowDays = 14;
export const widenedWindowDays = 28;

/** Maximum age in days of a venue's latest sale in answers; older sales are history only. */
export const latestMaxAgeDays = 60;

/** Maximum age in days of a mandatory report's line in answers and in their context. */
export const mandatoryMaxAgeDays = 21;

/** Outlier rule: minimum rows in (state, cell, 28 days), minimum |z|, and minimum deviation as a share of the median. */
export const outlier = {minRows: 7, days: 28, z: 6, share: 0.2} as const;

/**
 * A price is implausible below `low` or above `high` times the median of at least `minRows` rows of its class and weight in its
 * report over `days`, unless at least `minOwnRows` others of its own cell bring the like.
 */
export const plausible = {days: 28, minRows: 5, minOwnRows: 2, low: 0.4, high: 2.5} as const;

/**
 * Slips of unit: rows of at least `leastWeight` pounds are held against cattle within `pounds` of theirs over `days`. In logarithms, the
 * other unit must be as `near` to them, and the stated one further by `apart` (a factor of two).
 */
export const unitSlip = {
  leastWeight: 220,
  pounds: 50,
  days: 28,
  near: 0.3,
  apart: 0.69,
  middleRows: 20,
} as const;

/** Maximum head of a row: as a multiple of its sale's receipts, and absolute. */
export const headTolerance = 1.02;
export const largestLot = 20_000;

/** Estimates: maximum distance, maximum number of venues, and the distance that nearer venues count as. */
export const estimate = {maxMiles: 150, venues: 3, floorMiles: 10} as const;

/** Matched changes: days between the earlier and the later sale, and the tolerance. */
export const weekBack = {days: 7, tolerance: 3} as const;
export const yearBack = {days: 364, tolerance: 10} as const;

/**
 * Ages in days of the rows that figures need: those served, the week before them, and the same a year earlier, in whole weeks.
 */
export const servedDays = {to: latestMaxAgeDays + weekBack.days + weekBack.tolerance} as const;
export const yearBefore = {
  from: yearBack.days - yearBack.tolerance - 7,
  to: latestMaxAgeDays + yearBack.days + yearBack.tolerance,
} as const;

/**
 * Inferring sale days: minimum sales of a report number, or of each of its weekdays, within so many days, and the share of its `last`
 * sales that must fall on one weekday.
 */
export const inferredSchedule = {sales: 4, days: 100, last: 8, share: 0.75} as const;

/** Ages in days of the pens that a weight curve, its change by the week or two, and its change by the year need. */
export const curveAges = {to: 28, yearFrom: yearBack.days, yearTo: yearBack.days + 21} as const;

/** Receipts of known sales may exceed those that a summary states by so many head, or by this share if that is more. */
export const summaryReceipts = {head: 50, share: 0.02} as const;

/** A summary is outranked by newer sales: days after its period, and the venues or the head that must have sold since. */
export const outranking = {days: 8, venues: 3, head: 500} as const;

/** A feeder price is marked where its logarithm is further from that of the weight curve than this: 30 % below or 42 % above. */
export const strayLogarithm = 0.35;
