import type {Point} from "../geography/distance.ts";
import {outlineFromWkb} from "../geography/geometry/wkb.ts";
import {ringsHold} from "../geography/polygon.ts";
import {openArrowTable} from "../storage/arrow-table/open.ts";

/** Outlines of the parcels of a state, by row. They are used for containment and never leave the server. */
export type Outlines = {
  has(row: number): boolean;
  /** True when the row's outline holds the point; false also where the row has none. On an edge it may be either. */
  holds(row: number, point: Point): boolean;
};

/** Opens `boundaries.arrow` in place: `row` ascending, and the outline as WKB. Throws `UserError` for anything else. */
export function openOutlines(buffer: ArrayBuffer, name = "boundaries"): Outlines {
  const table = openArrowTable(buffer, name);
  const rows = table.number("row");
  const outlines = table.bytes(table.has("wkb") ? "wkb" : "geometry");
  const find = (row: number): number => {
    const place = rows.firstFrom(row);
    return place < table.rows && rows.at(place) === row ? place : -1;
  };
  return {
    has: (row) => find(row) >= 0,
    holds(row, {lon, lat}) {
      const place = find(row);
      const wkb = place < 0 ? null : outlines.at(place);
      if (wkb === null) return false;
      const bytes = Buffer.from(wkb.buffer, wkb.byteOffset, wkb.byteLength);
      return outlineFromWkb(bytes).some((rings) => ringsHold(rings as number[][][], lon, lat));
    },
  };
}
