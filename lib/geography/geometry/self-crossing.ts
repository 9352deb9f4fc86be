import type {Ring} from "./ring.ts";

type Edge = {
  readonly part: number;
  readonly ring: number;
  /** Number of the edge in its ring, and the number of edges there. */
  readonly at: number;
  readonly of: number;
  readonly west: number;
  readonly east: number;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
};

/**
 * True when a ring of an outline crosses or touches itself, or two rings cross or share a stretch (OGC Simple Features
 * 6.1.11, 6.1.14). Rings may touch at a point. Edges are compared in a sweep from west to east.
 */
export function crossesItself(parts: readonly (readonly Ring[])[]): boolean {
  const edges = parts.flatMap((part, number) => part.flatMap((ring, n) => edgesOf(ring, number, n)));
  edges.sort((a, b) => a.west - b.west);
  let active: Edge[] = [];
  for (const edge of edges) {
    active = active.filter((other) => other.east >= edge.west);
    if (active.some((other) => clash(edge, other))) return true;
    active.push(edge);
  }
  return false;
}

function edgesOf(ring: Ring, part: number, number: number): Edge[] {
  const turns = ring.filter(([x, y], i) => i === 0 || x !== ring[i - 1]![0] || y !== ring[i - 1]![1]);
  const of = turns.length - 1;
  const edges: Edge[] = [];
  for (let at = 0; at < of; at++) {
    const [ax, ay] = turns[at] as [number, number];
    const [bx, by] = turns[at + 1] as [number, number];
    edges.push({part, ring: number, at, of, west: Math.min(ax, bx), east: Math.max(ax, bx), ax, ay, bx, by});
  }
  return edges;
}

function clash(p: Edge, q: Edge): boolean {
  if (Math.max(p.ay, p.by) < Math.min(q.ay, q.by) || Math.max(q.ay, q.by) < Math.min(p.ay, p.by))
    return false;
  const a = side(p, q.ax, q.ay);
  const b = side(p, q.bx, q.by);
  const c = side(q, p.ax, p.ay);
  const d = side(q, p.bx, p.by);
  const apart = p.part !== q.part || p.ring !== q.ring || neighbours(p, q);
  if (a === 0 && b === 0) return apart ? overlap(p, q) > 0 : overlap(p, q) >= 0;
  return apart ? a * b < 0 && c * d < 0 : a * b <= 0 && c * d <= 0;
}

/** True for two edges of one ring that follow each other and so share a vertex. */
function neighbours(p: Edge, q: Edge): boolean {
  const steps = Math.abs(p.at - q.at);
  return steps === 1 || steps === p.of - 1;
}

function side(edge: Edge, x: number, y: number): number {
  return Math.sign((edge.bx - edge.ax) * (y - edge.ay) - (edge.by - edge.ay) * (x - edge.ax));
}

/** The length that two edges on one line share: 0 for a point, negative when they are apart. */
function overlap(p: Edge, q: Edge): number {
  const shared = (a0: number, a1: number, b0: number, b1: number) =>
    Math.min(Math.max(a0, a1), Math.max(b0, b1)) - Math.max(Math.min(a0, a1), Math.min(b0, b1));
  const steep = Math.abs(p.by - p.ay) > Math.abs(p.bx - p.ax);
  return steep ? shared(p.ay, p.by, q.ay, q.by) : shared(p.ax, p.bx, q.ax, q.bx);
}
