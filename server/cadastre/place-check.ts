import {outlineHolds, type Point} from "@open-cattle/parcel-outlines";
import {countyAt} from "../../lib/geography/counties.ts";
import {isNearCounty} from "../../lib/geography/county-box.ts";
import {landOfNewer} from "../../lib/geography/newer-counties.ts";
import type {ReplyTask} from "./county-reader.ts";
import type {ReplyRow, UnreadRow} from "./reply-reader.ts";

/** The county asked, and whether a row's location alone must prove that the row belongs to it. */
type County = Pick<ReplyTask, "county" | "provesCounty">;

/**
 * True for a point within the county's extent plus 1 km and, when the rows do not state their county, within the county's polygon. A county
 * newer than the polygons is judged by those of the counties in which it has land.
 */
export function isOfCounty(point: Point, {county, provesCounty}: County): boolean {
  if (!isNearCounty(point, county)) return false;
  const key = provesCounty ? countyAt(point)?.fips : county;
  return key === county || (key !== undefined && landOfNewer(county).includes(key));
}

/**
 * Unread rows, including those whose point lies outside the county. In a county's own layer such a point must be wrong; in a statewide
 * layer the row simply belongs to another county and is dropped.
 */
export function unreadRows(unread: readonly UnreadRow[], {provesCounty}: County): UnreadRow[] {
  return provesCounty ? unread.filter(({isOutside}) => !isOutside) : [...unread];
}

/** True when the row's outline contains the point. */
export function holdsPoint({geometry: {wkb}}: ReplyRow, point: Point): boolean {
  return wkb !== null && outlineHolds(wkb, point);
}
