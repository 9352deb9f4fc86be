import polygonClipping, {type Geom} from "polygon-clipping";
import type {Ring} from "../../../lib/geography/geometry/ring.ts";
import {isValidOutline} from "../../../lib/geography/geometry/validity.ts";

/**
 * A valid outline of the same land as one that is not: what the rings surround an odd number of times, parts united,
 * cut at the crossings. Null where nothing is left or no valid outline comes out.
 */
export function repairOutline(parts: readonly (readonly Ring[])[]): Ring[][] | null {
  const repaired = united(parts);
  if (repaired === null || repaired.length === 0 || !isValidOutline(repaired)) return null;
  return repaired;
}

function united(parts: readonly (readonly Ring[])[]): Ring[][] | null {
  const [first, ...others] = parts as unknown as Geom[];
  if (first === undefined) return null;
  try {
    return polygonClipping.union(first, ...others);
  } catch {
    // Its sweep gives up on some outlines whose edges all but coincide: those stay without a boundary, and are counted.
    return null;
  }
}
