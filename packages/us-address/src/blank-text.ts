/** Spellings that publishers use for a missing value, compared with the whole cell, trimmed and in capitals. */
export const nullSpellings: ReadonlySet<string> = new Set([
  "",
  "NULL",
  "<NULL>",
  "NA",
  "N/A",
  "NONE",
  "NIL",
  "-",
  "--",
  ".",
  "UNKNOWN",
  "UNAVAILABLE",
  "NOT AVAILABLE",
  "NO DATA",
  "NOT APPLICABLE",
  "UNDETERMINED SITUS",
  "NO ADDRESS FOUND",
  "NO SITUS",
  "TBD",
]);

/** True for a text in capitals that says nothing: `0` and each spelling of a missing value. */
export function isBlank(text: string): boolean {
  return text === "0" || nullSpellings.has(text.trim());
}
