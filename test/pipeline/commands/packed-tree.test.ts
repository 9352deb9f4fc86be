import fc from "fast-check";
import {expect, test} from "vitest";
import {type Box, noBox, nodeSize, PackedTree} from "../../../pipeline/commands/export/packed-tree.ts";

const edge = fc.double({min: -180, max: 180, noNaN: true});
const box = fc
  .tuple(edge, edge, edge, edge)
  .map(([a, b, c, d]): Box => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);

const meets = (a: Box, b: Box) => a[0] <= b[2] && a[1] <= b[3] && a[2] >= b[0] && a[3] >= b[1];

/**
 * Offsets of the features that a reader of the format finds by descending from the root through boxes that intersect the given
 * one.
 */
function found(bytes: Buffer, features: number, asked: Box): number[] {
  const nodes = bytes.length / 40;
  const waiting = [0];
  const offsets: number[] = [];
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    const edges = [0, 8, 16, 24].map((at) => bytes.readDoubleLE(node * 40 + at)) as unknown as Box;
    if (!meets(edges, asked)) continue;
    const to = Number(bytes.readBigUInt64LE(node * 40 + 32));
    if (node >= nodes - features) offsets.push(to);
    else {
      const end = levelEnd(nodes, features, to);
      for (let child = to; child < Math.min(to + nodeSize, end); child++) waiting.push(child);
    }
  }
  return offsets.sort((a, b) => a - b);
}

/** The node after the last one on the same level as a node. */
function levelEnd(nodes: number, features: number, node: number): number {
  let [end, count] = [nodes, features];
  while (node < end - count) {
    end -= count;
    count = Math.ceil(count / nodeSize);
  }
  return end;
}

test("a search from the root finds the features that a scan finds, in trees of one to four levels", () => {
  fc.assert(
    fc.property(fc.array(box, {minLength: 1, maxLength: 300}), box, (boxes, asked) => {
      const tree = new PackedTree(boxes.length);
      for (const [i, each] of boxes.entries()) tree.add(each, i * 10);
      const {bytes, box: whole} = tree.finish();
      expect(bytes).toHaveLength(tree.byteLength);
      expect(found(bytes, boxes.length, asked)).toEqual(
        boxes.flatMap((each, i) => (meets(each, asked) ? [i * 10] : [])),
      );
      expect(boxes.every((each) => meets(each, whole))).toBe(true);
    }),
  );
});

test("finds no feature without a geometry, and throws for a missing feature", () => {
  const tree = new PackedTree(2);
  tree.add([1, 1, 2, 2], 0);
  expect(() => tree.finish()).toThrow("received 1 of 2 features");
  tree.add(noBox, 50);
  const {bytes, box: whole} = tree.finish();
  expect(found(bytes, 2, [-180, -90, 180, 90])).toEqual([0]);
  expect(whole).toEqual([1, 1, 2, 2]);
});
