import type {Geometry, Position} from "geojson";
import {flattenedRing} from "./curves.ts";
import {isPosition} from "./outline.ts";
import {partsOfRings} from "./ring-parts.ts";

/**
 * Converts an Esri geometry to GeoJSON in the same coordinates; null when it is absent, empty, or neither
 * points nor a polygon. Curves become chords (ArcGIS REST API, Geometry objects).
 */
export function geometryFromEsri(geometry: Record<string, unknown> | null | undefined): Geometry | null {
  if (!geometry) return null;
  if (isNumber(geometry.x) && isNumber(geometry.y)) {
    return {type: "Point", coordinates: [geometry.x, geometry.y]};
  }
  if (Array.isArray(geometry.points)) return pointsOf(geometry.points);
  const drawn = Array.isArray(geometry.rings)
    ? geometry.rings.map(ringOf)
    : Array.isArray(geometry.curveRings)
      ? geometry.curveRings.map(flattenedRing)
      : [];
  const rings = drawn.filter((ring) => ring.length >= 4);
  const parts = partsOfRings(rings);
  if (parts.length === 0) return null;
  return parts.length === 1
    ? {type: "Polygon", coordinates: parts[0]!}
    : {type: "MultiPolygon", coordinates: parts};
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
