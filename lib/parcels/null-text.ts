/** Spellings that publishers print where they have nothing (docs/design/parcels.md section 5): whole cell, any case, trimmed. */
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
 * What a field can hold: `text` (ids, names, text), where `0`, `NONE` and `NA` are null; `number`, where they may be words
 * but 0 is a value; `code`, a column of codes, where `NA` and `NONE` may be members.
 */
type FieldKind = "text" | "number" | "code";

/** True when a cell says that there is no value. */
export function isNullText(cell: string, kind: FieldKind = "text"): boolean {
  const text = cell.trim().toUpperCase();
  if (text === "0") return kind === "text";
  if (kind === "code" && (text === "NA" || text === "NONE")) return false;
  return nullSpellings.has(text);
}

/** The trimmed cell, or null when it says that there is no value. */
export function nullText(cell: string | null | undefined, kind: FieldKind = "text"): string | null {
  if (cell === null || cell === undefined || isNullText(cell, kind)) return null;
  return cell.trim();
}
