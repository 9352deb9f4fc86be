import {readFileSync} from "node:fs";
import {join} from "node:path";
import type {Point} from "@open-cattle/parcel-outlines";
import {placeOf} from "../../../lib/parcels/place/postal-places.ts";
import {referenceDir} from "../../../lib/paths.ts";

/** Distance in metres that a sale yard may have from its town's point; most yards are at the edge of town. */
const accuracyM = {town: 5_000, hand: 5_000, post: 8_000} as const;

/** A town's point, and how far from it the town's sale yard may be. */
type TownPoint = {readonly point: Point; readonly accuracyM: number};

/**
 * The point of a town by name and state code (`data/reference/places.tsv`): its centre, or its post office if the town lies in
 * one county. Null for a town missing from the table, and for a name shared by distant towns.
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
 * IANA time zone of a place; null if the county is unknown in a state with two zones, or if the zone boundary crosses the
 * county.
 */
export function timeZoneOf(state: string, countyFips: string | null, stateFips: string): string | null {
  if (countyFips !== null && countyFips in zones.byCounty) return zones.byCounty[countyFips] ?? null;
  const hasExceptions = Object.keys(zones.byCounty).some((fips) => fips.startsWith(stateFips));
  return countyFips === null && hasExceptions ? null : (zones.byState[state] ?? null);
}
