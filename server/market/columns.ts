import type {Point} from "../../lib/geography/distance.ts";
import type {ArrowTable} from "../../lib/storage/arrow-table/open.ts";

/** Reads a text column in which a null counts as empty text. Throws where the table lacks it. */
export function required(table: ArrowTable, column: string): (row: number) => string {
  const values = table.string(column);
  return (row) => values.at(row) ?? "";
}

/** Reads the point of a row from `lat` and `lon`; null where either is null. */
export function pointReader(table: ArrowTable): (row: number) => Point | null {
  const [lats, lons] = [table.number("lat"), table.number("lon")];
  return (row) => {
    const [lat, lon] = [lats.at(row), lons.at(row)];
    return lat === null || lon === null ? null : {lat, lon};
  };
}

/** The row of a text in a column that is sorted by code points and unique, or -1; ids and ZIPs are plain ASCII. */
export function findSorted(rows: number, at: (row: number) => string, wanted: string): number {
  let [low, high] = [0, rows - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = at(middle);
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
