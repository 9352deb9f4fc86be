import {polygonHolds, type Ring} from "./ring.ts";
import {crossesItself} from "./self-crossing.ts";

const mostVertices = 64;

/** True for an outline that is valid by OGC Simple Features 6.1.11 and 6.1.14: simple rings, holes in their part, parts apart. */
export function isValidOutline(parts: readonly (readonly Ring[])[]): boolean {
  return !crossesItself(parts) && parts.every(holesFit) && partsApart(parts);
}

/** Holes lie in the outer ring and not in each other; edges do not cross. */
function holesFit([outer, ...holes]: readonly Ring[]): boolean {
  return holes.every(
    (hole, i) => liesIn(hole, outer!) && holes.every((other, j) => i === j || !liesIn(hole, other)),
  );
}

/** No part lies on the land of another; edges do not cross. */
function partsApart(parts: readonly (readonly Ring[])[]): boolean {
  return parts.every((part, i) =>
    parts.every((other, j) => {
      if (i === j || !liesIn(part[0]!, other[0]!)) return true;
      return other.slice(1).some((hole) => liesIn(part[0]!, hole));
    }),
  );
}

/** Is a ring inside another that it does not cross: it has a vertex inside, and none outside; of many, some are looked at. */
function liesIn(ring: Ring, other: Ring): boolean {
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
