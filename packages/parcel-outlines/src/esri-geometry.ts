import type {Geometry, Position} from "geojson";
import {flattenedRing, isPartlyRead} from "./curves.ts";
import {isPosition} from "./outline.ts";
import {partsOfRings} from "./ring-parts.ts";

/** A geometry, marked where a curve was not read. */
export type ReadGeometry = Geometry & {readonly partlyRead?: true};

/**
 * Converts an Esri geometry to GeoJSON in the same coordinates; null when it is absent, empty, or neither
 * points nor a polygon. Curves become chords (ArcGIS REST API, Geometry objects).
 */
export function geometryFromEsri(geometry: Record<string, unknown> | null | undefined): ReadGeometry | null {
  if (!geometry) return null;
  if (isNumber(geometry.x) && isNumber(geometry.y)) {
    return {type: "Point", coordinates: [geometry.x, geometry.y]};
  }
  if (Array.isArray(geometry.points)) return pointsOf(geometry.points);
  const curved =
    Array.isArray(geometry.curveRings) && !Array.isArray(geometry.rings) ? geometry.curveRings : [];
  const drawn = Array.isArray(geometry.rings) ? geometry.rings.map(ringOf) : curved.map(flattenedRing);
  const rings = drawn.filter((ring) => ring.length >= 4);
  const parts = partsOfRings(rings);
  if (parts.length === 0) return null;
  const outline: Geometry =
    parts.length === 1
      ? {type: "Polygon", coordinates: parts[0]!}
      : {type: "MultiPolygon", coordinates: parts};
  return curved.some(isPartlyRead) ? {...outline, partlyRead: true} : outline;
}

function pointsOf(points: unknown[]): Geometry | null {
  const positions = points.filter(isPosition);
  return positions.length === 0 ? null : {type: "MultiPoint", coordinates: positions};
}

function ringOf(ring: unknown): Position[] {
  return Array.isArray(ring) ? ring.filter(isPosition) : [];
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
