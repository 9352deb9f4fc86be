/**
 * Separators of the parts of a packed text and of the members of a list; cleaned cells do not contain these
 * characters.
 */
export const partSeparator = "\u001f";
export const memberSeparator = "\u001e";

/**
 * Packs parts into one text, because passing one value to SQL is cheaper than passing many. Null and empty
 * become the same.
 */
export function pack(parts: readonly (string | number | null | undefined)[]): string {
  return parts.map((part) => (part === null || part === undefined ? "" : String(part))).join(partSeparator);
}

/** The parts of a packed text; an empty part is null. */
export function unpack(text: string): (string | null)[] {
  return text.split(partSeparator).map((part) => (part === "" ? null : part));
}

/** SQL that packs expressions as `pack` does. */
export function packSql(expressions: readonly string[]): string {
  return `concat_ws(chr(31), ${expressions.map((expression) => `coalesce(${expression}, '')`).join(", ")})`;
}

/** The column with part `n` of the answer to a question. */
export function answerColumn(question: string, n: number): string {
  return `"~${question} ${n}"`;
}

/** SQL for part `n`, counted from 0, of a list made by `string_split(text, chr(31))`. */
export function partSql(list: string, n: number): string {
  return `nullif(${list}[${n + 1}], '')`;
}

/** SQL for a part as a list of texts; an empty part is an empty list. */
export function membersSql(list: string, n: number): string {
  return `CASE WHEN ${list}[${n + 1}] = '' THEN []::VARCHAR[] ELSE string_split(${list}[${n + 1}], chr(30)) END`;
}
