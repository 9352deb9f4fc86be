import {ageDays, dayNumber, weekdayOf} from "../../../lib/dates.ts";
import {type ScheduleRule, type VenueSchedule, Weekday} from "../../../schemas/venue.ts";
import {inferredSchedule} from "./bounds.ts";

/** The verifier named by a schedule that was read from the days of reported sales. */
export const fromReportedSales = "reported_sales";

/**
 * The schedule that the last sales of a venue show (newest first): one rule, on the weekday of 3 in 4 of the last 8 at most, as often
 * as they are apart. Null with fewer than 4 sales in 100 days, where no weekday stands out, and where the sales are too irregular.
 */
export function scheduleOfSales(lastSales: readonly string[], asOf: string): VenueSchedule | null {
  const recent = lastSales.filter((day) => ageDays(day, asOf) <= inferredSchedule.days);
  if (recent.length < inferredSchedule.sales) return null;
  const byDay = Map.groupBy(recent, (day) => weekdayOf(day));
  const [weekday, agreeing] = [...byDay].reduce((most, day) => (day[1].length > most[1].length ? day : most));
  const rule = agreeing.length < inferredSchedule.share * recent.length ? null : ruleOf(weekday, agreeing);
  if (rule === null) return null;
  return {rules: [rule], exceptions: [], text: null, verifiedAt: recent[0]!, verifiedBy: fromReportedSales};
}

/** The rule of sales on one weekday, newest first: by the middle of their distances in days. */
function ruleOf(weekday: number, days: readonly string[]): ScheduleRule | null {
  const apart = days.slice(1).map((day, index) => dayNumber(days[index]!) - dayNumber(day));
  const middle = apart.toSorted((a, b) => a - b)[Math.floor(apart.length / 2)]!;
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
  if (middle === 7) return {...rule, frequency: "weekly"};
  if (middle === 14) return {...rule, frequency: "biweekly", anchor_date: days[0]!};
  const nth = [...new Set(days.map((day) => Math.ceil(Number(day.slice(8)) / 7)))];
  return middle >= 28 && nth.length === 1 ? {...rule, frequency: "monthly_nth", nth} : null;
}
