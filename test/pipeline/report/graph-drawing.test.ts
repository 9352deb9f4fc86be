import fc from "fast-check";
import {expect, test} from "vitest";
import {type Box, drawGraph} from "../../../pipeline/report/graph-drawing.ts";

const box = (id: string, from: readonly string[] = [], notes = ["1 row"]): Box => ({
  ...{id, from, notes},
  ...{href: `#${id}`, title: id},
});

type Rect = {id: string; left: number; top: number; right: number; bottom: number};

function rects(svg: string): Rect[] {
  const shapes = svg.matchAll(
    /href="#([^"]+)"><title>[^<]*<\/title><rect x="(-?\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g,
  );
  return [...shapes].map(([, id, ...numbers]) => {
    const [left, top, width, height] = numbers.map(Number) as [number, number, number, number];
    return {id: id!, left, top, right: left + width, bottom: top + height};
  });
}

/** Boxes of which each comes from some of those before it. */
const graphs = fc
  .array(fc.array(fc.nat(), {maxLength: 4}), {minLength: 1, maxLength: 60})
  .map((all) =>
    all.map((picks, i) =>
      box(`model_${i}`, i === 0 ? [] : [...new Set(picks.map((pick) => `model_${pick % i}`))]),
    ),
  );

test("each box stands below those that it comes from, and none lies on another", () => {
  fc.assert(
    fc.property(graphs, (boxes) => {
      const drawn = rects(drawGraph(boxes));
      expect(drawn.map(({id}) => id)).toEqual(boxes.map(({id}) => id));
      const at = new Map(drawn.map((rect) => [rect.id, rect]));
      for (const {id, from} of boxes)
        for (const parent of from) expect(at.get(parent)!.bottom).toBeLessThan(at.get(id)!.top);
      drawn.forEach((a, i) => {
        for (const b of drawn.slice(i + 1))
          expect(a.top !== b.top || a.right <= b.left || b.right <= a.left, `${a.id} on ${b.id}`).toBe(true);
      });
    }),
    {numRuns: 60},
  );
});

test("draws a line for each way that no longer way implies", () => {
  const svg = drawGraph([box("a"), box("b", ["a"]), box("c", ["a", "b"])]);
  expect([...svg.matchAll(/<path/g)]).toHaveLength(2);
});

test("many boxes without lines stand in several rows, each as wide as a page", () => {
  const drawn = rects(drawGraph(Array.from({length: 40}, (_, i) => box(`a_name_of_some_length_${i}`))));
  expect(Math.max(...drawn.map(({right}) => right))).toBeLessThanOrEqual(960);
  expect(new Set(drawn.map(({top}) => top)).size).toBeGreaterThan(4);
});

test("names and notes are escaped", () => {
  expect(drawGraph([{...box("a"), notes: ["<b>"], title: '"&'}])).toMatch(/&quot;&amp;.*&lt;b&gt;/);
});
