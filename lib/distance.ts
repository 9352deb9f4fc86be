import {roundHalfAway} from "./rounding.ts";

/** How near a place is, as the answers name it. */
export type DistanceBand = "in_county" | "near" | "local" | "regional" | "distant" | "out_of_range";

/** Mean radius of the earth in miles, the one all our distances use. */
const earthRadiusMiles = 3958.7613;

export type Point = {readonly lat: number; readonly lon: number};

/** Great-circle miles between two points (haversine), unrounded. */
export function distanceMiles(a: Point, b: Point): number {
  const radians = Math.PI / 180;
  const dLat = (b.lat - a.lat) * radians;
  const dLon = (b.lon - a.lon) * radians;
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(dLon / 2) ** 2;
  return 2 * earthRadiusMiles * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Miles as answers print them: one decimal. */
export function roundedMiles(miles: number): number {
  return roundHalfAway(miles, 1);
}

/** Band of a distance in miles: to 25 near, to 50 local, to 100 regional, to 150 distant. */
export function distanceBand(miles: number): DistanceBand {
  if (miles <= 25) return "near";
  if (miles <= 50) return "local";
  if (miles <= 100) return "regional";
  return miles <= 150 ? "distant" : "out_of_range";
}
