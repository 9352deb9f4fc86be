import {readFileSync} from "node:fs";
import {join} from "node:path";
import type {Point} from "../../../lib/geography/distance.ts";
import {placeOf} from "../../../lib/parcels/place/places.ts";
import {referenceDir} from "../../../lib/paths.ts";

/** A sale yard mostly stands at the edge of its town: so far from the point of the town it may be, in metres. */
const accuracyM = {town: 5_000, hand: 5_000, post: 8_000} as const;

/** The point of a town, and how far from it a sale yard of the town may be. */
type TownPoint = {readonly point: Point; readonly accuracyM: number};

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

const zones = JSON.parse(readFileSync(join(referenceDir, "time-zones.json"), "utf8")) as {
  byState: Record<string, string>;
  byCounty: Record<string, string | null>;
};

/**
 * IANA time zone of a place, or null: where the county is unknown and the state has two zones, and where the boundary
 * runs through the county.
 */
export function timeZoneOf(state: string, countyFips: string | null, stateFips: string): string | null {
  if (countyFips !== null && countyFips in zones.byCounty) return zones.byCounty[countyFips] ?? null;
  const hasExceptions = Object.keys(zones.byCounty).some((fips) => fips.startsWith(stateFips));
  return countyFips === null && hasExceptions ? null : (zones.byState[state] ?? null);
}
