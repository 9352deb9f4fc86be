import {addDays} from "../../../../lib/dates.ts";
import {countyVintage} from "../areas.ts";
import type {SignalRow} from "../reading.ts";
import {type DroughtShares, droughtClasses, worstClass} from "./shares.ts";

export type DroughtArea = {readonly type: "county" | "state" | "nation" | "other"; readonly key: string};

/** The signal of one area and map: valid for the week from the map's date (a Tuesday). */
export function droughtRow(
  area: DroughtArea,
  {date, end}: {date: string; end: string | null},
  shares: DroughtShares,
): SignalRow {
  const each = (suffix: string, values: readonly number[]) =>
    Object.fromEntries(droughtClasses.map((name, index) => [`${name}${suffix}`, values[index]]));
  return {
    table: "drought",
    values: {
      signal: "drought",
      key: area.key,
      valid_from: date,
      valid_to: end ?? addDays(date, 6),
      area_type: area.type,
      area: area.key,
      source_date: date,
      none_pct: shares.none,
      ...each("_pct", shares.atLeast),
      ...each("_only_pct", shares.only),
      worst_class: worstClass(shares),
      county_vintage: area.type === "county" ? countyVintage(area.key) : null,
    },
  };
}
