/** Between parts of a packed text, and between members of a list in a part: characters that no published text holds. */
export const partSeparator = "\u001f";
export const memberSeparator = "\u001e";

/** Parts as one text: one value crosses into SQL and back cheaper than many. Null and empty are the same. */
export function pack(parts: readonly (string | number | null | undefined)[]): string {
  return parts.map((part) => (part === null || part === undefined ? "" : String(part))).join(partSeparator);
}

/** The parts of a packed text; an empty one is null. */
export function unpack(text: string): (string | null)[] {
  return text.split(partSeparator).map((part) => (part === "" ? null : part));
}

/** SQL that packs expressions as `pack` does. */
export function packSql(expressions: readonly string[]): string {
  return `concat_ws(chr(31), ${expressions.map((expression) => `coalesce(${expression}, '')`).join(", ")})`;
}

/** Name of the column with part `n` of the answer to the question of that name. */
export function answerColumn(question: string, n: number): string {
  return `"~${question} ${n}"`;
}

/** SQL of part `n`, from 0, of a list that `string_split(text, chr(31))` gave. */
export function partSql(list: string, n: number): string {
  return `nullif(${list}[${n + 1}], '')`;
}

/** SQL of a list of texts from a part; an empty part is an empty list. */
export function membersSql(list: string, n: number): string {
  return `CASE WHEN ${list}[${n + 1}] = '' THEN []::VARCHAR[] ELSE string_split(${list}[${n + 1}], chr(30)) END`;
}
