import type {TextColumn} from "../arrow-table/open.ts";

/** Columns by whose bytes rows are ordered, the last one unique. */
export type RowOrder = readonly TextColumn[];

type Held = {readonly row: number; readonly keys: readonly Buffer[]};

/**
 * The first `count` rows in an order, sorted. A row that is not among them costs a comparison in place, so that ten rows of a hundred
 * thousand are found without reading the text of all.
 */
export function firstRows(rows: readonly number[], count: number, order: RowOrder): number[] {
  const held: Held[] = [];
  for (const row of rows) {
    const last = held[held.length - 1];
    if (held.length === count && (last === undefined || compare(row, last, order) >= 0)) continue;
    held.splice(placeOf(row, held, order), 0, {
      row,
      keys: order.map((column) => Buffer.from(column.at(row) ?? "")),
    });
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

function compare(row: number, {keys}: Held, order: RowOrder): number {
  for (const [at, column] of order.entries()) {
    const difference = column.compare(row, keys[at]!);
    if (difference !== 0) return difference;
  }
  return 0;
}
