import {FileFault, writeScratch} from "@open-cattle/safe-files";
import Flatbush from "flatbush";
import {type BlockGuard, guardOf} from "./block-guard.ts";

/** Boxes in degrees; item `i` is the box of row `i`. */
export type Boxes = {
  readonly minX: Float64Array;
  readonly minY: Float64Array;
  readonly maxX: Float64Array;
  readonly maxY: Float64Array;
};

/** A box in degrees; for a point it has no extent. */
export type Box = {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
};

/** Accepts or rejects a row by its number and box. */
export type AcceptBox = (row: number, minX: number, minY: number, maxX: number, maxY: number) => boolean;

/** Finds rows by their boxes. */
export type SpatialIndex = {
  readonly items: number;
  /**
   * The rows whose box intersects `box`, ascending. Throws a RangeError for a coordinate that is not a
   * number.
   */
  within(box: Box, accept?: AcceptBox): number[];
};

const headBytes = 8;
const coordinateBytes = Float64Array.BYTES_PER_ELEMENT;

/**
 * Writes a Flatbush file (float64, 16 per node) whose item `i` is row `i`, without a sync; no file when there
 * are no rows. Throws a `FileFault` for a NaN coordinate, which would match every search, and for a box whose
 * minimum exceeds its maximum; throws an error when the path exists.
 */
export async function writeSpatialIndex({
  path,
  ...boxes
}: Boxes & {path: string}): Promise<{items: number; written: boolean}> {
  const items = boxes.minX.length;
  if (items === 0) return {items, written: false};
  checkBoxes(boxes);
  await writeScratch(path, [new Uint8Array(packedTree(boxes))], {fresh: true, mode: 0o640});
  return {items, written: true};
}

/**
 * Opens a Flatbush file in place. Throws a `FileFault` that begins with `name` when the bytes are not one.
 */
export function openSpatialIndex(buffer: ArrayBuffer, name = "spatial index"): SpatialIndex {
  const guard = guardOf(buffer);
  guard?.range(0, headBytes);
  const tree = openTree(buffer, name);
  return {
    items: tree.numItems,
    within({minX, minY, maxX, maxY}, accept) {
      if ([minX, minY, maxX, maxY].some(Number.isNaN)) throw new RangeError("a coordinate is not a number");
      if (guard !== null) checkNodes(tree, guard, {minX, minY, maxX, maxY});
      return tree.search(minX, minY, maxX, maxY, accept).sort((a, b) => a - b);
    },
  };
}

/** Checks the boxes and numbers of all nodes that a search for a box reads. */
function checkNodes(tree: Flatbush, guard: BlockGuard, {minX, minY, maxX, maxY}: Box): void {
  const {_boxes: boxes, _indices: numbers, _levelBounds: ends, nodeSize, numItems} = tree;
  const open = [boxes.length - 4, ends.length - 1];
  while (open.length > 0) {
    const level = open.pop()!;
    const first = open.pop()!;
    const end = Math.min(first + nodeSize * 4, ends[level]!);
    guard.range(boxes.byteOffset + first * coordinateBytes, boxes.byteOffset + end * coordinateBytes);
    const {byteOffset, BYTES_PER_ELEMENT} = numbers;
    guard.range(byteOffset + (first >> 2) * BYTES_PER_ELEMENT, byteOffset + (end >> 2) * BYTES_PER_ELEMENT);
    if (first < numItems * 4) continue;
    for (let at = first; at < end; at += 4) {
      if (maxX < boxes[at]! || maxY < boxes[at + 1]! || minX > boxes[at + 2]! || minY > boxes[at + 3]!)
        continue;
      open.push(numbers[at >> 2]!, level - 1);
    }
  }
}

/**
 * Builds the tree. Flatbush takes quadratic time for boxes that come in Hilbert order
 * (`docs/design/measurements.md` section 8), so they are added in a scattered order and the leaves are
 * renumbered afterwards.
 */
function packedTree({minX, minY, maxX, maxY}: Boxes): ArrayBuffer {
  const items = minX.length;
  const tree = new Flatbush(items);
  const order = scatteredOrder(items);
  for (const row of order) tree.add(minX[row]!, minY[row]!, maxX[row]!, maxY[row]!);
  tree.finish();
  const data = tree.data as ArrayBuffer;
  const leaf = leafNumbers(data, items, tree.nodeSize);
  for (let k = 0; k < items; k++) leaf[k] = order[leaf[k]!]!;
  return data;
}

/** A permutation of 0 to n - 1 that moves neighbours far apart, by steps of about 0.618 n modulo n. */
function scatteredOrder(items: number): Uint32Array {
  const step = coprimeStep(items);
  const order = new Uint32Array(items);
  for (let k = 1; k < items; k++) order[k] = ((order[k - 1] ?? 0) + step) % items;
  return order;
}

function coprimeStep(items: number): number {
  let step = Math.max(1, Math.round(items * 0.618));
  while (greatestDivisor(step, items) !== 1) step += 1;
  return step;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/**
 * The item numbers of the leaves in a Flatbush buffer; they follow the 8-byte header and the boxes of all
 * nodes.
 */
function leafNumbers(data: ArrayBuffer, items: number, nodeSize: number): Uint16Array | Uint32Array {
  const nodes = nodeCount(items, nodeSize);
  const at = headBytes + nodes * 4 * coordinateBytes;
  return nodes < 16384 ? new Uint16Array(data, at, items) : new Uint32Array(data, at, items);
}

function nodeCount(items: number, nodeSize: number): number {
  let level = items;
  let nodes = items;
  do {
    level = Math.ceil(level / nodeSize);
    nodes += level;
  } while (level !== 1);
  return nodes;
}

/**
 * The tree of a file. Throws a `FileFault` when the file size contradicts its header, because a truncated
 * file would answer wrongly.
 */
function openTree(buffer: ArrayBuffer, name: string): Flatbush {
  const tree = parseTree(buffer, name);
  const nodes = nodeCount(tree.numItems, tree.nodeSize);
  const size = headBytes + nodes * (4 * coordinateBytes + (nodes < 16384 ? 2 : 4));
  if (tree.ArrayType !== Float64Array || buffer.byteLength !== size) {
    throw new FileFault(`${name}: ${buffer.byteLength} bytes, expected ${size} of float64 boxes.`);
  }
  return tree;
}

function parseTree(buffer: ArrayBuffer, name: string): Flatbush {
  try {
    return Flatbush.from(buffer);
  } catch (error) {
    throw new FileFault(`${name}: not a Flatbush file (${(error as Error).message}).`);
  }
}

function checkBoxes({minX, minY, maxX, maxY}: Boxes): void {
  for (let row = 0; row < minX.length; row++) {
    if (minX[row]! <= maxX[row]! && minY[row]! <= maxY[row]!) continue;
    throw new FileFault(`row ${row}: not a valid box (${minX[row]} ${minY[row]} ${maxX[row]} ${maxY[row]}).`);
  }
}
