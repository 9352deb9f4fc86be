import {addDays, weekdayOf} from "./calendar.ts";
import type {PrintedPages} from "./pages.ts";
import {dateFrom} from "./published-date.ts";
import {readReportTitle, reportPeriod} from "./report-title.ts";

/** Title, dates and marks of a printed report; dates are ISO. */
export type ReportHeader = {
  readonly title: string;
  /** As printed, such as `Wed Aug 5, 2026`. */
  readonly issueDate: string | null;
  readonly beginDate: string;
  readonly endDate: string;
  /** `Final`, `Preliminary` or null. */
  readonly finalMark: string | null;
  readonly isCorrection: boolean;
  /** Number in the report's own address, such as `1889`. */
  readonly reportNumber: string | null;
};

const period =
  /Report for\s+(week ending\s+)?(\d{1,2}\/\d{1,2}\/\d{4}(?!\d))(?:\s*(?:-|–|to)\s*(\d{1,2}\/\d{1,2}\/\d{4}(?!\d)))?(?!\s*(?:-|–|to)\s*\d)(?:\s*[-–]\s*([A-Za-z]+)|\s*\((Final|Preliminary)\))?/i;

/** The numbers and dates of the reports in a text that holds several; empty for one report, and for a text without a header. */
export function severalReports(text: string): string[] {
  // Each page ends with the report's address; notes may mention other addresses inside a sentence.
  const numbers = [...text.matchAll(/^\s*https?:[^\s|]+(?:\s*\|\s*https?:[^\s|]+)*$/gim)].flatMap(
    ([line]) => /viewReport\/(\d+)/i.exec(line)?.[1] ?? [],
  );
  const dates = [...text.matchAll(new RegExp(period, "gi"))].map(([, , begin, end]) =>
    [begin, end].join(" to "),
  );
  const found = [new Set(numbers), new Set(dates)].filter(({size}) => size > 1);
  return found.flatMap((names) => [...names].map((name) => name.replace(/ to $/, "")));
}

/** Reads the header of a printed report; null without a valid date in a line `… Report for <date>`, which every report has. */
export function readReportHeader(text: string, printed: PrintedPages): ReportHeader | null {
  const dates = period.exec(text);
  if (dates === null) return null;
  const [, weekEnding, first, last, mark, markInBrackets] = dates;
  const end = dateFrom(last ?? first);
  const begin = weekEnding !== undefined && last === undefined ? sundayBefore(end) : dateFrom(first);
  // A summary with one date, as newswires print it, covers the week of that date.
  const isWeek = last === undefined && /summary/.test(readReportTitle(printed.title).scope);
  const stated = isWeek
    ? {report_title: printed.title, report_date: end}
    : {report_begin_date: begin, report_end_date: end};
  const days = begin === null || end === null ? null : reportPeriod(stated);
  if (days === null) return null;
  const top = [...printed.letterhead, ...(printed.pages[0] ?? []).map(({text: line}) => line)];
  const issued = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,?\s+[A-Z][a-z]{2,8}\.?\s+\d{1,2},\s+\d{4}(?!\d)/;
  // The letterhead of a video report has no weekday; the comment below it mentions other dates.
  const undated = /(?<=\s{2})[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}\s*$/;
  return {
    title: printed.title,
    issueDate: dateIn(top, issued) ?? dateIn(printed.letterhead, undated),
    beginDate: days.begin,
    endDate: days.end,
    finalMark: mark ?? markInBrackets ?? null,
    isCorrection: top.some((line) => /\*\s*Correct(?:ion|ed)\b/i.test(line)),
    reportNumber: /viewReport\/(\d+)/i.exec(text)?.[1] ?? null,
  };
}

function dateIn(lines: readonly string[], pattern: RegExp): string | null {
  return lines.map((line) => pattern.exec(line)?.[0].trim()).find((date) => date !== undefined) ?? null;
}

/** First day of the trading week that ends on a day; weeks begin on Sunday. */
function sundayBefore(end: string | null): string | null {
  return end === null ? null : addDays(end, -(weekdayOf(end) || 6));
}
