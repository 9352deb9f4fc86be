/** Mean radius of the earth, used for all distances. */
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

/** Upper bound of the relative error of `nearbyMiles`. */
export const nearbyMilesError = 1e-4;
/**
 * Up to this angle (radians; 39 miles along a meridian) short series of sine and cosine stay within that
 * error.
 */
const nearbyAngle = 0.01;

/**
 * Returns a function that measures miles from a point, without trigonometry when the other point is near:
 * about ten times as fast as `distanceMiles` and within `nearbyMilesError` of it. Use it to preselect the
 * points that are worth measuring exactly.
 */
export function nearbyMiles(from: Point): (lat: number, lon: number) => number {
  const radians = Math.PI / 180;
  const [cos, sin] = [Math.cos(from.lat * radians), Math.sin(from.lat * radians)];
  // Near a pole the meridians converge so fast that the short series is too inaccurate.
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
