import {roundHalfAway} from "../rounding.ts";
import {earthRadiusMiles, type Point} from "./distance.ts";
import type {Ring} from "./geometry/outline.ts";

/**
 * True for a point inside the rings of one polygon, holes excluded (even-odd rule). A point on an edge may fall on either
 * side.
 */
export function ringsHold(rings: readonly Ring[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (const cut of crossings(ring, y)) if (x < cut) inside = !inside;
  }
  return inside;
}

/**
 * A point inside a shape with 5 decimals: the planar centroid of its largest polygon, or, when that is outside (a crescent),
 * the middle of the widest stretch of the polygon at the centroid's latitude.
 */
export function internalPoint(polygons: readonly (readonly Ring[])[]): Point {
  const sized = polygons.map((rings) => ({rings, ...centroid(rings[0]!)}));
  const {rings, x, y} = sized.reduce((largest, next) => (next.area > largest.area ? next : largest));
  const inside = ringsHold(rings, x, y) ? x : middleOfWidestStretch(rings, y);
  return {lat: roundHalfAway(y, 5), lon: roundHalfAway(inside, 5)};
}

/** The area of a polygon with its holes taken out, in square miles: degrees on a sphere of the earth's mean radius. */
export function squareMiles(rings: readonly Ring[]): number {
  const [whole = 0, ...holes] = rings.map(ringSquareMiles);
  return holes.reduce((left, hole) => left - hole, whole);
}

function ringSquareMiles(ring: Ring): number {
  const radians = Math.PI / 180;
  let doubled = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i] as [number, number];
    const [xj, yj] = ring[j] as [number, number];
    doubled += (xi - xj) * radians * (2 + Math.sin(yi * radians) + Math.sin(yj * radians));
  }
  return (Math.abs(doubled) * earthRadiusMiles ** 2) / 2;
}

/** The x positions at which a ring crosses a horizontal line. */
function crossings(ring: Ring, y: number): number[] {
  const cuts: number[] = [];
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i] as [number, number];
    const [xj, yj] = ring[j] as [number, number];
    if (yi > y !== yj > y) cuts.push(((xj - xi) * (y - yi)) / (yj - yi) + xi);
  }
  return cuts;
}

function centroid(ring: Ring): {x: number; y: number; area: number} {
  const [originX, originY] = ring[0] as [number, number];
  let doubled = 0;
  let x = 0;
  let y = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = [ring[i]![0]! - originX, ring[i]![1]! - originY];
    const [xj, yj] = [ring[j]![0]! - originX, ring[j]![1]! - originY];
    const cross = xj * yi - xi * yj;
    doubled += cross;
    x += (xi + xj) * cross;
    y += (yi + yj) * cross;
  }
  if (doubled === 0) return {x: originX, y: originY, area: 0};
  return {x: originX + x / (3 * doubled), y: originY + y / (3 * doubled), area: Math.abs(doubled / 2)};
}

function middleOfWidestStretch(rings: readonly Ring[], y: number): number {
  const cuts = rings.flatMap((ring) => crossings(ring, y)).sort((a, b) => a - b);
  let best = {middle: cuts[0] ?? rings[0]![0]![0]!, width: -1};
  for (let i = 0; i + 1 < cuts.length; i += 2) {
    const [from, to] = [cuts[i]!, cuts[i + 1]!];
    if (to - from > best.width) best = {middle: (from + to) / 2, width: to - from};
  }
  return best.middle;
}
