import {orient2d} from "robust-predicates";

/** An edge of a ring, its left end first; on a vertical edge the lower end counts as left. */
export type Edge = {
  readonly ring: number;
  /** Index of the edge in its ring, and the number of edges of the ring. */
  readonly at: number;
  readonly of: number;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
};

/** A tree node for an edge that the sweep line cuts. */
export type Cut = {
  readonly edge: Edge;
  below: Cut | null;
  above: Cut | null;
  parent: Cut | null;
  left: Cut | null;
  right: Cut | null;
  readonly priority: number;
  /** The innermost ring around the area just above the edge; -1 for none. */
  inside: number;
};

/**
 * The side of an edge's line on which a point lies: positive above or left, negative below or right, 0 on it;
 * exact arithmetic.
 */
export function sideOf({ax, ay, bx, by}: Edge, x: number, y: number): number {
  return -orient2d(ax, ay, bx, by, x, y);
}

/**
 * The edges under the sweep line, ordered bottom to top in a treap (a balanced tree with random priorities):
 * adding and removing an edge takes O(log n).
 */
export class EdgeOrder {
  /** Number of comparisons so far, of two edges or of a point with an edge. */
  comparisons = 0;
  #root: Cut | null = null;

  /** Adds an edge that starts at the sweep line and returns its node. */
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

  /** Removes an edge that ends at the sweep line. */
  remove(cut: Cut): void {
    while (cut.left !== null && cut.right !== null)
      this.#lift(cut.left.priority < cut.right.priority ? cut.left : cut.right);
    this.#replace(cut, cut.left ?? cut.right);
    if (cut.below !== null) cut.below.above = cut.above;
    if (cut.above !== null) cut.above.below = cut.below;
  }

  /** An edge that passes through this point of the sweep line, or null. */
  at(x: number, y: number): Edge | null {
    for (let next = this.#root; next !== null; ) {
      this.comparisons += 1;
      const side = sideOf(next.edge, x, y);
      if (side === 0) return next.edge;
      next = side > 0 ? next.right : next.left;
    }
    return null;
  }

  /** Where an edge starts on another one, the edge with the higher end is above. */
  #isAbove(edge: Edge, other: Edge): boolean {
    this.comparisons += 1;
    const start = sideOf(other, edge.ax, edge.ay);
    return start > 0 || (start === 0 && sideOf(other, edge.bx, edge.by) > 0);
  }

  /** Rotates a node above its parent. */
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
