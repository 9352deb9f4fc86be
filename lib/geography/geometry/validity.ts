import type {Ring} from "./ring.ts";
import {nestRings} from "./ring-nesting.ts";

/** True for an outline with simple rings, holes inside their part and parts apart (OGC Simple Features 6.1.11, 6.1.14). */
export function isValidOutline(parts: readonly (readonly Ring[])[]): boolean {
  const {around, inscribed} = nestRings(parts.flat());
  if (around === null) return false;
  const outers = new Set<number>();
  let next = 0;
  for (const part of parts) {
    outers.add(next);
    next += part.length;
  }
  let outer = 0;
  return around.every((parent, ring) => {
    // No part is on the land of another: it is in nothing, or in a hole.
    if (outers.has(ring)) {
      outer = ring;
      return !outers.has(parent);
    }
    // A hole with all its vertices on the outer ring would cut the land in pieces.
    return parent === outer && !inscribed[ring];
  });
}
