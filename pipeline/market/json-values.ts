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
