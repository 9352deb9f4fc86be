import {addDays, dayNumber, weekdayOf} from "../../../lib/dates.ts";
import {dateFrom} from "./published-date.ts";
import {readReportTitle} from "./report-title.ts";

type PublishedDates = {
  report_title?: string | null;
  market_type?: string | null;
  market_type_category?: string | null;
  report_date?: string | null;
  report_begin_date?: string | null;
  report_end_date?: string | null;
};

/** A report that covers more days than this has a wrong date. */
const longestDays = 35;

/**
 * First and last day of the period of a report; null where it has no date, or dates that are no period. A weekly summary
 * that only gives its report date (a day of its week, `docs/design/market.md` section 2) covers Sunday to Saturday, as the
 * printed summaries say.
 */
export function reportPeriod(dates: PublishedDates): {begin: string; end: string} | null {
  const period = statedPeriod({
    ...dates,
    report_date: dateFrom(dates.report_date),
    report_begin_date: dateFrom(dates.report_begin_date),
    report_end_date: dateFrom(dates.report_end_date),
  });
  const days = period === null ? -1 : dayNumber(period.end) - dayNumber(period.begin);
  return days < 0 || days > longestDays ? null : period;
}

function statedPeriod(dates: PublishedDates): {begin: string; end: string} | null {
  const day = dates.report_date ?? dates.report_begin_date ?? dates.report_end_date ?? null;
  if (dates.report_end_date)
    return {begin: dates.report_begin_date ?? dates.report_end_date, end: dates.report_end_date};
  if (day === null) return null;
  const {scope} = readReportTitle(
    dates.report_title ?? null,
    dates.market_type ?? null,
    dates.market_type_category ?? null,
  );
  if (!/summary/.test(scope)) return {begin: dates.report_begin_date ?? day, end: day};
  const sunday = addDays(day, -weekdayOf(day));
  return {begin: sunday, end: addDays(sunday, 6)};
}
