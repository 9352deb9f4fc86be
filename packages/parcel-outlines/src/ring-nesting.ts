import {type Cut, type Edge, EdgeOrder, sideOf} from "./edge-order.ts";
import type {Ring} from "./outline.ts";

/** How the rings of an outline nest, found by a sweep from west to east. */
type Nesting = {
  /**
   * For each ring the index of the smallest ring around it, or -1. Null when a ring crosses or touches
   * itself, or when two rings cross or share a segment (OGC Simple Features 6.1.11, 6.1.14). Rings may touch
   * at a point.
   */
  readonly around: readonly number[] | null;
  /** For each ring, whether all its vertices lie on the ring around it. */
  readonly inscribed: readonly boolean[];
  /** Number of edge comparisons: O(n log n) for n edges. */
  readonly comparisons: number;
};

type End = {readonly x: number; readonly y: number; readonly edge: Edge; readonly starts: boolean};

const unknown = -2;
/** A single ring with at most this many edges is checked pairwise, which is faster. */
const fewEdges = 40;

/**
 * Finds which ring lies in which, in O(n log n) for n edges (Shamos and Hoey 1976, with a label for the area
 * between edges).
 */
export function nestRings(rings: readonly Ring[]): Nesting {
  const edges = rings.map(edgesOf);
  if (edges.length === 1 && edges[0]!.length <= fewEdges) return nestingOfOne(edges[0]!);
  const ends = edges.flatMap((ring) => ring.flatMap(endsOf));
  ends.sort((p, q) => p.x - q.x || p.y - q.y);
  const sweep = new Sweep(rings.length);
  let isValid = true;
  for (let from = 0; from < ends.length && isValid; ) {
    const {x, y} = ends[from]!;
    let to = from + 1;
    while (to < ends.length && ends[to]!.x === x && ends[to]!.y === y) to += 1;
    isValid = sweep.pass(ends.slice(from, to));
    from = to;
  }
  return {
    around: isValid ? sweep.around : null,
    inscribed: edges.map(({length}, ring) => sweep.touches[ring] === length),
    comparisons: sweep.order.comparisons,
  };
}

function nestingOfOne(edges: readonly Edge[]): Nesting {
  const crosses = edges.some((edge, i) => {
    for (let j = 0; j < i; j++) if (clash(edge, edges[j]!)) return true;
    return false;
  });
  return {
    around: crosses ? null : [-1],
    inscribed: [false],
    comparisons: (edges.length * (edges.length - 1)) / 2,
  };
}

class Sweep {
  readonly order = new EdgeOrder();
  readonly around: number[];
  /** For each ring the number of its vertices that lie on the ring around it. */
  readonly touches: number[];
  readonly #cuts = new Map<Edge, Cut>();

  constructor(rings: number) {
    this.around = Array<number>(rings).fill(unknown);
    this.touches = Array<number>(rings).fill(0);
  }

  /** Processes the point at which these edges start or end; false when a validity rule is broken there. */
  pass(ends: readonly End[]): boolean {
    if (!this.#remove(ends)) return false;
    const {x, y} = ends[0]!;
    const through = this.order.at(x, y);
    if (through === null && ends.length === 2) return this.#add(ends);
    return this.#meet(ends, through) && this.#add(ends) && this.#touch(ends, through);
  }

  /** Removing edges that end makes other edges adjacent, which must not clash. */
  #remove(ends: readonly End[]): boolean {
    return ends.every(({edge, starts}) => {
      if (starts) return true;
      const cut = this.#cuts.get(edge)!;
      this.#cuts.delete(edge);
      this.order.remove(cut);
      return !this.#clash(cut.below, cut.above);
    });
  }

