import {calendarDay} from "./calendar.ts";
import {plainText} from "./plain-text.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * A calendar date as publishers write it: `2025-09-30`, `20250930`, `09/30/2025`, `9/30/25`, `2025-09-30T00:00:00`, `Sep 30,
 * 2025`, `30-Sep-25`. A month in words is told by its first three letters alone, so that `Febuary 3, 2026` is read. Null for anything else
 * and for impossible dates.
 */
export function dateFrom(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).trim();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (iso) return calendarDay(iso[1]!, iso[2]!, iso[3]!);
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?: .*)?$/.exec(text);
  if (us) return calendarDay(us[3]!.padStart(4, "20"), us[1]!, us[2]!);
  const words = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i.exec(text);
  if (words) return calendarDay(words[3]!, monthOf(words[1]!), words[2]!);
  const short = /^(\d{1,2})-([a-z]{3})-(\d{2}|\d{4})$/i.exec(text);
  return short ? calendarDay(short[3]!.padStart(4, "20"), monthOf(short[2]!), short[1]!) : null;
}

/**
 * A published time without zone (`09/27/2023 09:55:03`, `Wed Aug 5, 2026`) as `YYYY-MM-DD HH:MM:SS`; null for any other format.
 * A missing or impossible time of day becomes midnight.
 */
export function publishedTime(published: string | null): string | null {
  const text = plainText(published);
  if (text === null) return null;
  const words = /[A-Za-z]{3}[a-z]*\.?\s+\d{1,2},\s+\d{4}/.exec(text)?.[0] ?? null;
  const date = dateFrom(text) ?? dateFrom(words);
  if (date === null) return null;
  return `${date} ${timeOfDay(text) ?? "00:00:00"}`;
}

/** The time of day in a text as `HH:MM:SS`: `09:55:03`, `16:12`, `4:12:44 PM`; null without one. */
function timeOfDay(text: string): string | null {
  const time = /(?<![\d:])(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?![\d:])(?: ?([AP])M\b)?/i.exec(text);
  if (time === null) return null;
  const [, hour, minutes, seconds = "00", half] = time;
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === "P" ? 12 : 0);
  return hours > 23 || (half !== undefined && Number(hour) > 12)
    ? null
    : `${String(hours).padStart(2, "0")}:${minutes}:${seconds}`;
}

/** The range that a spreadsheet took for a date, `2-Jan` or `2026-01-02` → `1-2`; other texts are returned unchanged. */
export function rangeBeforeDate(text: string): string {
  const date = dateFrom(/^\d{1,2}-[a-z]{3}$/i.test(text) ? `${text}-2000` : text);
  if (date === null) return text;
  return date
    .split("-")
    .slice(1)
    .map(Number)
    .sort((a, b) => a - b)
    .join("-");
}

/** An ISO time with offset as UTC to the second; null for a time without offset and for anything else. */
export function instantFrom(value: unknown): string | null {
  if (typeof value !== "string") return null;
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(value)) return null;
  return instantOf(Date.parse(value));
}

/** Epoch milliseconds as UTC to the second; null for NaN and outside the years 1900 to 2199. */
export function instantOf(ms: number): string | null {
  const text = Math.abs(ms) < 8e15 ? new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z") : "";
  return /^(19|20|21)\d{2}-/.test(text) ? text : null;
}

/** Number of a month, 1 to 12, by the first three letters of its English name, whatever follows them; null for other letters. */
export function monthNumber(name: string): number | null {
  const index = months.indexOf(name.trim().slice(0, 3).toLowerCase());
  return index < 0 ? null : index + 1;
}

function monthOf(name: string): string {
  return String(months.indexOf(name.toLowerCase()) + 1);
}
