import type {Ring} from "./ring.ts";

/**
 * A point inside a polygon, by the rule of JTS `InteriorPointArea`: the middle of the widest stretch on a level without
 * vertices, which is half-way between the vertices next above and below the middle of its box.
 */
export function insidePoint(polygon: readonly Ring[]): {x: number; y: number} {
  const y = freeLevel(polygon);
  const cuts = polygon.flatMap((ring) => crossings(ring, y)).sort((a, b) => a - b);
  let best = {x: polygon[0]![0]![0]!, width: -1};
  for (let i = 0; i + 1 < cuts.length; i += 2) {
    const [from, to] = [cuts[i]!, cuts[i + 1]!];
    if (to - from > best.width) best = {x: (from + to) / 2, width: to - from};
  }
  return {x: best.x, y};
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

function crossings(ring: Ring, y: number): number[] {
  const cuts: number[] = [];
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as [number, number];
    const [bx, by] = ring[i] as [number, number];
    if (ay > y !== by > y) cuts.push(((bx - ax) * (y - ay)) / (by - ay) + ax);
  }
  return cuts;
}
