import {plainText} from "./plain-text.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A published date (`2026-08-05…`, `08/05/2026…`) as ISO; null for nothing or any other form. */
export function isoDateOf(published: unknown): string | null {
  const text = plainText(published === null || published === undefined ? null : String(published));
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(text ?? "");
  if (iso) return iso[0];
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(text ?? "");
  return american ? `${american[3]}-${two(american[1]!)}-${two(american[2]!)}` : null;
}

/**
 * A published time without zone (`09/27/2023 09:55:03`, `Wed Aug 5, 2026`) as `YYYY-MM-DD HH:MM:SS`; null for any other
 * form.
 */
export function publishedTime(published: string | null): string | null {
  const text = plainText(published);
  if (text === null) return null;
  const words = /([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2}),\s+(\d{4})/.exec(text);
  const month = months.indexOf(words?.[1]?.toLowerCase() ?? "") + 1;
  const date =
    isoDateOf(text) ?? (words && month > 0 ? `${words[3]}-${two(String(month))}-${two(words[2]!)}` : null);
  if (date === null) return null;
  return `${date} ${/(?<!\d)(\d{2}:\d{2}:\d{2})(?!\d)/.exec(text)?.[1] ?? "00:00:00"}`;
}

function two(digits: string): string {
  return digits.padStart(2, "0");
}
