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
