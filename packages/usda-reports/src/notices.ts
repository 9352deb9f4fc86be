import {addDays} from "./calendar.ts";
import {statesNoSale} from "./plain-text.ts";
import {dateFrom} from "./published-date.ts";
import type {Announcement} from "./reporter-fields.ts";

/** What a report says in asterisks, beside its comment. */
export type Notices = {readonly announced: readonly Announcement[]; readonly specialSale: string | null};

const day =
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4}))?|\b(\d{1,2})\/(\d{1,2})\/(\d{2,4})\b/gi;

/** Marks of an issue, which name no sale. */
const marks =
  /^(?:note\b.*|special note\b.*|(?:final|preliminary) report|close|add close\b.*|correct(?:ion|ed)\b.*|updated?\b.*|livestock .*report.*)?[:*\s]*$/i;
const saleWords = /\b(?:sale|auction|special|feature|sales)\b/i;
const unheld = /\b(?:will (?:not|be no)|won't|no (?:sale|auction)|not have a|closed|cancell?ed)\b/i;

/**
 * Reads the notices of a report that ended on a day. A notice with a day to come announces a special sale or that none is held; one
 * without a day that is no mark of the issue names the special sale of the report itself.
 */
export function readNotices(notices: readonly string[], endDate: string): Notices {
  const texts = notices.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter((text) => text !== "");
  const announced = texts.flatMap((text) => announcementOf(text, endDate));
  const names = texts.filter(
    (text) =>
      !marks.test(text) &&
      saleWords.test(text) &&
      !statesNoSale(text) &&
      !unheld.test(text) &&
      daysOf(text, endDate).length === 0,
  );
  return {announced, specialSale: names[0] ?? null};
}

function announcementOf(text: string, endDate: string): Announcement[] {
  if (/^(?:correct|update|final|preliminary)/i.test(text)) return [];
  const isUnheld = unheld.test(text);
  if (!isUnheld && !saleWords.test(text)) return [];
  const head = /(\d{1,3}(?:,\d{3})+|\d{3,6})\+? (?:head|hd)\b/i.exec(text)?.[1];
  return daysOf(text, endDate)
    .filter((date) => date > endDate)
    .map((date) => ({
      date,
      kind: isUnheld ? ("no_sale" as const) : ("special" as const),
      text,
      head: head === undefined || isUnheld ? null : Number(head.replaceAll(",", "")),
    }));
}

/** The days that a notice names; one without a year is the next such day, at most half a year ahead. */
function daysOf(text: string, endDate: string): string[] {
  return [...text.matchAll(day)].flatMap(([, name, dayOfMonth, year, month, date, shortYear]) => {
    if (month !== undefined) return dateFrom(`${month}/${date}/${shortYear}`) ?? [];
    const inYear = (each: number) => dateFrom(`${name} ${dayOfMonth}, ${each}`) ?? [];
    if (year !== undefined) return inYear(Number(year));
    const own = Number(endDate.slice(0, 4));
    const next = [own, own + 1].flatMap(inYear).find((each) => each > endDate);
    return next === undefined || next > addDays(endDate, 183) ? [] : [next];
  });
}
