import {emptyWords} from "./plain-text.ts";

/** Days of the calendar, and values as publishers write them; this door loads no reader of reports. */
export {addDays, dayNumber, weekdayOf} from "./calendar.ts";

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for a list or null. */
export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** The objects in a list; other members are dropped. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Normalises a name for comparison: lower-case letters and digits only (`CWP_NAME` and `CWPName` are equal). */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "");
}

/** A record with folded names; of names that fold alike, the first with a value wins. */
export function folded(record: Json): Json {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const key = foldName(name);
    if (textOf(result[key]) === null) result[key] = value;
  }
  return result;
}

/** Trimmed text; null for nothing, and for the words that publishers write for a missing value (`emptyWords`). */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === "object") return null;
  const text = String(value).trim();
  return emptyWords.has(text.toLowerCase()) ? null : text;
}

/** First text among the named members of a folded record. */
export function textAt(record: Json, ...names: string[]): string | null {
  for (const name of names) {
    const text = textOf(record[name]);
    if (text !== null) return text;
  }
  return null;
}

/**
 * A number as published (`"2,830,336"`, `"$ 3.71"`, 3.71); null for anything else, never 0 for a missing value, and never 1,250 for a
 * `12,50` with a decimal comma.
 */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const text = textOf(value);
  if (text === null) return null;
  const plain = text.replace(/^\$\s*/, "");
  return /^[+-]?((\d{1,3}(,\d{3})+|\d+)(\.\d*)?|\.\d+)(e[+-]?\d{1,2})?$/i.test(plain)
    ? Number(plain.replaceAll(",", ""))
    : null;
}

/** Describes a JSON value for messages: its type and member names. */
export function membersOf(value: unknown): string {
  if (Array.isArray(value)) {
    return `a JSON array of ${value.length}${isObject(value[0]) ? ` objects with ${names(value[0])}` : ""}`;
  }
  return isObject(value) ? `a JSON object with ${names(value)}` : `a JSON ${typeof value}`;
}

function names(value: Json): string {
  return Object.keys(value).slice(0, 12).join(", ") || "no members";
}

/** Member of a row that marks an unreadable line; its value says what is wrong. */
export const unreadLine = "(unread line)";
