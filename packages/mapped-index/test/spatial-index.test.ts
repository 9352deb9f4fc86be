import {createHash} from "node:crypto";
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import fc from "fast-check";
import Flatbush from "flatbush";
import {afterAll, beforeAll, describe, expect, test, vi} from "vitest";
import {mapFile} from "../src/mapped-file.ts";
import {type Box, type Boxes, openSpatialIndex, writeSpatialIndex} from "../src/spatial-index.ts";

let folder: string;
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "space-"));
});

afterAll(() => {
  rmSync(folder, {recursive: true});
});

const degrees = fc.integer({min: -500, max: 500}).map((n) => n / 100);
const box: fc.Arbitrary<Box> = fc
  .tuple(degrees, degrees, fc.constantFrom(0, 0, 0.02, 1), fc.constantFrom(0, 0.5))
  .map(([x, y, w, h]) => ({minX: x, minY: y, maxX: x + w, maxY: y + h}));

function columnsOf(boxes: readonly Box[]): Boxes {
  const column = (name: keyof Box) => Float64Array.from(boxes, (b) => b[name]);
  return {minX: column("minX"), minY: column("minY"), maxX: column("maxX"), maxY: column("maxY")};
}

async function build(boxes: readonly Box[], mode?: "copied") {
  const path = join(folder, `${++serial}.flatbush`);
  expect(await writeSpatialIndex({...columnsOf(boxes), path})).toEqual({items: boxes.length, written: true});
  return {path, index: openSpatialIndex(mapFile(path, undefined, mode).buffer)};
}

function meet(a: Box, b: Box): boolean {
  return a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
}

function rowsWhere(boxes: readonly Box[], holds: (box: Box, row: number) => boolean): number[] {
  return boxes.flatMap((b, row) => (holds(b, row) ? [row] : []));
}

/** Points along a Hilbert-like path: the order that makes Flatbush slow, and the one of our files. */
function points(count: number, seed = 1): Box[] {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
  const places = Array.from({length: count}, () => [-100 + next() * 2, 30 + next() * 2] as const);
  const cell = (v: number) => Math.floor(v * 32);
  places.sort((a, b) => cell(a[0]) - cell(b[0]) || (cell(a[0]) % 2 === 0 ? a[1] - b[1] : b[1] - a[1]));
  return places.map(([x, y]) => ({minX: x, minY: y, maxX: x, maxY: y}));
}

describe("the spatial index", () => {
  test("answers box searches like a plain scan, with item i for row i, at every size of tree", async () => {
    const property = fc.asyncProperty(
      fc.array(box, {minLength: 1, maxLength: 300}),
      box,
      async (boxes, asked) => {
        const {index} = await build(boxes);
        expect(index.items).toBe(boxes.length);
        expect(index.within(asked)).toEqual(rowsWhere(boxes, (b) => meet(b, asked)));
        const even = (row: number) => row % 2 === 0;
        expect(index.within(asked, even)).toEqual(rowsWhere(boxes, (b, row) => even(row) && meet(b, asked)));
      },
    );
    await fc.assert(property, {numRuns: 60});
  });

  test("20,000 points in the order of our files, mapped and copied: boxes as by brute force", async () => {
    const boxes = points(20_000);
    const {path} = await build(boxes);
    for (const mode of ["mmap", "copied"] as const) {
      const index = openSpatialIndex(mapFile(path, undefined, mode).buffer);
      for (let i = 0; i < 20; i++) {
        const {minX: lon, minY: lat} = boxes[i * 977]!;
        const area = {minX: lon - 0.03, minY: lat - 0.02, maxX: lon + 0.03, maxY: lat + 0.04};
        expect(index.within(area)).toEqual(rowsWhere(boxes, (b) => meet(b, area)));
      }
    }
  });

  test("gives Flatbush neighbouring rows far apart, as it takes quadratic time for boxes in Hilbert order", async () => {
    const added = vi.spyOn(Flatbush.prototype, "add");
    const rows = Array.from({length: 1_000}, (_, row) => ({minX: row, minY: 0, maxX: row, maxY: 0}));
    await build(rows);
    const order = added.mock.calls.map(([minX]) => minX);
    added.mockRestore();
    expect(new Set(order).size).toBe(1_000);
    const steps = order.slice(1).map((row, i) => Math.abs(row - order[i]!));
    expect(Math.min(...steps)).toBeGreaterThan(300);
  });

  test("many equal boxes are all found", async () => {
    const {index} = await build(Array.from({length: 3000}, () => ({minX: 5, minY: 5, maxX: 5, maxY: 5})));
    expect(index.within({minX: 4, minY: 4, maxX: 6, maxY: 6}).length).toBe(3000);
  });

  test("the same boxes give the same bytes", async () => {
    const sha = async () =>
      createHash("sha256")
        .update(readFileSync((await build(points(5000))).path))
        .digest("hex");
    expect(await sha()).toBe(await sha());
  });

  test("no rows make no file", async () => {
    const path = join(folder, "none.flatbush");
    expect(await writeSpatialIndex({...columnsOf([]), path})).toEqual({items: 0, written: false});
    expect(existsSync(path)).toBe(false);
  });

  test("refuses coordinates that are not numbers, and boxes that are turned round", async () => {
    const write = (bad: Box) =>
      writeSpatialIndex({...columnsOf([...points(20), bad]), path: join(folder, "bad")});
    await expect(write({minX: Number.NaN, minY: 0, maxX: 0, maxY: 0})).rejects.toThrow("row 20");
    await expect(write({minX: 1, minY: 0, maxX: 0, maxY: 0})).rejects.toThrow(
      "row 20: not a valid box (1 0 0 0)",
    );
    expect(existsSync(join(folder, "bad"))).toBe(false);
    const {index} = await build(points(20));
    expect(() => index.within({minX: Number.NaN, minY: 0, maxX: 0, maxY: 0})).toThrow(RangeError);
  });

  test("refuses a file that is cut or not its own, and never overwrites one", async () => {
    const {path} = await build(points(50));
    const bytes = readFileSync(path);
    for (const length of [0, 1, 7, 8, 100, bytes.length - 1]) {
      expect(() => openSpatialIndex(new Uint8Array(bytes.subarray(0, length)).buffer)).toThrow(
        "spatial index",
      );
    }
    writeFileSync(join(folder, "taken"), "mine");
    await expect(writeSpatialIndex({...columnsOf(points(3)), path: join(folder, "taken")})).rejects.toThrow(
      "EEXIST",
    );
    expect(readFileSync(join(folder, "taken"), "utf8")).toBe("mine");
  });
});
