import type {Geometry, Position} from "geojson";

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
