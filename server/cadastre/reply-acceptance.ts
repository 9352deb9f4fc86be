import {countyAt} from "../../lib/geography/counties.ts";
import {countyBox} from "../../lib/geography/county-box.ts";
import type {Point} from "../../lib/geography/distance.ts";
import {outlineFromWkb} from "../../lib/geography/geometry/wkb.ts";
import {ringsHold} from "../../lib/geography/polygon.ts";
import type {ReplyTask} from "./county-reader.ts";
import type {ReplyRow, UnreadRow} from "./reply-reader.ts";

const kmPerDegree = 111.2;

/** The county that was asked, and whether a row's place alone proves that it is of it. */
type County = Pick<ReplyTask, "county" | "provesCounty">;

/**
 * True for a place in the county: in its extent and 1 km around it, and in its polygon when the rows do not state their county.
 */
export function isOfCounty(point: Point, {county, provesCounty}: County): boolean {
  return isNearCounty(point, county) && (!provesCounty || countyAt(point)?.fips === county);
}

/**
 * The rows that could not be read, with those whose point is not in the county though they are its layer's: their place is wrong. In a
 * layer of the whole state such a row is another county's.
 */
export function unreadRows(unread: readonly UnreadRow[], {provesCounty}: County): UnreadRow[] {
  return provesCounty ? unread.filter(({isOutside}) => !isOutside) : [...unread];
}

/** True when the outline of a row holds the point. */
export function holdsPoint({geometry: {wkb}}: ReplyRow, {lon, lat}: Point): boolean {
  if (wkb === null) return false;
  return outlineFromWkb(wkb).some((rings) => ringsHold(rings as number[][][], lon, lat));
}

function isNearCounty({lon, lat}: Point, key: string): boolean {
  const box = countyBox(key);
  if (box === undefined) return false;
  const [high, wide] = [1 / kmPerDegree, 1 / (kmPerDegree * Math.cos((lat * Math.PI) / 180))];
  const inside = lat >= box.south - high && lat <= box.north + high;
  return inside && lon >= box.west - wide && lon <= box.east + wide;
}
