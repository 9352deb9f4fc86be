import type {TextColumn} from "@open-cattle/mapped-index";
import type {ParcelSet} from "../parcel-set.ts";
import type {Steps} from "./yield-to-loop.ts";

/** The columns whose bytes order the rows; the last column must be unique. */
export type RowOrder = readonly TextColumn[];

/** A row with the sort keys that were read so far. */
type Held = {readonly row: number; readonly keys: Buffer[]};

/** Batch size of the comparison, in rows. */
const stepRows = 1_024;

/** The figures by which hits can be ordered, largest first, instead of by distance or score. */
export type SizeOrder = "acres" | "value";

/** Rows of one set, in the order that breaks ties. */
export type RowList = {readonly set: ParcelSet; readonly rows: readonly number[]};

/**
 * The `count` largest rows of all lists, largest first, each as list index and position in the list. Rows of
 * unknown size come last, and ties keep their order.
 */
export function largestRows(
  lists: readonly RowList[],
  order: SizeOrder,
  count: number,
): [list: number, at: number][] {
  const total = lists.reduce((sum, {rows}) => sum + rows.length, 0);
  const sizes = new Float64Array(total);
  let end = 0;
  for (const {set, rows} of lists) {
    const sizeOf = sizeReader(set, order);
    for (const row of rows) sizes[end++] = sizeOf(row);
  }
  const threshold = total <= count ? Number.NEGATIVE_INFINITY : sizes.slice().sort()[total - count]!;
  const largest: {size: number; place: [number, number]}[] = [];
  const equal: typeof largest = [];
  let index = 0;
  for (const [list, {rows}] of lists.entries()) {
    for (let at = 0; at < rows.length; at++) {
      const size = sizes[index++]!;
      if (size > threshold) largest.push({size, place: [list, at]});
      else if (size === threshold && equal.length < count) equal.push({size, place: [list, at]});
    }
  }
  const first = largest.sort((a, b) => b.size - a.size);
  return [...first, ...equal].slice(0, count).map(({place}) => place);
}

/** The acres or the market value of a row; -1 when unknown. */
function sizeReader({parcels}: ParcelSet, order: SizeOrder): (row: number) => number {
  const name = order === "acres" ? "acres" : "market_value";
  // Older builds have no value columns for searching.
  if (!parcels.has(name)) return () => -1;
  const column = parcels.number(name);
  return (row) => column.at(row) ?? -1;
}

/**
 * The first `count` rows in an order, sorted. Every other row costs one comparison in place, so that ten of a
 * hundred thousand rows are found without reading all their texts.
 */
export function* firstRows(rows: readonly number[], count: number, order: RowOrder): Steps<number[]> {
  const heap: Held[] = [];
  for (let i = 0; i < rows.length; i++) {
    if (i % stepRows === stepRows - 1) yield;
    const row = rows[i]!;
    const last = heap[heap.length - 1];
    if (heap.length === count && (last === undefined || compare(row, last, order) >= 0)) continue;
    heap.splice(placeOf(row, heap, order), 0, {row, keys: []});
    if (heap.length > count) heap.pop();
  }
  return heap.map(({row}) => row);
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
