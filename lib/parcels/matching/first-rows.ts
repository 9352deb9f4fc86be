import type {TextColumn} from "../../storage/arrow-table/open.ts";
import type {Steps} from "./turns.ts";

/** The columns whose bytes order the rows; the last one is unique. */
export type RowOrder = readonly TextColumn[];

/** A row, with its keys of the columns that were needed so far. */
type Held = {readonly row: number; readonly keys: Buffer[]};

/** Rows that are compared in a step. */
const stepRows = 1_024;

/**
 * Gives the first `count` rows in an order, sorted. Any other row costs a comparison in place, so that ten rows of a
 * hundred thousand are found without reading all their texts.
 */
export function* firstRows(rows: readonly number[], count: number, order: RowOrder): Steps<number[]> {
  const held: Held[] = [];
  for (let i = 0; i < rows.length; i++) {
    if (i % stepRows === stepRows - 1) yield;
    const row = rows[i]!;
    const last = held[held.length - 1];
    if (held.length === count && (last === undefined || compare(row, last, order) >= 0)) continue;
    held.splice(placeOf(row, held, order), 0, {row, keys: []});
    if (held.length > count) held.pop();
  }
  return held.map(({row}) => row);
}

function placeOf(row: number, held: readonly Held[], order: RowOrder): number {
  let low = 0;
  let high = held.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(row, held[middle]!, order) < 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

function compare(row: number, held: Held, order: RowOrder): number {
  for (let at = 0; at < order.length; at++) {
    const column = order[at]!;
    const key = held.keys[at] ?? Buffer.from(column.at(held.row) ?? "");
    held.keys[at] = key;
    const difference = column.compare(row, key);
    if (difference !== 0) return difference;
  }
  return 0;
}
