import {messageOf, UserError} from "../../lib/errors.ts";

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object, but not for a list or null. */
export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Objects of a list; other members are left out. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A name in the form in which names are compared: letters and digits, lower case (`CWP_NAME` and `CWPName` are one). */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "");
}

/** A record with folded names; of two names that fold alike the first with a value counts. */
export function folded(record: Json): Json {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const key = foldName(name);
    if (textOf(result[key]) === null) result[key] = value;
  }
  return result;
}

/** Text without white space at its ends; null for nothing, an empty text and the words that publishers write for it. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === "object") return null;
  const text = String(value).trim();
  return text === "" || /^(null|none|n\/a|nan)$/i.test(text) ? null : text;
}

/** First text among the named members of a folded record. */
export function textAt(record: Json, ...names: string[]): string | null {
  for (const name of names) {
    const text = textOf(record[name]);
    if (text !== null) return text;
  }
  return null;
}

/** A number as published (`"2,830,336"`, `"$ 3.71"`, 3.71); null for anything else. Never 0 for nothing. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const text = textOf(value);
  if (text === null) return null;
  const plain = text.replace(/^\$\s*/, "").replaceAll(",", "");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i.test(plain) ? Number(plain) : null;
}

/** A JSON value in words for messages: its kind and the names of its members. */
export function membersOf(value: unknown): string {
  if (Array.isArray(value)) {
    return `a JSON array of ${value.length}${isObject(value[0]) ? ` objects with ${names(value[0])}` : ""}`;
  }
  return isObject(value) ? `a JSON object with ${names(value)}` : `a JSON ${typeof value}`;
}

function names(value: Json): string {
  return Object.keys(value).slice(0, 12).join(", ") || "no members";
}

/** A slug of words for keys. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/** Member of a row that stands for a line which is no row of its table: what is wrong with it. */
export const unreadLine = "(unread line)";

/**
 * The value of a JSON text, or the list of the objects that stand there one a line; a line that is none is an object with `unreadLine`
 * alone. Throws a UserError that says where the text breaks, such as for a download that was cut off.
 */
export function parsedJson({path}: {readonly path: string}, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const lines = objectLines(text);
    if (lines !== null) return lines;
    throw new UserError(
      `${path}: not valid JSON, perhaps cut off: ${messageOf(thrown)} (${text.length} characters).`,
    );
  }
}

/** The objects of a text with one a line; null where not even its first line is one, or no other. */
function objectLines(text: string): Json[] | null {
  const lines = text
    .split(/\r?\n/)
    .flatMap((line, at) => (line.trim() === "" ? [] : [{line, number: at + 1}]));
  if (lines.length < 2 || objectOf(lines[0]!.line) === null) return null;
  const read = lines.map(
    ({line, number}) => objectOf(line) ?? {[unreadLine]: `line ${number}: ${line.trim().slice(0, 200)}`},
  );
  return read.filter((record) => unreadLine in record).length * 2 > read.length ? null : read;
}

function objectOf(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    // Not a fault yet: the line is told as one that is no object.
    return null;
  }
}
