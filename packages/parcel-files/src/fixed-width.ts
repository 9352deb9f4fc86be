import {basename} from "node:path";
import type {ParcelFile} from "./parcel-file.ts";

/** Fewer lines do not show where columns begin. */
const fewestLines = 3;
const shownColumns = 40;

/**
 * Says of a table of fixed widths where its columns begin, and the command that writes it as delimited text.
 * Null for other text.
 */
export function fixedWidthAdvice({head, shownPath, path}: ParcelFile): string | null {
  const starts = columnStarts(linesOf(head.toString("latin1")));
  if (starts === null) return null;
  const pieces = starts.map((start, i) =>
    i + 1 === starts.length ? `substr($0, ${start})` : `substr($0, ${start}, ${starts[i + 1]! - start})`,
  );
  const name = basename(path);
  return `${shownPath}: a table of fixed widths, whose columns begin at ${starts.slice(0, shownColumns).join(", ")}. Correct these by the layout that its publisher gives, and write it as delimited text: awk -v OFS='|' '{print ${pieces.join(", ")}}' "${name}" > "${name.replace(/\.\w+$/, "")}.psv"`;
}

/** The whole lines of the first bytes of a file. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.slice(0, -1).filter((line) => line.trim() !== "");
}

/** Where the columns begin, counted from 1: behind each blank that all lines have at one place; null where that is one column. */
function columnStarts(lines: readonly string[]): number[] | null {
  if (lines.length < fewestLines) return null;
  const width = Math.max(...lines.map((line) => line.trimEnd().length));
  const isBlank = Array.from({length: width}, (_, at) => lines.every((line) => (line[at] ?? " ") === " "));
  const starts = isBlank.flatMap((blank, at) => (!blank && (isBlank[at - 1] ?? true) ? [at + 1] : []));
  return starts.length > 1 ? starts : null;
}
