import {addDays, dayNumber, weekdayOf} from "../../../lib/dates.ts";
import {type ScheduleRule, type VenueSchedule, Weekday} from "../../../schemas/venue.ts";
import {holidayOn} from "../calendar/holidays.ts";
import {fromReportedSales} from "./sales-schedule.ts";

type NextSale = {
  date: string | null;
  basis: "projected" | "published" | "inferred" | "projected_holiday_unconfirmed" | null;
  holiday: string | null;
};

/** Days ahead in which a next sale is looked for: a season that has just ended comes round within a year. */
const horizonDays = 400;

/**
 * The first date of the rules on or after `asOf` that no exception cancels. A projected date on a holiday is kept and
 * marked, unless an exception of that date speaks; dates of a calendar and added dates are `published`.
 */
export function nextSale(
  schedule: Pick<VenueSchedule, "rules" | "exceptions"> & {verifiedBy?: string | null},
  asOf: string,
): NextSale {
  for (let ahead = 0; ahead < horizonDays; ahead++) {
    const date = addDays(asOf, ahead);
    const said = schedule.exceptions.filter((exception) => exception.date === date).map(({kind}) => kind);
    if (said.includes("added")) return {date, basis: "published", holiday: null};
    if (said.includes("no_sale") || said.includes("moved")) continue;
    const rule = schedule.rules.find((candidate) => ruleFalls(candidate, date));
    if (rule !== undefined) return judged(rule, date, schedule.verifiedBy === fromReportedSales);
  }
  return {date: null, basis: null, holiday: null};
}

function judged(rule: ScheduleRule, date: string, inferred: boolean): NextSale {
  if (rule.frequency === "dates") return {date, basis: "published", holiday: null};
  const holiday = holidayOn(date);
  const basis = inferred ? "inferred" : "projected";
  return {date, basis: holiday === null ? basis : "projected_holiday_unconfirmed", holiday};
}

/** True when a season holds a date; it may wrap over the new year. A null season holds every date. */
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
