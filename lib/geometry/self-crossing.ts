import type {Ring} from "./ring.ts";

type Edge = {
  readonly ring: number;
  readonly at: number;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
};

/**
 * True when two edges of a polygon cross in their inner parts, or lie on each other: the outline is not simple. Rings that
 * touch at a vertex are allowed (OGC Simple Features 6.1.11). Edges are swept by longitude.
 */
export function crossesItself(polygon: readonly Ring[]): boolean {
  const edges = polygon.flatMap(edgesOf).sort((a, b) => Math.min(a.ax, a.bx) - Math.min(b.ax, b.bx));
  let active: Edge[] = [];
  for (const edge of edges) {
    const west = Math.min(edge.ax, edge.bx);
    active = active.filter((other) => Math.max(other.ax, other.bx) >= west);
    if (active.some((other) => cross(edge, other))) return true;
    active.push(edge);
  }
  return false;
}

function edgesOf(ring: Ring, number: number): Edge[] {
  const edges: Edge[] = [];
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as [number, number];
    const [bx, by] = ring[i] as [number, number];
    if (ax !== bx || ay !== by) edges.push({ring: number, at: i, ax, ay, bx, by});
  }
  return edges;
}

function cross(p: Edge, q: Edge): boolean {
  if (Math.max(p.ay, p.by) < Math.min(q.ay, q.by) || Math.max(q.ay, q.by) < Math.min(p.ay, p.by))
    return false;
  const a = side(p, q.ax, q.ay);
  const b = side(p, q.bx, q.by);
  const c = side(q, p.ax, p.ay);
  const d = side(q, p.bx, p.by);
  if (a === 0 && b === 0) return overlap(p, q);
  return a * b < 0 && c * d < 0;
}

function side(edge: Edge, x: number, y: number): number {
  return Math.sign((edge.bx - edge.ax) * (y - edge.ay) - (edge.by - edge.ay) * (x - edge.ax));
}

/** Of two edges on one line: do they share more than a point. */
function overlap(p: Edge, q: Edge): boolean {
  const shared = (a0: number, a1: number, b0: number, b1: number) =>
    Math.min(Math.max(a0, a1), Math.max(b0, b1)) - Math.max(Math.min(a0, a1), Math.min(b0, b1));
  return shared(p.ax, p.bx, q.ax, q.bx) > 0 || shared(p.ay, p.by, q.ay, q.by) > 0;
}
