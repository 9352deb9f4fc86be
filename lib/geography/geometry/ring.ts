import type {Position} from "geojson";

/** A closed ring of positions, x first; coordinates beyond the second are ignored. */
export type Ring = readonly Position[];

/** Planar area of a ring in square units of its coordinates, positive when counter-clockwise, and its centroid. */
type RingMoments = {readonly area: number; readonly x: number; readonly y: number};

/**
 * A ring closed and without third coordinates; null when it has fewer than 4 points, a coordinate that is no number, or no
 * area.
 */
export function cleanRing(ring: readonly (readonly number[])[]): Ring | null {
  const positions: Position[] = ring.map(([x, y]) => [x as number, y as number]);
  if (!positions.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))) return null;
  const [first, last] = [positions[0], positions.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (first[0] !== last[0] || first[1] !== last[1]) positions.push([...first]);
  if (positions.length < 4 || ringMoments(positions).area === 0) return null;
  return positions;
}

/**
 * Area and centroid of a ring. Sums start from the first vertex, which keeps the digits of a small ring far from the origin.
 */
export function ringMoments(ring: Ring): RingMoments {
  const [x0, y0] = ring[0] as [number, number];
  let doubled = 0;
  let sumX = 0;
  let sumY = 0;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = [ring[i - 1]![0]! - x0, ring[i - 1]![1]! - y0];
    const [bx, by] = [ring[i]![0]! - x0, ring[i]![1]! - y0];
    const cross = ax * by - bx * ay;
    doubled += cross;
    sumX += (ax + bx) * cross;
    sumY += (ay + by) * cross;
  }
  if (doubled === 0) return {area: 0, x: x0, y: y0};
  return {area: doubled / 2, x: x0 + sumX / (3 * doubled), y: y0 + sumY / (3 * doubled)};
}

/** True for a point inside a polygon, holes excluded (even-odd rule). A point on an edge may fall on either side. */
export function polygonHolds(polygon: readonly Ring[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of polygon) {
    for (let i = 1; i < ring.length; i++) {
      const [ax, ay] = ring[i - 1] as [number, number];
      const [bx, by] = ring[i] as [number, number];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}
