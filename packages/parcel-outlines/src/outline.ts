import type {Geometry, Position} from "geojson";
import type {Point} from "./distance.ts";

/** A closed ring of positions, x first; any further coordinates are ignored. */
export type Ring = readonly Position[];

/** Planar area of a ring in squared coordinate units, positive when counter-clockwise, and its centroid. */
type RingMoments = {readonly area: number; readonly x: number; readonly y: number};

const littleEndian = 1;
const polygonType = 3;
const multiPolygonType = 6;

/**
 * Writes an outline as two-dimensional little-endian WKB: one part becomes a Polygon, several a MultiPolygon
 * (OGC 06-103r4, section 8).
 */
export function outlineToWkb(parts: readonly (readonly Ring[])[]): Buffer {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return polygonToWkb(only);
  const head = Buffer.alloc(9);
  writeHead(head, multiPolygonType, parts.length);
  return Buffer.concat([head, ...parts.map(polygonToWkb)]);
}

/** Reads the parts of a Polygon or MultiPolygon written by `outlineToWkb`. Throws for other WKB. */
export function outlineFromWkb(wkb: Buffer): Ring[][] {
  const type = wkb.readUInt32LE(1);
  if (wkb[0] !== littleEndian || (type !== polygonType && type !== multiPolygonType)) {
    throw new Error(
      `WKB of type ${type} and byte order ${wkb[0]}: expected a little-endian Polygon or MultiPolygon`,
    );
  }
  if (type === polygonType) return [readPolygon(wkb, 0).polygon];
  const parts: Ring[][] = [];
  let at = 9;
  for (let i = 0; i < wkb.readUInt32LE(5); i++) {
    const {polygon, end} = readPolygon(wkb, at);
    parts.push(polygon);
    at = end;
  }
  return parts;
}

function polygonToWkb(polygon: readonly Ring[]): Buffer {
  const points = polygon.reduce((sum, ring) => sum + ring.length, 0);
  const wkb = Buffer.alloc(9 + polygon.length * 4 + points * 16);
  writeHead(wkb, polygonType, polygon.length);
  let at = 9;
  for (const ring of polygon) {
    at = wkb.writeUInt32LE(ring.length, at);
    for (const [x, y] of ring) at = wkb.writeDoubleLE(y!, wkb.writeDoubleLE(x!, at));
  }
  return wkb;
}

function writeHead(wkb: Buffer, type: number, count: number): void {
  wkb.writeUInt8(littleEndian, 0);
  wkb.writeUInt32LE(type, 1);
  wkb.writeUInt32LE(count, 5);
}

function readPolygon(wkb: Buffer, start: number): {polygon: Ring[]; end: number} {
  const polygon: Ring[] = [];
  let at = start + 9;
  for (let i = 0; i < wkb.readUInt32LE(start + 5); i++) {
    const points = wkb.readUInt32LE(at);
    at += 4;
    const ring = Array.from({length: points}, (_, k) => [
      wkb.readDoubleLE(at + k * 16),
      wkb.readDoubleLE(at + k * 16 + 8),
    ]);
    polygon.push(ring);
    at += points * 16;
  }
  return {polygon, end: at};
}

/**
 * Reads a geometry from untrusted parsed GeoJSON (RFC 7946 section 3.1). Null when it is absent, empty,
 * neither points, polygons nor a collection of these, or an unreadable point. A ring with a position that is
 * not two numbers becomes empty but keeps its place.
 */
export function geometryFromGeoJson(value: unknown): Geometry | null {
  const {type, geometries} = membersOf(value);
  if (type !== "GeometryCollection") return simpleGeometry(value);
  const parts = listOf(geometries)
    .map(simpleGeometry)
    .filter((each) => each !== null);
  return parts.length === 0 ? null : {type, geometries: parts};
}

/** True for an array that begins with two numbers. */
export function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1]);
}

function simpleGeometry(value: unknown): Geometry | null {
  const {type, coordinates} = membersOf(value);
  switch (type) {
    case "Point":
      return isPosition(coordinates) ? {type, coordinates} : null;
    case "MultiPoint": {
      const positions = listOf(coordinates).filter(isPosition);
      return positions.length === 0 ? null : {type, coordinates: positions};
    }
    case "Polygon": {
      const rings = ringsOf(coordinates);
      return rings.length === 0 ? null : {type, coordinates: rings};
    }
    case "MultiPolygon": {
      const polygons = listOf(coordinates).map(ringsOf);
      return polygons.length === 0 ? null : {type, coordinates: polygons};
    }
    default:
      return null;
  }
}

/**
 * An invalid ring becomes empty instead of being dropped, because the first ring of a polygon is the outer
 * one.
 */
function ringsOf(rings: unknown): Position[][] {
  return listOf(rings).map((ring) => (Array.isArray(ring) && ring.every(isPosition) ? ring : []));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): {type?: unknown; coordinates?: unknown; geometries?: unknown} {
  return typeof value === "object" && value !== null ? value : {};
}

/**
 * Closes a ring and drops third coordinates; null when it has fewer than 4 points, a coordinate that is not a
 * number, or no area.
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
 * Area and centroid of a ring. Sums are relative to the first vertex, which preserves precision for a small
 * ring far from the origin.
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

/**
 * True for a point inside a polygon, outside its holes (even-odd rule). A point on an edge may count as
 * either.
 */
export function polygonHolds(polygon: readonly Ring[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of polygon) {
    for (let i = 0, before = ring.length - 1; i < ring.length; before = i++) {
      const [a, b] = [ring[before]!, ring[i]!];
      if (a[1]! > y !== b[1]! > y && x < crossing(a, b, y)) inside = !inside;
    }
  }
  return inside;
}

/** True for a point inside an outline given as WKB. */
export function outlineHolds({buffer, byteOffset, byteLength}: Uint8Array, {lon, lat}: Point): boolean {
  const parts = outlineFromWkb(Buffer.from(buffer, byteOffset, byteLength));
  return parts.some((rings) => polygonHolds(rings, lon, lat));
}

/** The middle of the polygon's widest span on a horizontal line. */
export function middleOfWidestSpan(polygon: readonly Ring[], y: number): number {
  const cuts = polygon.flatMap((ring) => crossings(ring, y)).sort((a, b) => a - b);
  let best = {middle: polygon[0]![0]![0]!, width: -1};
  for (let i = 0; i + 1 < cuts.length; i += 2) {
    const [from, to] = [cuts[i]!, cuts[i + 1]!];
    if (to - from > best.width) best = {middle: (from + to) / 2, width: to - from};
  }
  return best.middle;
}

function crossings(ring: Ring, y: number): number[] {
  return ring.flatMap((b, i) => {
    const a = ring.at(i - 1)!;
    return a[1]! > y !== b[1]! > y ? [crossing(a, b, y)] : [];
  });
}

/** The x at which an edge crosses a horizontal line. */
function crossing([ax, ay]: Position, [bx, by]: Position, y: number): number {
  return ((bx! - ax!) * (y - ay!)) / (by! - ay!) + ax!;
}
