import type {PrintedLine} from "../src/pages.ts";

const columnWidth = 18;

/** A line of a printed table, each cell centred in its column, "" for an empty one. */
export function line(...cells: string[]): string {
  return cells
    .map((cell) => cell.padStart(Math.ceil((columnWidth + cell.length) / 2)).padEnd(columnWidth))
    .join("");
}

export const header = line("Head", "Wt Range", "Avg Wt", "Price Range", "Avg Price");
export const steers = "STEERS - Medium and Large 1 (Per Cwt / Actual Wt)";
export const heifers = "HEIFERS - Medium and Large 1 (Per Cwt / Actual Wt)";

/** Pages of a report as read, with continuous line numbers. */
export function pagesOf(...pages: readonly (readonly string[])[]): PrintedLine[][] {
  let number = 0;
  return pages.map((lines) => lines.map((text) => ({number: ++number, text})));
}
