import type {Geometry, Position} from "geojson";
import type {ReadGeometry} from "./esri-geometry.ts";
import {
  cleanRing,
  middleOfWidestSpan,
  outlineToWkb,
  polygonHolds,
  type Ring,
  ringMoments,
} from "./outline.ts";
import {isValidOutline} from "./ring-nesting.ts";

/** Square metres of an international acre. */
export const squareMetresPerAcre = 4046.8564224;

const semiMajorMetres = 6_378_137;
const eccentricity = Math.sqrt(0.0066943799901413165);
const radians = Math.PI / 180;

/** Point, bounding box, area and outline of a row; all coordinates are WGS 84 degrees. */
export type GeometrySummary = {
  /** The point that answers show, with 7 decimals. */
  readonly lon: number;
  readonly lat: number;
  readonly pointMethod: "source_point" | "centroid" | "inside_point";
  /** Bounding box of the outline and the point; without an outline it is the point. */
  readonly xmin: number;
  readonly ymin: number;
  readonly xmax: number;
  readonly ymax: number;
  /** Area of the outline in acres on the ellipsoid; null without an outline. */
  readonly acres: number | null;
  /** True when the outline crosses itself or has a misplaced part or hole. */
  readonly invalid: boolean;
  /** The outline without zero-area rings; null without an outline. */
  readonly wkb: Buffer | null;
  /** The outline has a curve that was not read: a straight line stands for it. */
  readonly partlyRead?: true;
};

/** Converts source coordinates to WGS 84 longitude and latitude. */
type Projection = (x: number, y: number) => readonly [number, number];

const degreeUnits = 1e7;

/**
 * Point, bounding box, area and outline of a source geometry (`docs/design/parcels.md` section 4); null for a
 * line, and for a geometry that is missing, empty or has no ring with an area.
 */
export function summarizeGeometry(
  geometry: ReadGeometry | null | undefined,
  project?: Projection,
): GeometrySummary | null {
  if (geometry === null || geometry === undefined) return null;
  const summary = summaryOf(geometry, project);
  return summary !== null && geometry.partlyRead === true ? {...summary, partlyRead: true} : summary;
}

function summaryOf(geometry: Geometry, project?: Projection): GeometrySummary | null {
  switch (geometry.type) {
    case "Point":
      return summarizePoint(geometry.coordinates, project);
    case "MultiPoint":
      return geometry.coordinates[0] === undefined ? null : summarizePoint(geometry.coordinates[0], project);
    case "Polygon":
      return summarizeOutline(cleanParts([geometry.coordinates], project));
    case "MultiPolygon":
      return summarizeOutline(cleanParts(geometry.coordinates, project));
    case "GeometryCollection":
      return summarizeOutline(cleanParts(geometry.geometries.flatMap(polygonsOf), project));
    default:
      return null;
  }
}

/** The same for parts whose rings are clean already; null when there are none. */
export function summarizeOutline(parts: readonly (readonly Ring[])[]): GeometrySummary | null {
  if (parts.length === 0) return null;
  const {x, y, method} = representativePoint(parts);
  const lon = servedDegrees(x);
  const lat = servedDegrees(y);
  return {
    lon,
    lat,
    pointMethod: method,
    ...extent(parts, lon, lat),
    acres: parts.reduce((sum, part) => sum + geodesicArea(part), 0) / squareMetresPerAcre,
    invalid: !isValidOutline(parts),
    wkb: outlineToWkb(parts),
  };
}

/** Null for a point with both coordinates exactly 0, which publishers write where there is none. */
function summarizePoint([x, y]: Position, project?: Projection): GeometrySummary | null {
  const [sourceX, sourceY] = [x as number, y as number];
  if (sourceX === 0 && sourceY === 0) return null;
  const projected = project === undefined ? [sourceX, sourceY] : project(sourceX, sourceY);
  const lon = servedDegrees(projected[0] as number);
  const lat = servedDegrees(projected[1] as number);
  if (!Number.isFinite(lon) || !Number.isFinite(lat)) return null;
  const box = {xmin: lon, ymin: lat, xmax: lon, ymax: lat};
  return {lon, lat, pointMethod: "source_point", ...box, acres: null, invalid: false, wkb: null};
}

function servedDegrees(degrees: number): number {
  return Math.round(degrees * degreeUnits) / degreeUnits;
}

function polygonsOf(geometry: Geometry): Position[][][] {
  if (geometry.type === "Polygon") return [geometry.coordinates];
  return geometry.type === "MultiPolygon" ? geometry.coordinates : [];
}

