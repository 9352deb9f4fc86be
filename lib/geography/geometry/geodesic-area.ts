import type {Ring} from "./ring.ts";

/** Square metres of an international acre. */
export const squareMetresPerAcre = 4046.8564224;

const semiMajorMetres = 6_378_137;
const eccentricity = Math.sqrt(0.0066943799901413165);
const radians = Math.PI / 180;

/**
 * The area of a polygon of WGS 84 degrees on the ellipsoid in square metres, holes excluded. Rings are mapped to a cylinder
 * by the ellipsoid's equal-area projection (Snyder, Map Projections: A Working Manual, 1987, equations 3-12 and 10-1). Its
 * edges are straight on the cylinder; for a parcel that differs from geodesic edges by less than a millionth.
 */
export function geodesicArea(polygon: readonly Ring[]): number {
  const [outer, ...holes] = polygon.map(ringArea);
  return Math.max(0, (outer ?? 0) - holes.reduce((sum, area) => sum + area, 0));
}

function ringArea(ring: Ring): number {
  const [lon0, lat0] = ring[0] as [number, number];
  const q0 = authalicQ(lat0);
  let doubled = 0;
  let [ax, ay] = [0, 0];
  for (let i = 1; i < ring.length; i++) {
    const bx = (ring[i]![0]! - lon0) * radians;
    const by = authalicQ(ring[i]![1]!) - q0;
    doubled += ax * by - bx * ay;
    [ax, ay] = [bx, by];
  }
  // q is twice the height on the cylinder, and the shoelace sum is twice the area: a quarter is left.
  return (Math.abs(doubled) / 4) * semiMajorMetres ** 2;
}

/** Snyder's q for a latitude in degrees. */
function authalicQ(latitude: number): number {
  const sine = Math.sin(latitude * radians);
  const scaled = eccentricity * sine;
  return (1 - eccentricity ** 2) * (sine / (1 - scaled ** 2) + Math.atanh(scaled) / eccentricity);
}
