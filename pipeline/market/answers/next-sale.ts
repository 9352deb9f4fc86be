import {addDays, ageDays, dayNumber, weekdayOf} from "../../../lib/dates.ts";
import type {BarnSchedule} from "../../../schemas/market-fields/venue-fields.ts";
import {type ScheduleRule, type VenueSchedule, Weekday} from "../../../schemas/vocabulary/venue.ts";
import {holidayOn} from "../calendar/holidays.ts";
import {inferredSchedule} from "../rules/pricing-rules.ts";

export type NextSale = {
  date: string | null;
  basis: BarnSchedule["next_sale_basis"];
  holiday: string | null;
};

const noSale: NextSale = {date: null, basis: null, holiday: null};

/** Days to look ahead: a season that has just ended comes again within a year. */
const horizonDays = 400;

/**
 * The first date on or after `from` on which the rules have a sale and no exception cancels it. A projected date on a holiday
 * is marked unless an exception adds it; listed and added dates are `published`.
 */
export function nextSale(
  schedule: (Pick<VenueSchedule, "rules" | "exceptions"> & {verifiedBy?: string | null}) | null,
  from: string,
): NextSale {
  if (schedule === null) return noSale;
  for (let ahead = 0; ahead < horizonDays; ahead++) {
    const date = addDays(from, ahead);
    const exceptions = schedule.exceptions
      .filter((exception) => exception.date === date)
      .map(({kind}) => kind);
    if (exceptions.includes("added")) return {date, basis: "published", holiday: null};
    if (exceptions.includes("no_sale") || exceptions.includes("moved")) continue;
    const rule = schedule.rules.find((candidate) => ruleFalls(candidate, date));
    if (rule !== undefined) return nextSaleOf(rule, date, schedule.verifiedBy === fromReportedSales);
  }
  return noSale;
}

function nextSaleOf(rule: ScheduleRule, date: string, inferred: boolean): NextSale {
  if (rule.frequency === "dates") return {date, basis: "published", holiday: null};
  const holiday = holidayOn(date);
  const basis = inferred ? "inferred" : "projected";
  return {date, basis: holiday === null ? basis : "projected_holiday_unconfirmed", holiday};
}

/** True if the date is in the season, which may span the new year; null means all year. */
export function inSeason(season: ScheduleRule["season"], date: string): boolean {
  if (season === null) return true;
  const day = date.slice(5);
  const {from, to} = season;
  return from <= to ? day >= from && day <= to : day >= from || day <= to;
}

function ruleFalls(rule: ScheduleRule, date: string): boolean {
  if (rule.frequency === "dates") return rule.dates.includes(date);
  if (rule.weekday === null || !inSeason(rule.season, date)) return false;
  if (Weekday.options.indexOf(rule.weekday) !== weekdayOf(date)) return false;
  if (rule.frequency === "weekly") return true;
  if (rule.frequency === "monthly_nth") return rule.nth.includes(Math.ceil(Number(date.slice(8)) / 7));
  return rule.anchor_date !== null && (dayNumber(date) - dayNumber(rule.anchor_date)) % 14 === 0;
}

/** `verifiedBy` of a schedule inferred from reported sales. */
export const fromReportedSales = "reported_sales";

/**
 * Infers a schedule from a venue's last sales (newest first): a rule for each weekday with sales at regular intervals, at least 4 of up to 8
 * sales for a yard of one sale day, 3 of each day for one of several. Null with fewer than 4 sales in 100 days, or where more than 1 in 4
 * falls on another weekday.
 */
export function inferSchedule(lastSales: readonly string[], asOf: string): VenueSchedule | null {
  const recent = lastSales.filter((day) => ageDays(day, asOf) <= inferredSchedule.days);
  if (recent.length < inferredSchedule.sales) return null;
  const regular = [...Map.groupBy(recent, (day) => weekdayOf(day))]
    .sort(([a], [b]) => a - b)
    .flatMap(([weekday, days]) => {
      const rule = days.length < inferredSchedule.salesOfDay ? null : inferRule(weekday, days);
      return rule === null ? [] : [{rule, sales: days.length}];
    });
  const agreeing = regular.reduce((sum, {sales}) => sum + sales, 0);
  if (regular.length === 0 || agreeing < inferredSchedule.share * recent.length) return null;
  const rules = regular.map(({rule}) => rule);
  return {rules, exceptions: [], text: null, verifiedAt: recent[0]!, verifiedBy: fromReportedSales};
}

/** The rule for sales on one weekday, newest first, from the days between them. */
function inferRule(weekday: number, days: readonly string[]): ScheduleRule | null {
  const interval = intervalOf(days.slice(1).map((day, index) => dayNumber(days[index]!) - dayNumber(day)));
  const rule = {
    kind: "regular" as const,
    classes: [],
    weekday: Weekday.options[weekday]!,
    nth: [],
    anchor_date: null,
    dates: [],
    start_time_local: null,
    season: null,
  };
  if (interval === 7) return {...rule, frequency: "weekly"};
  if (interval === 14) return {...rule, frequency: "biweekly", anchor_date: days[0]!};
  const nth = [...new Set(days.map((day) => Math.ceil(Number(day.slice(8)) / 7)))];
  return interval >= 28 && nth.length === 1 ? {...rule, frequency: "monthly_nth", nth} : null;
}

/**
 * The interval of sales on one weekday: where at least 1 in 4 is a week, a week, because a missing report makes two intervals one; else
 * the median.
 */
function intervalOf(apart: readonly number[]): number {
  const weeks = apart.filter((days) => days === 7).length;
  return weeks >= apart.length / 4 && weeks > 0
    ? 7
    : apart.toSorted((a, b) => a - b)[Math.floor(apart.length / 2)]!;
}
