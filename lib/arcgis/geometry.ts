import type {Geometry, Position} from "geojson";
import {isPosition, polygonHolds, ringMoments} from "../geography/geometry/outline.ts";
import {nestRings} from "../geography/geometry/ring-nesting.ts";

type Outer = {readonly part: Position[][]; readonly ring: readonly Position[]; readonly size: number};
type Hole = {readonly ring: Position[]; readonly size: number};

/**
 * Budget of steps per vertex for looking up holes one by one; beyond it, one sweep over all rings is cheaper.
 */
const stepsPerVertex = 32;

type Owners = readonly (Outer | undefined)[];

/**
 * Converts an Esri geometry to GeoJSON in the same coordinates; null when it is absent, empty, or neither
 * points nor a polygon. Esri draws outer rings clockwise and holes counter-clockwise (ArcGIS REST API,
 * Geometry objects).
 */
export function geometryFromEsri(geometry: Record<string, unknown> | null | undefined): Geometry | null {
  if (!geometry) return null;
  if (isNumber(geometry.x) && isNumber(geometry.y)) {
    return {type: "Point", coordinates: [geometry.x, geometry.y]};
  }
  if (Array.isArray(geometry.points)) return pointsOf(geometry.points);
  if (!Array.isArray(geometry.rings)) return null;
  const rings = geometry.rings.map(ringOf).filter((ring) => ring.length >= 4);
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

/**
 * Groups Esri rings (clockwise outer rings, counter-clockwise holes) into parts and drops rings without area.
 * A hole goes to the smallest outer ring around its first vertex; a hole without one becomes a part of its
 * own, as do all holes of a large outline whose rings cross. O(n log n) in the number of vertices.
 */
function partsOfRings(rings: readonly Position[][]): Position[][][] {
  const outers: Outer[] = [];
  const holes: Hole[] = [];
  for (const ring of rings) {
    const {area} = ringMoments(ring);
    if (area < 0) outers.push({part: [ring], ring, size: -area});
    else if (area > 0) holes.push({ring, size: area});
  }
  outers.sort((a, b) => a.size - b.size);
  const owners = ownersOneByOne(holes, outers) ?? ownersBySweep(holes, outers);
  for (const [i, {ring}] of holes.entries()) owners[i]?.part.push(ring);
  const whole = new Map(outers.map(({ring, part}) => [ring, part]));
  const orphans = holes.flatMap(({ring}, i) => (owners[i] === undefined ? [[ring]] : []));
  return [...rings.flatMap((ring) => (whole.has(ring) ? [whole.get(ring)!] : [])), ...orphans];
}

/** The smallest outer ring around each hole; null when the step budget runs out. */
function ownersOneByOne(holes: readonly Hole[], outers: readonly Outer[]): Owners | null {
  const all = [...holes, ...outers];
  let left = stepsPerVertex * all.reduce((sum, {ring}) => sum + ring.length, 0);
  const owners: (Outer | undefined)[] = [];
  for (const {ring} of holes) {
    const [x, y] = ring[0]!;
    owners.push(
      outers.find((outer) => {
        left -= outer.ring.length;
        return left > 0 && polygonHolds([outer.ring], x!, y!);
      }),
    );
    if (left <= 0) return null;
  }
  return owners;
}

/** The same in one sweep, for rings that do not cross; when they do, no hole has an owner. */
function ownersBySweep(holes: readonly Hole[], outers: readonly Outer[]): Owners {
  const {around} = nestRings([...outers, ...holes].map(({ring}) => ring));
  const owners = Array<Outer | undefined>(holes.length).fill(undefined);
  if (around === null) return owners;
  // A hole inside a hole belongs to the owner of the larger hole, which was found before it.
  const largestFirst = holes.map((hole, i) => ({i, size: hole.size})).sort((a, b) => b.size - a.size);
  for (const {i} of largestFirst) {
    const parent = around[outers.length + i]!;
    owners[i] = parent < outers.length ? outers[parent] : owners[parent - outers.length];
  }
  return owners;
}
