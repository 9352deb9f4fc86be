import {addDays} from "./calendar.ts";
import {dateFrom} from "./published-date.ts";

/** A further day of a list: `24th and 31st`, but not `December 5, 10th Annual Sale`. */
const ends = String.raw`[.,;:!)]|- |$|&|(?:and|due|for|20\d\d)\b`;
const goesOn = String.raw`(?:will|are|were|is|was|because|at|in|on|with|as)\b`;
const ordinal = String.raw`\d{1,2}(?:st|nd|rd|th)\b`;
const more = String.raw`, ${ordinal}(?=\s*(?:${ends}))|,? (?:and|&) (?:${ordinal}(?=\s*(?:${ends}|${goesOn}))|\d{1,2}(?=[.;,]|$| due\b| for\b))`;
/** `Thursday, December 24th and 31st, 2026` or `12/24/2026`. Four figures before `head` are no year. */
const day = new RegExp(
  String.raw`\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? )?` +
    String.raw`(?:(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?\b((?:${more})*)` +
    String.raw`(?:,? (20\d\d)\b(?!\+|-\d| ?(?:head|hd|expected)\b))?|(\d{1,2})/(\d{1,2})/(\d{2,4})\b)`,
  "gi",
);

/**
 * A text on one line with each day as `{2026-12-24}`, or `{}` where it is none. One without a year is the next such day from the end of the
 * report, at most half a year ahead, or of the six days before.
 */
export function withNamedDays(text: string, endDate: string): string {
  const own = Number(endDate.slice(0, 4));
  return text
    .replaceAll(/[{}\s]+/g, " ")
    .replaceAll(day, (_, name: string, first: string, others: string, year, month, date, shortYear) => {
      if (month !== undefined) return `{${dateFrom(`${month}/${date}/${shortYear}`) ?? ""}}`;
      const isYear = year !== undefined && Number(year) <= own + 1;
      const dayOf = (dayOfMonth: string) =>
        (isYear ? [Number(year)] : [own - 1, own, own + 1])
          .flatMap((each) => dateFrom(`${name} ${dayOfMonth}, ${each}`) ?? [])
          .find((each) => isYear || (each >= addDays(endDate, -6) && each <= addDays(endDate, 183))) ?? "";
      return [first, ...(others.match(/\d+/g) ?? [])].map((each) => `{${dayOf(each)}}`).join(" and ");
    });
}

/** The days in a text of `withNamedDays`, in order; `""` for one that is none. */
export function namedDays(text: string): string[] {
  return [...text.matchAll(/\{([\d-]*)\}/g)].map(([, date]) => date!);
}
