import type {Geometry, Position} from "geojson";
import type {Ring} from "./ring.ts";

const littleEndian = 1;
const polygonType = 3;
const multiPolygonType = 6;

/**
 * An outline as two-dimensional little-endian WKB: one part makes a Polygon, several a MultiPolygon (OGC 06-103r4, section
 * 8).
 */
export function outlineToWkb(parts: readonly (readonly Ring[])[]): Buffer {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return polygonToWkb(only);
  const head = Buffer.alloc(9);
  writeHead(head, multiPolygonType, parts.length);
  return Buffer.concat([head, ...parts.map(polygonToWkb)]);
}

/** The parts of a Polygon or MultiPolygon that `outlineToWkb` wrote. Throws for other WKB. */
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
 * Reads a geometry of parsed GeoJSON (RFC 7946 section 3.1), which may be anything. Null when it is absent, empty, of another
 * kind than points, polygons and a collection of them, or a point that cannot be read. A ring with a position that is not two
 * numbers is empty, and stays.
 */
export function geometryFromGeoJson(value: unknown): Geometry | null {
  const {type, geometries} = membersOf(value);
  if (type !== "GeometryCollection") return simpleGeometry(value);
  const parts = listOf(geometries)
    .map(simpleGeometry)
    .filter((each) => each !== null);
  return parts.length === 0 ? null : {type, geometries: parts};
}

/** True for a list that begins with two numbers. */
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

/** An empty ring keeps its place: the first ring of a polygon is its outer one. */
function ringsOf(rings: unknown): Position[][] {
  return listOf(rings).map((ring) => (Array.isArray(ring) && ring.every(isPosition) ? ring : []));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): {type?: unknown; coordinates?: unknown; geometries?: unknown} {
  return typeof value === "object" && value !== null ? value : {};
}
