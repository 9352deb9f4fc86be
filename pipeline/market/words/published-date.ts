import {calendarDay} from "../../../lib/dates.ts";
import {plainText} from "./plain-text.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A published date (`2026-08-05…`, `08/05/2026…`) as ISO; null for nothing, any other form and days that no calendar has. */
export function isoDateOf(published: unknown): string | null {
  const text = plainText(published === null || published === undefined ? null : String(published));
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text ?? "");
  if (iso) return calendarDay(iso[1]!, iso[2]!, iso[3]!);
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(text ?? "");
  return american ? calendarDay(american[3]!, american[1]!, american[2]!) : null;
}

/**
 * A published time without zone (`09/27/2023 09:55:03`, `Wed Aug 5, 2026`) as `YYYY-MM-DD HH:MM:SS`; null for any other
 * form. An hour that no clock shows is midnight.
 */
export function publishedTime(published: string | null): string | null {
  const text = plainText(published);
  if (text === null) return null;
  const words = /([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2}),\s+(\d{4})/.exec(text);
  const month = months.indexOf(words?.[1]?.toLowerCase() ?? "") + 1;
  const date = isoDateOf(text) ?? (words ? calendarDay(words[3]!, String(month), words[2]!) : null);
  if (date === null) return null;
  const time = /(?<!\d)(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?!\d)/.exec(text)?.[0];
  return `${date} ${time ?? "00:00:00"}`;
}
