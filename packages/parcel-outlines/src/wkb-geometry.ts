import type {Geometry, Position} from "geojson";
import {flattenedArcs} from "./curves.ts";

/** WKB geometry types (OGC 06-103r4, table 7, and the curves and surfaces of ISO 13249-3). */
const kind = {
  point: 1,
  line: 2,
  polygon: 3,
  multiPoint: 4,
  multiLine: 5,
  multiPolygon: 6,
  collection: 7,
  arcs: 8,
  compoundCurve: 9,
  curvePolygon: 10,
  multiCurve: 11,
  multiSurface: 12,
  polyhedralSurface: 15,
  triangles: 16,
  triangle: 17,
} as const;

/** Flag bits of PostGIS's extended WKB, which marks Z, M and SRID in the high bits instead of by thousands. */
const extendedZ = 0x80000000;
const extendedM = 0x40000000;
const extendedSrid = 0x20000000;

type Cursor = {readonly view: DataView; at: number};

/**
 * Parses WKB of either byte order into GeoJSON in the same coordinates; null for an empty geometry and for lines. Arcs become chords; Z and M
 * (ISO or PostGIS notation) are dropped. Throws an Error for damage and for an unknown type.
 */
export function geometryFromWkb(wkb: Uint8Array): Geometry | null {
  return readGeometry({view: new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength), at: 0});
}

type Shape = {readonly little: boolean; readonly stride: number};

/** Reads the byte order and the type that a geometry begins with. */
function readHead(cursor: Cursor): {code: number; shape: Shape} {
  const little = cursor.view.getUint8(cursor.at) === 1;
  cursor.at += 1;
  const stated = readCount(cursor, little);
  if ((stated & extendedSrid) !== 0) cursor.at += 4;
  const code = stated & 0x0fffffff;
  const layers = Math.floor(code / 1000);
  const extra =
    (layers === 1 || layers === 3 || (stated & extendedZ) !== 0 ? 1 : 0) +
    (layers >= 2 || (stated & extendedM) !== 0 ? 1 : 0);
  return {code, shape: {little, stride: (2 + extra) * 8}};
}

function readGeometry(cursor: Cursor): Geometry | null {
  const {code, shape} = readHead(cursor);
  const {little} = shape;
  switch (code % 1000) {
    case kind.point: {
      const [position] = readPositions(cursor, shape, 1);
      return Number.isNaN(position![0]) ? null : {type: "Point", coordinates: position!};
    }
    case kind.line:
    case kind.arcs:
    case kind.compoundCurve:
      readLine(cursor, code, shape);
      return null;
    case kind.polygon:
    case kind.triangle:
      return polygonOf(
        readMany(cursor, little, 4, () => readPositions(cursor, shape, readCount(cursor, little))),
      );
    case kind.curvePolygon:
      return polygonOf(readMany(cursor, little, 5, () => readCurve(cursor)));
    case kind.multiPoint:
    case kind.multiLine:
    case kind.multiPolygon:
    case kind.multiCurve:
    case kind.multiSurface:
    case kind.polyhedralSurface:
    case kind.triangles:
    case kind.collection:
      return merged(readMany(cursor, little, 5, () => readGeometry(cursor)));
    default:
      throw new Error(`geometry of the unknown WKB type ${code}`);
  }
}

/** Reads a ring that is a geometry of its own: a line, arcs, or a chain of both. */
function readCurve(cursor: Cursor): Position[] {
  const {code, shape} = readHead(cursor);
  return readLine(cursor, code, shape);
}

function readLine(cursor: Cursor, code: number, shape: Shape): Position[] {
  const {little} = shape;
  if (code % 1000 === kind.compoundCurve) {
    // Each member begins where the one before ends.
    const members = readMany(cursor, little, 5, () => readCurve(cursor));
    return members.flatMap((member, i) => (i === 0 ? member : member.slice(1)));
  }
  const positions = readPositions(cursor, shape, readCount(cursor, little));
  if (code % 1000 === kind.line) return positions;
  if (code % 1000 === kind.arcs) return flattenedArcs(positions);
  throw new Error(`a ring of WKB type ${code}`);
}

function polygonOf(coordinates: Position[][]): Geometry | null {
  return coordinates.length === 0 ? null : {type: "Polygon", coordinates};
}

/** Merges the members of a multi-part geometry: its polygons, or else its points. */
function merged(members: readonly (Geometry | null)[]): Geometry | null {
  const polygons = members.flatMap((member) => {
    if (member?.type === "Polygon") return [member.coordinates];
    return member?.type === "MultiPolygon" ? member.coordinates : [];
  });
  if (polygons.length > 0) return {type: "MultiPolygon", coordinates: polygons};
  const points = members.flatMap((member) => (member?.type === "Point" ? [member.coordinates] : []));
  return points.length === 0 ? null : {type: "MultiPoint", coordinates: points};
}

function readMany<T>(cursor: Cursor, little: boolean, minBytes: number, one: () => T): T[] {
  const count = readCount(cursor, little);
  checkRoom(cursor, count * minBytes);
  return Array.from({length: count}, one);
}

function readPositions(cursor: Cursor, {little, stride}: Shape, count: number): Position[] {
  checkRoom(cursor, count * stride);
  const {view, at} = cursor;
  cursor.at += count * stride;
  return Array.from({length: count}, (_, i) => [
    view.getFloat64(at + i * stride, little),
    view.getFloat64(at + i * stride + 8, little),
  ]);
}

function readCount(cursor: Cursor, little: boolean): number {
  const count = cursor.view.getUint32(cursor.at, little);
  cursor.at += 4;
  return count;
}

/** Throws if the bytes for a count are missing; otherwise one damaged number would allocate gigabytes. */
function checkRoom({view, at}: Cursor, bytes: number): void {
  if (at + bytes > view.byteLength)
    throw new Error(`damaged WKB: ${view.byteLength} bytes, ${at + bytes} expected`);
}
