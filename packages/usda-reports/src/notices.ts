import {addDays, weekdayOf} from "./calendar.ts";
import {statesNoSale} from "./plain-text.ts";
import type {Announcement} from "./reporter-fields.ts";

/** What a report says in asterisks, beside its comment. */
export type Notices = {readonly announced: readonly Announcement[]; readonly specialSale: string | null};

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
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
    if (month !== undefined)
      return isoDay(
        Number(shortYear) < 100 ? 2000 + Number(shortYear) : Number(shortYear),
        Number(month),
        Number(date),
      );
    const monthNo = months.indexOf(name!.slice(0, 3).toLowerCase()) + 1;
    if (year !== undefined) return isoDay(Number(year), monthNo, Number(dayOfMonth));
    const own = Number(endDate.slice(0, 4));
    const next = [own, own + 1]
      .flatMap((each) => isoDay(each, monthNo, Number(dayOfMonth)))
      .find((each) => each > endDate);
    return next === undefined || next > addDays(endDate, 183) ? [] : [next];
  });
}

function isoDay(year: number, month: number, date: number): string[] {
  const iso = `${year}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
  const parsed = new Date(`${iso}T00:00:00Z`);
  const isDay = !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 10) === iso;
  return isDay && weekdayOf(iso) >= 0 ? [iso] : [];
}
