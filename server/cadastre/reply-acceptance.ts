import {countyAt} from "../../lib/geography/counties.ts";
import {countyBox} from "../../lib/geography/county-box.ts";
import type {Point} from "../../lib/geography/distance.ts";
import {outlineFromWkb} from "../../lib/geography/geometry/wkb.ts";
import {ringsHold} from "../../lib/geography/polygon.ts";
import type {ReplyTask} from "./county-reader.ts";
import type {ReplyRow, UnreadRow} from "./reply-reader.ts";

const kmPerDegree = 111.2;

/**
 * The rows whose point is in the county: in its extent and 1 km around it, and in its polygon when the rows do not state
 * their county; to a question for a point, those that hold it. Of several features of one number the largest is given,
 * flagged `duplicate_id`.
 */
export function acceptedRows(
  rows: readonly ReplyRow[],
  {county, provesCounty, point}: Pick<ReplyTask, "county" | "provesCounty" | "point">,
): ReplyRow[] {
  const inside = rows.filter(
    ({geometry}) => isNearCounty(geometry, county) && (!provesCounty || countyAt(geometry)?.fips === county),
  );
  const largest = [...Map.groupBy(inside, ({key}) => key).values()].map(largestOf);
  return point === null ? largest : largest.filter((row) => holdsPoint(row, point));
}

/**
 * The rows that could not be read, with those whose point is not in the county though they are its layer's: their place is wrong. In a
 * layer of the whole state such a row is another county's.
 */
export function unreadRows(
  {rows, unread}: {rows: readonly ReplyRow[]; unread: readonly UnreadRow[]},
  {county, provesCounty}: Pick<ReplyTask, "county" | "provesCounty">,
): UnreadRow[] {
  if (provesCounty) return unread.filter(({isOutside}) => !isOutside);
  const outside = rows.filter(({geometry}) => !isNearCounty(geometry, county));
  return [...unread, ...outside.map(({columns, record}) => ({columns, record, isOutside: true}))];
}

/** True when the outline of a row holds the point. */
export function holdsPoint({geometry: {wkb}}: ReplyRow, {lon, lat}: Point): boolean {
  if (wkb === null) return false;
  return outlineFromWkb(wkb).some((rings) => ringsHold(rings as number[][][], lon, lat));
}

function largestOf([first, ...others]: readonly ReplyRow[]): ReplyRow {
  if (others.length === 0) return first!;
  const largest = [first!, ...others].reduce((best, next) =>
    (next.geometry.acres ?? 0) > (best.geometry.acres ?? 0) ? next : best,
  );
  const flags = (largest.columns["flags"] ?? []) as readonly string[];
  return {...largest, columns: {...largest.columns, flags: [...flags, "duplicate_id"]}};
}

function isNearCounty({lon, lat}: Point, key: string): boolean {
  const box = countyBox(key);
  if (box === undefined) return false;
  const [high, wide] = [1 / kmPerDegree, 1 / (kmPerDegree * Math.cos((lat * Math.PI) / 180))];
  const inside = lat >= box.south - high && lat <= box.north + high;
  return inside && lon >= box.west - wide && lon <= box.east + wide;
}
