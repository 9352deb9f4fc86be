import {roundHalfAway} from "../rounding.ts";

/** The name that answers give to a distance. */
type DistanceBand = "in_county" | "near" | "local" | "regional" | "distant" | "out_of_range";

/** Mean radius of the earth, for all our distances. */
export const earthRadiusMiles = 3958.7613;

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

/** The error of `nearbyMiles` is below this share of the distance. */
export const nearbyMilesError = 1e-4;
/** Within this angle (radians; 39 miles on a meridian) short series of sine and cosine are exact enough for that. */
const nearbyAngle = 0.01;

/**
 * Gives the miles from a point to others, without trigonometry for near ones: some ten times as fast as `distanceMiles` and
 * within `nearbyMilesError` of it. It finds those of thousands that are near enough to be measured exactly.
 */
export function nearbyMiles(from: Point): (lat: number, lon: number) => number {
  const radians = Math.PI / 180;
  const [cos, sin] = [Math.cos(from.lat * radians), Math.sin(from.lat * radians)];
  // Near a pole the meridians converge so fast that the series needs more terms.
  const isPolar = cos < 0.1;
  return (lat, lon) => {
    const dLat = (lat - from.lat) * radians;
    const dLon = (lon - from.lon) * radians;
    if (isPolar || Math.abs(dLat) > nearbyAngle || Math.abs(dLon) > nearbyAngle) {
      return distanceMiles(from, {lat, lon});
    }
    const cosThere = cos - sin * dLat - (cos * dLat * dLat) / 2;
    return earthRadiusMiles * Math.sqrt(dLat * dLat + cos * cosThere * dLon * dLon);
  };
}

/** Miles with one decimal, as answers have them. */
export function roundedMiles(miles: number): number {
  return roundHalfAway(miles, 1);
}

/** The band of a distance: near up to 25 miles, local up to 50, regional up to 100, distant up to 150. */
export function distanceBand(miles: number): DistanceBand {
  if (miles <= 25) return "near";
  if (miles <= 50) return "local";
  if (miles <= 100) return "regional";
  return miles <= 150 ? "distant" : "out_of_range";
}
