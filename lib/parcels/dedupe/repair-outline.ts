import {DuckDBBlobValue} from "@duckdb/node-api";
import Flatbush from "flatbush";
import polygonClipping, {type Geom} from "polygon-clipping";
import type {Ring} from "../../geography/geometry/ring.ts";
import {isValidOutline} from "../../geography/geometry/validity.ts";

/**
 * Gives a valid outline of the same land as an invalid one: the area that its rings surround an odd number of times, with parts
 * united and edges cut at the crossings. Gives null where nothing is left, no valid outline comes out, or edges meet so often that it
 * would take long.
 */
export function repairOutline(parts: readonly (readonly Ring[])[]): Ring[][] | null {
  const repaired = crossesItselfOften(parts) ? null : united(parts);
  if (repaired === null || repaired.length === 0 || !isValidOutline(repaired)) return null;
  return repaired;
}

/** For each edge: how many others it may meet, and how many may be near enough to be looked at. Parts of a grid meet seven. */
const mostMeetings = 10;
const mostNear = 200;
/** So few cost nothing, however small the outline is. */
const freeMeetings = 100;

/** True for an outline of more crossings and touches than a surveyor makes: the time of a repair grows with them. */
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
    if (near > mostNear * edges.length || meetings > freeMeetings + mostMeetings * edges.length) return true;
  }
  return false;
}

type Edge = readonly [ax: number, ay: number, bx: number, by: number];

/** True for edges with a point in common, and for some that nearly have one. */
function areMeeting(one: Edge, other: Edge): boolean {
  return !isBeside(one, other) && !isBeside(other, one);
}

/** True where both ends of the other edge are on one side of the line through this one. */
function isBeside([ax, ay, bx, by]: Edge, [cx, cy, dx, dy]: Edge): boolean {
  const sideOf = (x: number, y: number) => Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
  return sideOf(cx, cy) * sideOf(dx, dy) > 0;
}

function united(parts: readonly (readonly Ring[])[]): Ring[][] | null {
  const [first, ...others] = parts as unknown as Geom[];
  if (first === undefined) return null;
  try {
    return polygonClipping.union(first, ...others);
  } catch {
    // The sweep fails for some outlines whose edges nearly coincide; they stay without a boundary and are counted.
    return null;
  }
}

/** Gives the bytes of a BLOB that DuckDB gave to JavaScript. Throws for any other value. */
export function blobBytes(value: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes);
  throw new Error("an outline that is no BLOB");
}
