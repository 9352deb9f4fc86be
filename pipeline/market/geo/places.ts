import type {Point} from "../../../lib/geography/distance.ts";
import {placeOf} from "../../../lib/parcels/place/places.ts";

/** A sale yard mostly stands at the edge of its town: so far from the point of the town it may be, in metres. */
const accuracyM = {town: 5_000, hand: 5_000, post: 8_000} as const;

/** The point of a town, and how far from it a sale yard of the town may be. */
export type TownPoint = {readonly point: Point; readonly accuracyM: number};

/**
 * The point of a town by its name and state letters (`data/reference/places.tsv`): the middle of the town, or that of its post
 * office if the town is in one county. Null for a town that the table lacks, and for a name of towns that are far apart.
 */
export function pointOfTown(city: string, state: string): TownPoint | null {
  const place = placeOf(state, city);
  if (place?.point == null) return null;
  const {lat, lon, source} = place.point;
  if (source === "post" && place.counties.size > 1) return null;
  return {point: {lat, lon}, accuracyM: accuracyM[source]};
}
