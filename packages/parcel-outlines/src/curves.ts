import type {Position} from "geojson";
import {isPosition} from "./outline.ts";

/** Chord error in metres, and the numbers of chords of an arc. */
const chordError = 0.05;
const [fewestChords, mostChords] = [8, 256];
const metresPerDegree = 111_320;
const fullTurn = 2 * Math.PI;

/**
 * The vertices of a ring with curves (ArcGIS REST API, Curve objects), in the layer's own coordinates: `a` is an
 * arc of a circle or an ellipse about a centre, `c` one of a circle through a point, `b` a Bézier curve. A
 * member of another kind is a straight line to its end, and its ring `isPartlyRead`.
 */
export function flattenedRing(ring: unknown): Position[] {
  const positions: Position[] = [];
  for (const member of Array.isArray(ring) ? ring : []) {
    const from = positions.at(-1);
    if (isPosition(member)) positions.push(member);
    else if (from !== undefined && typeof member === "object" && member !== null)
      positions.push(...curvePositions(from, member));
  }
  return positions;
}

/** The vertices of a string of arcs, each through its middle position: start, middle, end, middle, end, and so on. */
export function flattenedArcs(positions: readonly Position[]): Position[] {
  const arcs = positions.flatMap((end, i) => (i > 0 && i % 2 === 0 ? [{c: [end, positions[i - 1]]}] : []));
  return flattenedRing([...positions.slice(0, 1), ...arcs]);
}

/** Numbers of the positions that a curve of a kind begins with. */
const positionsOf: Readonly<Record<string, number>> = {a: 2, c: 2, b: 3};

/** True for a ring with a member that is neither a position nor a curve of a known kind. */
export function isPartlyRead(ring: unknown): boolean {
  return Array.isArray(ring) && !ring.every((member) => isPosition(member) || isCurve(member));
}

function isCurve(member: unknown): boolean {
  const [[kind, value] = ["", null]] = Object.entries(member ?? {});
  const positions = positionsOf[kind] ?? Number.POSITIVE_INFINITY;
  return Array.isArray(value) && value.length >= positions && value.slice(0, positions).every(isPosition);
}

function curvePositions(from: Position, member: object): Position[] {
  const [kind, value] = Object.entries(member)[0] ?? [];
  const [end, ...rest] = Array.isArray(value) ? (value as unknown[]) : [];
  if (!isPosition(end)) return [];
  const curve = kind === undefined ? null : (curves[kind]?.(from, end, rest) ?? null);
  return curve === null ? [end] : [...curve, end];
}

type Curve = (from: Position, end: Position, rest: readonly unknown[]) => Position[] | null;

/** The positions between both ends, by kind of curve; null for a straight line. */
const curves: Readonly<Record<string, Curve>> = {
  a(from, end, [centre, _minor, clockwise, rotation = 0, , ratio = 1]) {
    if (!isPosition(centre)) return null;
    const [turn, flat] = [Number(rotation), Number(ratio)];
    // On a circle of its own, an ellipse is turned back and its short axis stretched.
    const toCircle = ([x, y]: Position): Position => {
      const [dx, dy] = [x! - centre[0]!, y! - centre[1]!];
      return [dx * Math.cos(turn) + dy * Math.sin(turn), (dy * Math.cos(turn) - dx * Math.sin(turn)) / flat];
    };
    const fromCircle = ([x, y]: Position): Position => [
      centre[0]! + x! * Math.cos(turn) - y! * flat * Math.sin(turn),
      centre[1]! + x! * Math.sin(turn) + y! * flat * Math.cos(turn),
    ];
    const [a, b] = [toCircle(from), toCircle(end)];
    const sweep = sweepOf(angleOf(a), angleOf(b), Number(clockwise) === 1);
    return arc([0, 0], a, sweep, toleranceAt(from)).map(fromCircle);
  },
  c(from, end, [through]) {
    if (!isPosition(through)) return null;
    const isCircle = from[0] === end[0] && from[1] === end[1];
    const centre = isCircle ? middleOf(from, through) : circumcentre(from, through, end);
    if (centre === null) return null;
    const angles = [from, through, end].map(([x, y]) => angleOf([x! - centre[0]!, y! - centre[1]!]));
    const [first, middle, last] = angles as [number, number, number];
    const isClockwise = sweepOf(first, middle, true) < sweepOf(first, last, true);
    return arc(centre, from, sweepOf(first, last, !isClockwise), toleranceAt(from));
  },
  b(from, end, [one, other]) {
    if (!isPosition(one) || !isPosition(other)) return null;
    const chords = 64;
    return Array.from({length: chords - 1}, (_, i) => {
      const t = (i + 1) / chords;
      const at = (axis: 0 | 1) =>
        (1 - t) ** 3 * from[axis]! +
        3 * (1 - t) ** 2 * t * one[axis]! +
        3 * (1 - t) * t ** 2 * other[axis]! +
        t ** 3 * end[axis]!;
      return [at(0), at(1)];
    });
  },
};

function angleOf([x, y]: Position): number {
  return Math.atan2(y!, x!);
}

/** The angle from one direction to another, negative when clockwise; a full turn between equal ones. */
function sweepOf(from: number, to: number, clockwise: boolean): number {
  const turn = (((to - from) % fullTurn) + fullTurn) % fullTurn;
  if (turn === 0) return clockwise ? -fullTurn : fullTurn;
  return clockwise ? turn - fullTurn : turn;
}

/** The positions inside an arc that starts at `from`. */
function arc([cx, cy]: Position, [x, y]: Position, sweep: number, tolerance: number): Position[] {
  const radius = Math.hypot(x! - cx!, y! - cy!);
  const step = radius > tolerance ? 2 * Math.acos(1 - tolerance / radius) : Math.PI;
  const chords = Math.min(mostChords, Math.max(fewestChords, Math.ceil(Math.abs(sweep) / step)));
  const start = angleOf([x! - cx!, y! - cy!]);
  return Array.from({length: chords - 1}, (_, i) => {
    const angle = start + (sweep * (i + 1)) / chords;
    return [cx! + radius * Math.cos(angle), cy! + radius * Math.sin(angle)];
  });
}

/** The chord error in the unit of a position: degrees, else metres or feet, which are shorter. */
function toleranceAt([x, y]: Position): number {
  const areDegrees = Math.abs(x!) <= 360 && Math.abs(y!) <= 90;
  return areDegrees ? chordError / metresPerDegree : chordError;
}

function middleOf([ax, ay]: Position, [bx, by]: Position): Position {
  return [(ax! + bx!) / 2, (ay! + by!) / 2];
}

/** The centre of the circle through three positions; null when they lie on a line. */
function circumcentre([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): Position | null {
  const [x, y, u, v] = [bx! - ax!, by! - ay!, cx! - ax!, cy! - ay!];
  const doubled = 2 * (x * v - y * u);
  if (Math.abs(doubled) < 1e-12 * (x * x + y * y + u * u + v * v)) return null;
  const [p, q] = [x * x + y * y, u * u + v * v];
  return [ax! + (v * p - y * q) / doubled, ay! + (x * q - u * p) / doubled];
}
