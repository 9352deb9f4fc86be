import {upperPlain} from "@open-cattle/us-address";

/** One comparison of a where clause. The field comes from the registry or the layer's metadata, the value from a caller. */
export type Comparison =
  | {readonly field: string; readonly op: "equals"; readonly value: string}
  | {readonly field: string; readonly op: "equalsNumber"; readonly value: number}
  | {readonly field: string; readonly op: "startsWith" | "contains"; readonly value: string}
  | {readonly field: string; readonly op: "containsOneOf"; readonly value: readonly string[]}
  /** A word without accents, which the county may print with them. */
  | {readonly field: string; readonly op: "containsWord"; readonly value: string}
  /** The letters and digits of a parcel number, whatever stands between them. */
  | {readonly field: string; readonly op: "spells"; readonly value: string};

/** The name of a field; one of joined tables stands behind the names of database, owner and table. */
const FIELD = /^[A-Za-z_][A-Za-z0-9_]{0,63}(?:\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,3}$/;
const SPELLED_ID = /^[A-Z0-9]{5,40}$/;
const PARCEL_ID = /^[A-Za-z0-9 _.\-/]{1,40}$/;
const MAX_COMPARISONS = 8;
const MAX_TEXT = 100;
const longestId = 200;

/** True for a parcel number that is safe to send to a county. */
export function isSendableParcelId(value: string): boolean {
  return PARCEL_ID.test(value);
}

/**
 * True for the letters and digits of a parcel number that can be asked for in any spelling. A shorter number would match too many
 * others.
 */
export function isSpellable(value: string): boolean {
  return SPELLED_ID.test(value);
}

/**
 * Sanitises a caller's owner or address text for sending: NFC, without `%` and `_`. Null when it is empty, longer than 100 characters, or
 * contains a control character or a lone surrogate.
 */
export function sendableText(value: string): string | null {
  const text = value.normalize("NFC").replace(/[%_]/g, "").trim();
  if (text === "" || text.length > MAX_TEXT || /\p{Cc}/u.test(text) || !text.isWellFormed()) return null;
  return text;
}

/**
 * Joins the comparisons with AND into a where clause; null if one of them must not be sent. Quotes in literals are doubled, so that no
 * value can inject a comparison.
 */
export function whereClause(comparisons: readonly Comparison[]): string | null {
  if (comparisons.length === 0 || comparisons.length > MAX_COMPARISONS) return null;
  const parts = comparisons.map(comparisonText);
  return parts.includes(null) ? null : parts.join(" AND ");
}

/**
 * True when a row satisfies the comparison. Checked because a server may ignore the clause. Case and surrounding blanks are ignored, as in
 * the servers' databases.
 */
export function fits(comparison: Comparison, attributes: Readonly<Record<string, unknown>>): boolean {
  const field = comparison.field.toLowerCase();
  const name = Object.keys(attributes).find((key) => key.toLowerCase() === field);
  const cell = name === undefined ? null : attributes[name];
  if (cell === null || cell === undefined) return false;
  if (comparison.op === "equalsNumber") return Number(cell) === comparison.value;
  if (comparison.op === "spells") return lettersAndDigits(String(cell)) === comparison.value;
  const text = comparableText(String(cell));
  if (comparison.op === "containsOneOf")
    return comparison.value.some((value) => text.includes(comparableText(value.replace(/[%_]/g, ""))));
  if (comparison.op === "containsWord") return upperPlain(text).includes(comparison.value);
  const wanted = comparableText(comparison.value.replace(comparison.op === "equals" ? "" : /[%_]/g, ""));
  if (comparison.op === "equals") return text === wanted;
  return comparison.op === "startsWith" ? text.startsWith(wanted) : text.includes(wanted);
}

/** The letters and digits of a number, in upper case; a number has no more than 200 characters. */
function lettersAndDigits(text: string): string {
  return text
    .slice(0, longestId)
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "");
}

/** An N between vowels, which may be printed Ñ: NUNEZ and NUÑEZ. It is the accent that counties keep most often. */
const mayBeTilde = /(?<=[AEIOU])N(?=[AEIOU])/g;

/** Only a-z are folded: upper-casing a dotless i gives I, a letter of another parcel number. */
function comparableText(text: string): string {
  return text
    .normalize("NFC")
    .trim()
    .replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function comparisonText(comparison: Comparison): string | null {
  const {field} = comparison;
  if (!FIELD.test(field)) return null;
  if (comparison.op === "equalsNumber") {
    return Number.isFinite(comparison.value) ? `${field} = ${comparison.value}` : null;
  }
  if (comparison.op === "spells")
    return isSpellable(comparison.value) ? likeText(field, [...comparison.value].join("%")) : null;
  if (comparison.op === "containsOneOf") return oneOfText(field, comparison.value);
  const text =
    comparison.op === "equals" && isSendableParcelId(comparison.value)
      ? comparison.value
      : sendableText(comparison.value);
  if (text === null) return null;
  if (comparison.op === "equals") return `${field} = ${quoted(text)}`;
  const upper = text.toUpperCase();
  const like = comparison.op === "containsWord" ? upper.replace(mayBeTilde, "_") : upper;
  return likeText(field, comparison.op === "startsWith" ? `${like}%` : `%${like}%`);
}

function oneOfText(field: string, values: readonly string[]): string | null {
  const texts = values.map(sendableText);
  if (texts.length === 0 || texts.length > MAX_COMPARISONS) return null;
  const parts = texts.flatMap((text) => (text === null ? [] : likeText(field, `%${text.toUpperCase()}%`)));
  if (parts.length < texts.length) return null;
  return parts.length === 1 ? parts[0]! : `(${parts.join(" OR ")})`;
}

/** Some servers refuse functions, so none is asked for where the pattern has no letter of which the case could differ. */
function likeText(field: string, pattern: string): string {
  return `${/\p{L}/u.test(pattern) ? `UPPER(${field})` : field} LIKE ${quoted(pattern)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
