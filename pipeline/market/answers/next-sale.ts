import {addDays, ageDays, dayNumber, weekdayOf} from "../../../lib/dates.ts";
import {latestOf, sortedUnique} from "../../../lib/market/evidence.ts";
import {inferredSchedule} from "../../../lib/market/pricing-rules.ts";
import type {BarnSchedule} from "../../../schemas/market-fields/venue-fields.ts";
import {type ScheduleRule, type VenueSchedule, Weekday} from "../../../schemas/vocabulary/venue.ts";
import {holidayOn} from "../calendar/holidays.ts";
import type {KnownSale} from "./known-sales.ts";

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
 * Infers a venue's schedule from its known sales, per report number. A number needs 4 sales in 100 days, special ones aside. Where it has 4 on each of
 * several weekdays, each has its rule; else 3 in 4 of its last 8 must fall on one. Days of announced sales to come are dates, but for
 * the next ordinary one on the day of its rule. Null without a rule.
 */
export function inferSchedule(known: readonly KnownSale[], asOf: string): VenueSchedule | null {
  const byNumber = [...Map.groupBy(known, ({report_slug}) => report_slug)];
  const rules = byNumber.flatMap(([slug, sales]) => {
    const regular = regularRules(slug, sales.filter(isPast), asOf);
    return [...regular, ...announcedRule(slug, sales, regular, asOf)];
  });
  const bySales = new Set(rules.filter(({kind}) => kind === "regular").map(({report_slug}) => report_slug));
  const last = known.filter((sale) => isPast(sale) && bySales.has(sale.report_slug)).map(({day}) => day);
  if (rules.length === 0) return null;
  const verified = {verifiedAt: latestOf(last), verifiedBy: last.length === 0 ? null : fromReportedSales};
  return {rules, exceptions: [], text: null, ...verified};
}

const isPast = ({basis}: KnownSale) => basis === "reported" || basis === "last_reported";

function regularRules(slug: string, sales: readonly KnownSale[], asOf: string): ScheduleRule[] {
  const recent = sales
    .filter(({day, special}) => !special && ageDays(day, asOf) <= inferredSchedule.days)
    .toSorted((a, b) => (a.day < b.day ? 1 : -1));
  if (recent.length < inferredSchedule.sales) return [];
  const days = weekdays(recent);
  const often = days.filter(({length}) => length >= inferredSchedule.sales);
  const last = recent.slice(0, inferredSchedule.last);
  const regular =
    often.length > 1
      ? often
      : weekdays(last).filter(({length}) => length >= inferredSchedule.share * last.length);
  return regular.flatMap((ofDay) => inferRule(slug, ofDay.slice(0, inferredSchedule.last)));
}

/** The sales of each weekday, in the order of the week. */
function weekdays(sales: readonly KnownSale[]): KnownSale[][] {
  return [...Map.groupBy(sales, ({day}) => weekdayOf(day))].sort(([a], [b]) => a - b).map(([, days]) => days);
}

function announcedRule(
  slug: string,
  sales: readonly KnownSale[],
  regular: readonly ScheduleRule[],
  asOf: string,
): ScheduleRule[] {
  const isOfRule = (day: string) => regular.some((rule) => ruleFalls(rule, day));
  const dates = sales
    .filter(({basis, day, special}) => basis === "announced" && day >= asOf && (special || !isOfRule(day)))
    .map(({day}) => day);
  return dates.length === 0
    ? []
    : [{...unknownRule, report_slug: slug, kind: "special", frequency: "dates", dates: dates.sort()}];
}

const unknownRule = {
  ...{kind: "regular" as const, classes: [], weekday: null, nth: [], anchor_date: null, dates: []},
  ...{start_time_local: null, season: null, usual_head: null, report_slug: null},
};

/** The rule of a report number's sales on one weekday, newest first, from the days between them; none without a steady interval. */
function inferRule(slug: string, sales: readonly KnownSale[]): ScheduleRule[] {
  const days = sales.map(({day}) => day);
  const rule = {
    ...unknownRule,
    report_slug: slug,
    weekday: Weekday.options[weekdayOf(days[0]!)]!,
    classes: sortedUnique(sales.flatMap(({classes}) => classes)),
    usual_head: usualHead(sales),
  };
  const apart = intervalOf(days);
  if (apart === 7) return [{...rule, frequency: "weekly"}];
  if (apart === 14) return [{...rule, frequency: "biweekly", anchor_date: days[0]!}];
  const nth = [...new Set(days.map((day) => Math.ceil(Number(day.slice(8)) / 7)))];
  return apart !== null && apart >= 28 && nth.length === 1 ? [{...rule, frequency: "monthly_nth", nth}] : [];
}

/** Median receipts, rounded half up to whole head; null if none are known. */
function usualHead(sales: readonly KnownSale[]): number | null {
  const receipts = sales.flatMap(({receipts: head}) => head ?? []).sort((a, b) => a - b);
  const middle = receipts.length / 2;
  return receipts.length === 0
    ? null
    : Math.floor((receipts[Math.ceil(middle) - 1]! + receipts[Math.floor(middle)]!) / 2 + 0.5);
}

/**
 * The interval of sales on one weekday, newest first: the smallest that occurs twice, or of fewer than 4 sales the smallest; null without
 * one. A single week excludes a fortnight: sales between were held, their reports are missing.
 */
function intervalOf(days: readonly string[]): number | null {
  const apart = days.slice(1).map((day, index) => dayNumber(days[index]!) - dayNumber(day));
  const often = apart.filter((gap, index) => apart.indexOf(gap) !== index);
  const smallest = (gaps: readonly number[]) => (gaps.length === 0 ? null : Math.min(...gaps));
  const found = smallest(often) ?? (days.length < inferredSchedule.sales ? smallest(apart) : null);
  return apart.includes(7) && (found === null || found === 14) ? 7 : found;
}

/** A registered schedule whose rules have what the known sales of their weekday show, where one report number alone sells on it. */
export function withKnownSales(registered: VenueSchedule, inferred: VenueSchedule | null): VenueSchedule {
  const rules = registered.rules.map((rule) => {
    const [of, another] = (inferred?.rules ?? []).filter(
      ({weekday}) => weekday !== null && weekday === rule.weekday,
    );
    if (of === undefined || another !== undefined) return rule;
    const {usual_head, report_slug} = of;
    return {...rule, classes: rule.classes.length === 0 ? of.classes : rule.classes, usual_head, report_slug};
  });
  const announced = (inferred?.rules ?? []).filter(({kind}) => kind === "special");
  return {...registered, rules: [...rules, ...announced]};
}
