import type {TextColumn} from "./text-column.ts";

/** First row of a column sorted by bytes whose text is not before `key`; the number of rows when all are. */
export function lowerBound(column: TextColumn, key: Uint8Array): number {
  return firstRow(column.rows, 0, (row) => column.compare(row, key) >= 0);
}

/** First row from `from` on whose text is after `key`. */
export function upperBound(column: TextColumn, key: Uint8Array, from = 0): number {
  return firstRow(column.rows, from, (row) => column.compare(row, key) > 0);
}

/** Halving: the first row of `from`..`rows` for which `holds`, once true, stays true; `rows` when there is none. */
function firstRow(rows: number, from: number, holds: (row: number) => boolean): number {
  let low = from;
  let high = rows;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
