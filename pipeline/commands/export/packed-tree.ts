/** Edges of a box in degrees. An empty box has its lower edges above the upper ones, so that it intersects nothing. */
export type Box = readonly [xmin: number, ymin: number, xmax: number, ymax: number];

/** The empty box. */
export const noBox: Box = [
  Number.POSITIVE_INFINITY,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

/** Children per node. */
export const nodeSize = 16;
/** Four edges as doubles, and a 64-bit offset. */
const nodeBytes = 40;

/**
 * The packed R-tree of a FlatGeobuf file (flatgeobuf.org, specification): root first, feature boxes last, in feature order. Takes 43 bytes
 * of memory per feature.
 */
export class PackedTree {
  readonly #bytes: Buffer;
  /** First node and node count of each level, feature level first. */
  readonly #levels: readonly {readonly first: number; readonly count: number}[];
  #added = 0;

  /** Allocates the tree for a known number of features, at least 1. */
  constructor(features: number) {
    const counts = [features];
    do counts.push(Math.ceil(counts.at(-1)! / nodeSize));
    while (counts.at(-1)! > 1);
    let first = counts.reduce((sum, count) => sum + count, 0);
    this.#bytes = Buffer.alloc(first * nodeBytes);
    this.#levels = counts.map((count) => {
      first -= count;
      return {first, count};
    });
  }

  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  /** Adds the next feature: its box, and its offset from the first feature. */
  add(box: Box, offset: number): void {
    this.#write(this.#levels[0]!.first + this.#added++, box, offset);
  }

  /** Returns the tree's bytes and the box of all features. Throws if the number of added features is not the announced one. */
  finish(): {bytes: Buffer; box: Box} {
    const [leaves, ...above] = this.#levels;
    if (this.#added !== leaves!.count)
      throw new Error(`received ${this.#added} of ${leaves!.count} features`);
    let below = leaves!;
    for (const level of above) {
      for (let i = 0; i < level.count; i++) {
        const child = below.first + i * nodeSize;
        const last = Math.min(child + nodeSize, below.first + below.count);
        this.#write(level.first + i, this.#boxOf(child, last), child);
      }
      below = level;
    }
    return {bytes: this.#bytes, box: this.#boxOf(0, 1)};
  }

  /** The bounding box of the nodes from `first` up to but excluding `end`. */
  #boxOf(first: number, end: number): Box {
    let [xmin, ymin, xmax, ymax] = noBox;
    for (let at = first * nodeBytes; at < end * nodeBytes; at += nodeBytes) {
      xmin = Math.min(xmin, this.#bytes.readDoubleLE(at));
      ymin = Math.min(ymin, this.#bytes.readDoubleLE(at + 8));
      xmax = Math.max(xmax, this.#bytes.readDoubleLE(at + 16));
      ymax = Math.max(ymax, this.#bytes.readDoubleLE(at + 24));
    }
    return [xmin, ymin, xmax, ymax];
  }

  #write(node: number, box: Box, offset: number): void {
    let at = node * nodeBytes;
    for (const edge of box) at = this.#bytes.writeDoubleLE(edge, at);
    this.#bytes.writeBigUInt64LE(BigInt(offset), at);
  }
}
