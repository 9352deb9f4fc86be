import {orient2d} from "robust-predicates";

/** An edge of a ring, its left end first; of two ends on one meridian the lower one is left. */
export type Edge = {
  readonly ring: number;
  /** Number of the edge in its ring, and the number of edges there. */
  readonly at: number;
  readonly of: number;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
};

/** An edge among those that the sweep line cuts. */
export type Cut = {
  readonly edge: Edge;
  below: Cut | null;
  above: Cut | null;
  parent: Cut | null;
  left: Cut | null;
  right: Cut | null;
  readonly priority: number;
  /** The innermost ring around the land just above the edge; -1 for none. */
  inside: number;
};

/** Tells on which side of an edge's line a point is: positive above or left, negative below or right, 0 on it; exact. */
export function sideOf({ax, ay, bx, by}: Edge, x: number, y: number): number {
  return -orient2d(ax, ay, bx, by, x, y);
}

/**
 * The edges under a sweep line from the lowest to the highest, in a balanced tree (a treap, whose priorities are random):
 * to put an edge in or to take it out costs the logarithm of their number.
 */
export class EdgeOrder {
  /** Comparisons of two edges, or of a point with an edge, until now. */
  comparisons = 0;
  #root: Cut | null = null;

  /** Puts an edge in that starts at the sweep line, and gives its place. */
  add(edge: Edge): Cut {
    let parent: Cut | null = null;
    let [below, above]: [Cut | null, Cut | null] = [null, null];
    for (let next = this.#root; next !== null; ) {
      parent = next;
      if (this.#isAbove(edge, next.edge)) {
        below = next;
        next = next.right;
      } else {
        above = next;
        next = next.left;
      }
    }
    const priority = Math.random();
    const cut: Cut = {edge, below, above, parent, left: null, right: null, priority, inside: -1};
    if (below !== null) below.above = cut;
    if (above !== null) above.below = cut;
    if (parent === null) this.#root = cut;
    else if (parent === below) parent.right = cut;
    else parent.left = cut;
    while (cut.parent !== null && cut.priority < cut.parent.priority) this.#lift(cut);
    return cut;
  }

  /** Takes an edge out that ends at the sweep line. */
  remove(cut: Cut): void {
    while (cut.left !== null && cut.right !== null)
      this.#lift(cut.left.priority < cut.right.priority ? cut.left : cut.right);
    this.#replace(cut, cut.left ?? cut.right);
    if (cut.below !== null) cut.below.above = cut.above;
    if (cut.above !== null) cut.above.below = cut.below;
  }

  /** Gives an edge that the point of the sweep line is on, or null. */
  at(x: number, y: number): Edge | null {
    for (let next = this.#root; next !== null; ) {
      this.comparisons += 1;
      const side = sideOf(next.edge, x, y);
      if (side === 0) return next.edge;
      next = side > 0 ? next.right : next.left;
    }
    return null;
  }

  /** Of two edges that start at one point, or one on the other, the one with the higher end is above. */
  #isAbove(edge: Edge, other: Edge): boolean {
    this.comparisons += 1;
    const start = sideOf(other, edge.ax, edge.ay);
    return start > 0 || (start === 0 && sideOf(other, edge.bx, edge.by) > 0);
  }

  /** Turns a cut and its parent round. */
  #lift(cut: Cut): void {
    const parent = cut.parent!;
    this.#replace(parent, cut);
    const child = parent.left === cut ? cut.right : cut.left;
    if (parent.left === cut) {
      parent.left = child;
      cut.right = parent;
    } else {
      parent.right = child;
      cut.left = parent;
    }
    if (child !== null) child.parent = parent;
    parent.parent = cut;
  }

  #replace(cut: Cut, by: Cut | null): void {
    const {parent} = cut;
    if (by !== null) by.parent = parent;
    if (parent === null) this.#root = by;
    else if (parent.left === cut) parent.left = by;
    else parent.right = by;
  }
}