/** Drops zero-area rings; a part whose outer ring has no area is dropped with its holes. */
function cleanParts(polygons: readonly Position[][][], project?: Projection): Ring[][] {
  return polygons.flatMap((polygon) => {
    const [outer, ...holes] = polygon.map((ring) =>
      cleanRing(project === undefined ? ring : projected(ring, project)),
    );
    return outer === null || outer === undefined ? [] : [[outer, ...holes.filter((ring) => ring !== null)]];
  });
}

function projected(ring: readonly Position[], project: Projection): (readonly number[])[] {
  return ring.map(([x, y]) => project(x as number, y as number));
}

/**
 * The area-weighted centroid of all parts when it lies in one of them, else a point inside the largest part.
 */
function representativePoint(parts: readonly (readonly Ring[])[]) {
  const sized = parts.map((part) => ({part, ...partMoments(part)}));
  const total = sized.reduce((sum, {area}) => sum + area, 0);
  const origin = sized[0]!;
  const x = origin.x + sized.reduce((sum, each) => sum + (each.x - origin.x) * each.area, 0) / total;
  const y = origin.y + sized.reduce((sum, each) => sum + (each.y - origin.y) * each.area, 0) / total;
  if (parts.some((part) => polygonHolds(part, x, y))) return {x, y, method: "centroid"} as const;
  const largest = sized.reduce((best, next) => (next.area > best.area ? next : best));
  return {...insidePoint(largest.part), method: "inside_point"} as const;
}

/** Area and centroid of a part without its holes, whatever the orientation of its rings. */
function partMoments([outer, ...holes]: readonly Ring[]): {area: number; x: number; y: number} {
  const whole = absolute(outer!);
  const cut = holes.map(absolute);
  const area = whole.area - cut.reduce((sum, hole) => sum + hole.area, 0);
  if (area <= 0) return whole;
  const shift = (axis: "x" | "y") =>
    cut.reduce((sum, hole) => sum - (hole[axis] - whole[axis]) * hole.area, 0) / area;
  return {area, x: whole.x + shift("x"), y: whole.y + shift("y")};
}

function absolute(ring: Ring): {area: number; x: number; y: number} {
  const {area, x, y} = ringMoments(ring);
  return {area: Math.abs(area), x, y};
}

function extent(parts: readonly (readonly Ring[])[], lon: number, lat: number) {
  const box = {xmin: lon, ymin: lat, xmax: lon, ymax: lat};
  for (const part of parts) {
    for (const [x, y] of part[0]!) {
      box.xmin = Math.min(box.xmin, x!);
      box.ymin = Math.min(box.ymin, y!);
      box.xmax = Math.max(box.xmax, x!);
      box.ymax = Math.max(box.ymax, y!);
    }
  }
  return box;
}

/**
 * Geodesic area of a polygon of WGS 84 degrees in square metres, without its holes. Rings are projected to a
 * cylinder by the ellipsoid's equal-area projection (Snyder, Map Projections: A Working Manual, 1987,
 * equations 3-12 and 10-1). Edges are straight on the cylinder; for a parcel the difference from geodesic
 * edges is below one millionth.
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
  // q is twice the height on the cylinder, and the shoelace sum is twice the area, hence the 4.
  return (Math.abs(doubled) / 4) * semiMajorMetres ** 2;
}

/** Snyder's q for a latitude in degrees. */
function authalicQ(latitude: number): number {
  const sine = Math.sin(latitude * radians);
  const scaled = eccentricity * sine;
  return (1 - eccentricity ** 2) * (sine / (1 - scaled ** 2) + Math.atanh(scaled) / eccentricity);
}

/**
 * A point inside a polygon, as JTS `InteriorPointArea` chooses it: the middle of the widest span at a height
 * without vertices, half-way between the nearest vertices above and below the middle of the bounding box.
 */
function insidePoint(polygon: readonly Ring[]): {x: number; y: number} {
  const y = freeLevel(polygon);
  return {x: middleOfWidestSpan(polygon, y), y};
}

function freeLevel(polygon: readonly Ring[]): number {
  const levels = polygon[0]!.map(([, y]) => y!);
  const lowest = levels.reduce((a, b) => Math.min(a, b));
  const highest = levels.reduce((a, b) => Math.max(a, b));
  const middle = (lowest + highest) / 2;
  let below = lowest;
  let above = highest;
  for (const [, y] of polygon.flat()) {
    if (y! <= middle && y! > below) below = y!;
    if (y! > middle && y! < above) above = y!;
  }
  return (below + above) / 2;
}
