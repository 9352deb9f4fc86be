import {createRequire} from "node:module";
import Flatbush from "flatbush";
import type {Geom} from "polygon-clipping";
import type {Ring} from "./outline.ts";
import {isValidOutline} from "./ring-nesting.ts";

const load = createRequire(import.meta.url);

/** The library, loaded when an outline is first repaired. */
const polygonClipping = () => load("polygon-clipping") as typeof import("polygon-clipping");

/**
 * Repairs an invalid outline: keeps the area that its rings enclose an odd number of times, merges parts and
 * splits edges at their crossings. Null when nothing is left, the result is still invalid, or the edges cross
 * so often that it would take long.
 */
export function repairOutline(parts: readonly (readonly Ring[])[]): Ring[][] | null {
  const repaired = crossesItselfOften(parts) ? null : merged(parts);
  if (repaired === null || repaired.length === 0 || !isValidOutline(repaired)) return null;
  return repaired;
}

/**
 * Limits per edge: how many others it may meet, and how many may be near enough to be checked. Parts of a
 * grid meet seven.
 */
const maxMeetings = 10;
const maxNear = 200;
/** This many crossings are always allowed, however small the outline is. */
const freeMeetings = 100;

/**
 * True for an outline with more crossings and touches than a surveyor draws; the time of a repair grows with
 * them.
 */
function crossesItselfOften(parts: readonly (readonly Ring[])[]): boolean {
  const edges = parts
    .flat()
    .flatMap((ring) => ring.slice(1).map((to, i): Edge => [ring[i]![0]!, ring[i]![1]!, to[0]!, to[1]!]));
  const index = new Flatbush(edges.length);
  const boxes = edges.map(
    ([ax, ay, bx, by]) => [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)] as const,
  );
  for (const box of boxes) index.add(...box);
  index.finish();
  let [near, meetings] = [0, 0];
  for (const [i, box] of boxes.entries()) {
    index.search(...box, (other) => {
      near += 1;
      if (other > i && areMeeting(edges[i]!, edges[other]!)) meetings += 1;
      return false;
    });
    if (near > maxNear * edges.length || meetings > freeMeetings + maxMeetings * edges.length) return true;
  }
  return false;
}

type Edge = readonly [ax: number, ay: number, bx: number, by: number];

/** True for edges with a common point, and for some that nearly have one. */
function areMeeting(one: Edge, other: Edge): boolean {
  return !isBeside(one, other) && !isBeside(other, one);
}

/** True when both ends of the other edge are on the same side of the line through this one. */
function isBeside([ax, ay, bx, by]: Edge, [cx, cy, dx, dy]: Edge): boolean {
  const sideOf = (x: number, y: number) => Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
  return sideOf(cx, cy) * sideOf(dx, dy) > 0;
}

function merged(parts: readonly (readonly Ring[])[]): Ring[][] | null {
  const [first, ...others] = parts as unknown as Geom[];
  if (first === undefined) return null;
  try {
    return polygonClipping().union(first, ...others);
  } catch {
    // The sweep fails for some outlines with nearly coincident edges; they stay without a boundary and are
    // counted.
    return null;
  }
}