  /** A ring may pass through a point only once and may not touch its own edges. */
  #meet(ends: readonly End[], through: Edge | null): boolean {
    const met = Map.groupBy(ends, ({edge}) => edge.ring);
    for (const [ring, own] of met) if (own.length > 2 || ring === through?.ring) return false;
    return through === null || ends.every(({edge}) => !clash(edge, through));
  }

  /** Counts a vertex for each ring whose surrounding ring passes through the same point. */
  #touch(ends: readonly End[], through: Edge | null): true {
    const met = new Set(ends.map(({edge}) => edge.ring));
    for (const ring of met) {
      const around = this.around[ring]!;
      if (met.has(around) || through?.ring === around) this.touches[ring]! += 1;
    }
    return true;
  }

  /** Adds the edges that start here; the area above each follows from the edge below it. */
  #add(ends: readonly End[]): boolean {
    const added: Cut[] = [];
    for (const {edge, starts} of ends) {
      if (!starts) continue;
      const cut = this.order.add(edge);
      this.#cuts.set(edge, cut);
      if (this.#clash(cut.below, cut) || this.#clash(cut, cut.above)) return false;
      added.push(cut);
    }
    added.sort((p, q) => sideOf(q.edge, p.edge.bx, p.edge.by));
    return added.every((cut) => this.#enter(cut));
  }

  /**
   * Records the ring around a ring when the sweep first enters it; false when a later entry contradicts that.
   */
  #enter(cut: Cut): boolean {
    const {ring} = cut.edge;
    const below = cut.below?.inside ?? -1;
    if (below === ring) {
      cut.inside = this.around[ring]!;
      return true;
    }
    if (this.around[ring] === unknown) this.around[ring] = below;
    cut.inside = ring;
    return this.around[ring] === below;
  }

  #clash(p: Cut | null, q: Cut | null): boolean {
    if (p === null || q === null) return false;
    this.order.comparisons += 1;
    return clash(p.edge, q.edge);
  }
}

/** The edges of a ring between distinct vertices; an open ring is closed. */
function edgesOf(ring: Ring, number: number): Edge[] {
  const closed = [...ring, ring[0]!];
  const turns = closed.filter(([x, y], i) => i === 0 || x !== closed[i - 1]![0] || y !== closed[i - 1]![1]);
  const of = turns.length - 1;
  return Array.from({length: of}, (_, at): Edge => {
    const [ax, ay] = turns[at] as [number, number];
    const [bx, by] = turns[at + 1] as [number, number];
    const rising = ax < bx || (ax === bx && ay < by);
    const line = rising ? {ax, ay, bx, by} : {ax: bx, ay: by, bx: ax, by: ay};
    return {ring: number, at, of, ...line};
  });
}

function endsOf(edge: Edge): End[] {
  const {ax, ay, bx, by} = edge;
  return [
    {x: ax, y: ay, edge, starts: true},
    {x: bx, y: by, edge, starts: false},
  ];
}

/**
 * True for two edges that cross or overlap, or that belong to one ring and touch without being consecutive.
 */
function clash(p: Edge, q: Edge): boolean {
  if (p.ax > q.bx || q.ax > p.bx) return false;
  if (Math.max(p.ay, p.by) < Math.min(q.ay, q.by) || Math.max(q.ay, q.by) < Math.min(p.ay, p.by))
    return false;
  const [a, b] = [sideOf(p, q.ax, q.ay), sideOf(p, q.bx, q.by)];
  const [c, d] = [sideOf(q, p.ax, p.ay), sideOf(q, p.bx, p.by)];
  const apart = p.ring !== q.ring || neighbours(p, q);
  if (a === 0 && b === 0) return apart ? overlap(p, q) > 0 : overlap(p, q) >= 0;
  return apart
    ? Math.sign(a) * Math.sign(b) < 0 && Math.sign(c) * Math.sign(d) < 0
    : Math.sign(a) * Math.sign(b) <= 0 && Math.sign(c) * Math.sign(d) <= 0;
}

/** True for consecutive edges of a ring, which share a vertex. */
function neighbours(p: Edge, q: Edge): boolean {
  const steps = Math.abs(p.at - q.at);
  return steps === 1 || steps === p.of - 1;
}

/** The length that two collinear edges share: 0 when they touch, negative when they are apart. */
function overlap(p: Edge, q: Edge): number {
  const shared = (a0: number, a1: number, b0: number, b1: number) =>
    Math.min(Math.max(a0, a1), Math.max(b0, b1)) - Math.max(Math.min(a0, a1), Math.min(b0, b1));
  const steep = Math.abs(p.by - p.ay) > Math.abs(p.bx - p.ax);
  return steep ? shared(p.ay, p.by, q.ay, q.by) : shared(p.ax, p.bx, q.ax, q.bx);
}

/**
 * True for an outline with simple rings, holes inside their part and disjoint parts (OGC Simple Features
 * 6.1.11, 6.1.14).
 */
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
    // Parts do not overlap: an outer ring lies in nothing or in a hole.
    if (outers.has(ring)) {
      outer = ring;
      return !outers.has(parent);
    }
    // A hole with all its vertices on the outer ring would cut the area in pieces.
    return parent === outer && !inscribed[ring];
  });
}
