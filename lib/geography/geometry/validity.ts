import {polygonHolds, type Ring} from "./ring.ts";
import {crossesItself} from "./self-crossing.ts";

const mostVertices = 64;

/** True for an outline with simple rings, holes inside their part and parts apart (OGC Simple Features 6.1.11, 6.1.14). */
export function isValidOutline(parts: readonly (readonly Ring[])[]): boolean {
  return !crossesItself(parts) && parts.every(holesFit) && partsApart(parts);
}

/** True when each hole is inside the outer ring and outside the other holes; edges must not cross. */
function holesFit([outer, ...holes]: readonly Ring[]): boolean {
  return holes.every(
    (hole, i) => isInside(hole, outer!) && holes.every((other, j) => i === j || !isInside(hole, other)),
  );
}

/** True when no part is on the land of another; edges must not cross. */
function partsApart(parts: readonly (readonly Ring[])[]): boolean {
  return parts.every((part, i) =>
    parts.every((other, j) => {
      if (i === j || !isInside(part[0]!, other[0]!)) return true;
      return other.slice(1).some((hole) => isInside(part[0]!, hole));
    }),
  );
}

/**
 * True for a ring inside another that it does not cross: of a sample of its vertices, some are inside and none is outside.
 */
function isInside(ring: Ring, other: Ring): boolean {
  const step = Math.ceil(ring.length / mostVertices);
  const off = ring.filter(([x, y], i) => i % step === 0 && !isOn(other, x!, y!));
  return off.length > 0 && off.every(([x, y]) => polygonHolds([other], x!, y!));
}

function isOn(ring: Ring, x: number, y: number): boolean {
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as [number, number];
    const [bx, by] = ring[i] as [number, number];
    if (x < Math.min(ax, bx) || x > Math.max(ax, bx) || y < Math.min(ay, by) || y > Math.max(ay, by))
      continue;
    if ((bx - ax) * (y - ay) === (by - ay) * (x - ax)) return true;
  }
  return false;
}
