import {calendarDay} from "../../../lib/dates.ts";
import {plainText} from "./plain-text.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * A calendar date as publishers write it: `2025-09-30`, `20250930`, `09/30/2025`, `9/30/25`, `2025-09-30T00:00:00`, `Sep 30,
 * 2025`, `30-Sep-25`. Null for anything else and for impossible dates.
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
  const time = /(?<!\d)(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?!\d)/.exec(text)?.[0];
  return `${date} ${time ?? "00:00:00"}`;
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

/** Number of a month from its English name or first three letters, 1 to 12; null for anything else. */
export function monthNumber(name: string): number | null {
  const index = months.indexOf(name.trim().slice(0, 3).toLowerCase());
  return index < 0 ? null : index + 1;
}

function monthOf(name: string): string {
  return String(months.indexOf(name.toLowerCase()) + 1);
}
