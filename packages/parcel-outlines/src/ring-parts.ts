import type {Position} from "geojson";
import {polygonHolds, ringMoments} from "./outline.ts";
import {nestRings} from "./ring-nesting.ts";

/** A ring with its area, which is positive when it is drawn counter-clockwise, as Esri draws holes. */
type SizedRing = {readonly ring: Position[]; readonly area: number};

/** Most comparisons of a vertex with an edge in an outline; beyond them each ring is a part, as in an outline that cannot be read. */
const mostComparisons = 5_000_000;
/** A vertex lies on a ring if it is no farther from it than this share of the ring's extent. */
const onRing = 1e-9;

/**
 * Groups rings into parts, each an outer ring with its holes, and drops rings without area
 * (`docs/design/parcels.md` section 4). A ring is a hole when it lies inside an odd number of others, however it
 * is drawn. Only where two rings cross the direction tells holes: Esri draws them counter-clockwise. A hole
 * without an outer ring is a part of its own, and so is each ring where they cross and are too many to compare.
 */
export function partsOfRings(rings: readonly Position[][]): Position[][][] {
  const sized = rings
    .map((ring): SizedRing => ({ring, area: ringMoments(ring).area}))
    .filter(({area}) => area !== 0);
  if (sized.length < 2) return sized.map(({ring}) => [ring]);
  const {around} = nestRings(sized.map(({ring}) => ring));
  const owners = around === null ? ownersOfCrossing(sized) : ownersOfNested(around);
  const parts = new Map(
    sized.flatMap(({ring}, i) => (owners[i] === null ? [[i, [ring]] as [number, Position[][]]] : [])),
  );
  for (const [i, owner] of owners.entries()) if (owner !== null) parts.get(owner!)!.push(sized[i]!.ring);
  return [...parts.values()];
}

/** The outer ring of each hole, null for outer rings, where the smallest ring around each is known. */
function ownersOfNested(around: readonly number[]): (number | null)[] {
  const depths: (number | undefined)[] = [];
  const depthOf = (ring: number): number => {
    const parent = around[ring]!;
    depths[ring] ??= parent < 0 ? 0 : depthOf(parent) + 1;
    return depths[ring];
  };
  return around.map((parent, ring) => (depthOf(ring) % 2 === 1 ? parent : null));
}

/** The same for rings of which some touch along an edge, or cross. */
function ownersOfCrossing(sized: readonly SizedRing[]): (number | null)[] {
  const around = ringsAround(sized);
  if (around === null) return sized.map(() => null);
  const isHole = around.map(({inside, isCrossed}, i) =>
    isCrossed ? sized[i]!.area > 0 : inside.length % 2 === 1,
  );
  return around.map(({inside}, i) => {
    if (!isHole[i]) return null;
    const outers = inside.filter((ring) => !isHole[ring]).sort((a, b) => size(sized[a]!) - size(sized[b]!));
    return outers[0] ?? null;
  });
}

/** The larger rings around each ring, and whether one crosses it; null when they are too many to compare. */
function ringsAround(sized: readonly SizedRing[]): {inside: number[]; isCrossed: boolean}[] | null {
  let left = mostComparisons;
  const around: {inside: number[]; isCrossed: boolean}[] = [];
  for (const [i, own] of sized.entries()) {
    const inside: number[] = [];
    let isCrossed = false;
    for (const [k, other] of sized.entries()) {
      if (k === i || size(other) <= size(own)) continue;
      left -= own.ring.length * other.ring.length;
      if (left < 0) return null;
      const place = placeIn(other.ring, own.ring);
      if (place === "inside") inside.push(k);
      if (place === "crosses") {
        isCrossed = true;
        if (polygonHolds([other.ring], own.ring[0]![0]!, own.ring[0]![1]!)) inside.push(k);
      }
    }
    around.push({inside, isCrossed});
  }
  return around;
}

function size({area}: SizedRing): number {
  return Math.abs(area);
}

function placeIn(outer: readonly Position[], ring: readonly Position[]): "inside" | "outside" | "crosses" {
  const free = ring.slice(1).filter((position) => !liesOn(outer, position));
  // A ring whose vertices all lie on the other is inside if the middle of an edge or its centroid is.
  const {x, y} = ringMoments(ring);
  const tested = free.length > 0 ? free : [[x, y]];
  const held = tested.filter(([px, py]) => polygonHolds([outer], px!, py!)).length;
  return held === 0 ? "outside" : held === tested.length ? "inside" : "crosses";
}

function liesOn(ring: readonly Position[], [x, y]: Position): boolean {
  const [x0, y0] = ring[0] as [number, number];
  const extent = ring.reduce((most, [px, py]) => Math.max(most, Math.abs(px! - x0), Math.abs(py! - y0)), 0);
  return ring.slice(1).some(([bx, by], i) => {
    const [ax, ay] = ring[i] as [number, number];
    const [dx, dy] = [bx! - ax, by! - ay];
    const along = Math.min(1, Math.max(0, ((x! - ax) * dx + (y! - ay) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(x! - ax - along * dx, y! - ay - along * dy) <= onRing * extent;
  });
}
