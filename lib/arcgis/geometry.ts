import type {Geometry, Position} from "geojson";

/**
 * An Esri geometry as GeoJSON in the same coordinates; null when it is absent, empty, or neither points nor a polygon. Esri
 * draws outer rings clockwise and holes counter-clockwise (ArcGIS REST API, Geometry objects). A hole goes to the smallest
 * outer ring around its first vertex; without one it becomes a part of its own.
 */
export function geometryFromEsri(geometry: Record<string, unknown> | null | undefined): Geometry | null {
  if (!geometry) return null;
  if (isNumber(geometry.x) && isNumber(geometry.y)) {
    return {type: "Point", coordinates: [geometry.x, geometry.y]};
  }
  if (Array.isArray(geometry.points)) return pointsOf(geometry.points);
  if (!Array.isArray(geometry.rings)) return null;
  const rings = geometry.rings.map(ringOf).filter((ring) => ring.length >= 4);
  const outer = rings.filter((ring) => signedArea(ring) < 0);
  const holes = rings.filter((ring) => signedArea(ring) > 0);
  const polygons = outer.map((ring) => [ring]);
  for (const hole of holes) {
    const around = polygons
      .filter(([shell]) => contains(shell!, hole[0]!))
      .sort(([a], [b]) => Math.abs(signedArea(a!)) - Math.abs(signedArea(b!)))[0];
    if (around === undefined) polygons.push([hole]);
    else around.push(hole);
  }
  if (polygons.length === 0) return null;
  return polygons.length === 1
    ? {type: "Polygon", coordinates: polygons[0]!}
    : {type: "MultiPolygon", coordinates: polygons};
}

function pointsOf(points: unknown[]): Geometry | null {
  const positions = points.filter(isPosition);
  return positions.length === 0 ? null : {type: "MultiPoint", coordinates: positions};
}

function ringOf(ring: unknown): Position[] {
  return Array.isArray(ring) ? ring.filter(isPosition) : [];
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && isNumber(value[0]) && isNumber(value[1]);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Shoelace area, negative for a clockwise ring. Sums start from the first vertex, which keeps the digits of small rings. */
function signedArea(ring: readonly Position[]): number {
  const [x0, y0] = ring[0] as [number, number];
  let doubled = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    doubled += (ring[j]![0]! - x0) * (ring[i]![1]! - y0) - (ring[i]![0]! - x0) * (ring[j]![1]! - y0);
  }
  return doubled / 2;
}

function contains(ring: readonly Position[], point: Position): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i] as [number, number];
    const [xj, yj] = ring[j] as [number, number];
    if (yi > point[1]! !== yj > point[1]! && point[0]! < ((xj - xi) * (point[1]! - yi)) / (yj - yi) + xi)
      inside = !inside;
  }
  return inside;
}
