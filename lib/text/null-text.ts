import {nullSpellings} from "@open-cattle/us-address";

/**
 * The kind of a field: in `text` (ids, names, free text) `0`, `NONE` and `NA` are null; in `number` the words
 * are null and 0 is a value; in `code` `NA` and `NONE` may be valid codes.
 */
type FieldKind = "text" | "number" | "code";

/** True when a cell means that there is no value. */
export function isNullText(cell: string, kind: FieldKind = "text"): boolean {
  const text = cell.trim().toUpperCase();
  if (text === "0") return kind === "text";
  if (kind === "code" && (text === "NA" || text === "NONE")) return false;
  return nullSpellings.has(text);
}

/** The trimmed cell, or null when it means that there is no value. */
export function nullText(cell: string | null | undefined, kind: FieldKind = "text"): string | null {
  if (cell === null || cell === undefined || isNullText(cell, kind)) return null;
  return cell.trim();
}
