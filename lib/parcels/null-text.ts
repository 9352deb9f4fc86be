/**
 * Spellings that publishers print for a missing value (docs/design/parcels.md section 5); they are compared with the whole
 * cell, trimmed and in upper case.
 */
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

/**
 * The kind of a field: `text` (ids, names, text), in which `0`, `NONE` and `NA` are null; `number`, in which the words are
 * null and 0 is a value; `code`, a column of codes, in which `NA` and `NONE` may be members.
 */
type FieldKind = "text" | "number" | "code";

/** True when a cell means that there is no value. */
export function isNullText(cell: string, kind: FieldKind = "text"): boolean {
  const text = cell.trim().toUpperCase();
  if (text === "0") return kind === "text";
  if (kind === "code" && (text === "NA" || text === "NONE")) return false;
  return nullSpellings.has(text);
}

/** Gives the trimmed cell, or null when it means that there is no value. */
export function nullText(cell: string | null | undefined, kind: FieldKind = "text"): string | null {
  if (cell === null || cell === undefined || isNullText(cell, kind)) return null;
  return cell.trim();
}
