import fc from "fast-check";
import {expect, test} from "vitest";
import {nestRings} from "../src/ring-nesting.ts";

type Point = readonly [x: number, y: number];
type Segment = readonly [from: Point, to: Point];

/** Twice the area of a triangle, exact for whole numbers. */
const turn = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);

const isOn = (point: Point, [from, to]: Segment) =>
  turn(from, to, point) === 0 &&
  [0, 1].every((axis) => {
    const ends = [from[axis]!, to[axis]!];
    return point[axis]! >= Math.min(...ends) && point[axis]! <= Math.max(...ends);
  });

/** How two stretches meet: not at all, in one point that is an end of one, across each other, or along a stretch. */
function meeting(p: Segment, q: Segment): "apart" | "touch" | "cross" | "share" {
  const [a, b] = q.map((point) => Math.sign(turn(...p, point)));
  const [c, d] = p.map((point) => Math.sign(turn(...q, point)));
  if (a! * b! < 0 && c! * d! < 0) return "cross";
  const ends = [...p.filter((point) => isOn(point, q)), ...q.filter((point) => isOn(point, p))];
  const points = new Set(ends.map(String)).size;
  if (points === 0) return "apart";
  return points === 1 ? "touch" : "share";
}

/** The edges of a ring without those of no length. */
const edgesOf = (ring: readonly Point[]): Segment[] => {
  const turns = ring.filter(
    (point, i) => String(point) !== String(ring[(i + ring.length - 1) % ring.length]),
  );
  return turns.map((point, i): Segment => [point, turns[(i + 1) % turns.length]!]);
};

/** True for a ring that meets itself nowhere but where one edge follows another. */
function isSimple(ring: readonly Point[]): boolean {
  const edges = edgesOf(ring);
  return edges.every((edge, i) =>
    edges.slice(0, i).every((other, j) => {
      const follows = i - j === 1 || i - j === edges.length - 1;
      return meeting(edge, other) === (follows ? "touch" : "apart");
    }),
  );
}

/** True for a point that is on no edge and inside of a ring. */
function holds(ring: readonly Point[], [x, y]: Point): boolean {
  return edgesOf(ring).reduce((inside, [[ax, ay], [bx, by]]) => {
    const isCut = ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay);
    return isCut ? !inside : inside;
  }, false);
}

const ringIn = (from: number, size: number) =>
  fc
    .array(fc.tuple(fc.integer({min: from, max: from + size}), fc.integer({min: from, max: from + size})), {
      minLength: 3,
      maxLength: 7,
    })
    .filter((ring) => edgesOf(ring).length >= 3);
const closed = (ring: readonly Point[]): number[][] => [...ring, ring[0]!].map((point) => [...point]);
const far: Point[] = [
  [-90, -90],
  [-80, -90],
  [-90, -80],
];

test("a ring is sound where it meets itself nowhere, whether its edges are compared one by one or by the sweep", () => {
  const property = fc.property(ringIn(0, 4), fc.boolean(), (ring, isOpen) => {
    const drawn = isOpen ? ring.map((point) => [...point]) : closed(ring);
    const isSound = isSimple(ring);
    expect(nestRings([drawn]).around).toEqual(isSound ? [-1] : null);
    expect(nestRings([closed(far), drawn]).around).toEqual(isSound ? [-1, -1] : null);
  });
  fc.assert(property, {numRuns: 2000});
});

test("two rings are sound where no edge crosses another's or lies along it, and one that is inside is told so", () => {
  const property = fc.property(ringIn(0, 6), fc.oneof(ringIn(0, 6), ringIn(2, 2)), (outer, inner) => {
    fc.pre(isSimple(outer) && isSimple(inner));
    const meetings = new Set(
      edgesOf(outer).flatMap((edge) => edgesOf(inner).map((other) => meeting(edge, other))),
    );
    const {around} = nestRings([closed(outer), closed(inner)]);
    if (meetings.has("cross") || meetings.has("share")) expect(around).toBeNull();
    else if (!meetings.has("touch"))
      expect(around).toEqual([holds(inner, outer[0]!) ? 1 : -1, holds(outer, inner[0]!) ? 0 : -1]);
  });
  fc.assert(property, {numRuns: 800});
});
