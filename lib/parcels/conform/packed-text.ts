/** Separators of the parts of a packed text and of the members of a list: no published text holds these characters. */
export const partSeparator = "\u001f";
export const memberSeparator = "\u001e";

/** Packs parts into one text, because one value crosses into SQL cheaper than many. Null and empty become the same. */
export function pack(parts: readonly (string | number | null | undefined)[]): string {
  return parts.map((part) => (part === null || part === undefined ? "" : String(part))).join(partSeparator);
}

/** Gives the parts of a packed text; an empty one is null. */
export function unpack(text: string): (string | null)[] {
  return text.split(partSeparator).map((part) => (part === "" ? null : part));
}

/** Gives SQL that packs expressions as `pack` does. */
export function packSql(expressions: readonly string[]): string {
  return `concat_ws(chr(31), ${expressions.map((expression) => `coalesce(${expression}, '')`).join(", ")})`;
}

/** Gives the name of the column with part `n` of the answer to a question. */
export function answerColumn(question: string, n: number): string {
  return `"~${question} ${n}"`;
}

/** Gives SQL of part `n`, from 0, of a list made by `string_split(text, chr(31))`. */
export function partSql(list: string, n: number): string {
  return `nullif(${list}[${n + 1}], '')`;
}

/** Gives SQL of a list of texts from a part; an empty part is an empty list. */
export function membersSql(list: string, n: number): string {
  return `CASE WHEN ${list}[${n + 1}] = '' THEN []::VARCHAR[] ELSE string_split(${list}[${n + 1}], chr(30)) END`;
}
