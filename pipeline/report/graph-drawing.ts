import {htmlText} from "./html.ts";

/** A box of a graph: what it is called, a line or two below, where it leads, and the boxes above it from which lines come. */
export type Box = {
  readonly id: string;
  readonly notes: readonly string[];
  readonly href: string;
  readonly title: string;
  readonly from: readonly string[];
};

/** A place in a row: a box, or a line that passes between boxes. */
type Place = {
  readonly id: string;
  readonly width: number;
  row: number;
  x: number;
  above: Place[];
  below: Place[];
};

/** Widths in pixels: of the page, of a letter of a name (12 px, monospaced) and of a note (11 px), and between boxes. */
const pageWidth = 950;
/** Width of the boxes in a row; the rest is for lines that pass. */
const boxesWidth = 800;
const nameLetter = 7.3;
const noteLetter = 6.4;
const gap = 14;
const [boxHeight, noteHeight, rowGap] = [24, 14, 30];
/** Sweeps after which neither the order in rows nor the places get visibly better. */
const sweeps = 12;

/**
 * Draws boxes in rows as SVG, each below those that it comes from, as narrow as a page. `boxes` come in an order in which each follows
 * those. A line that a longer way over other boxes implies is left out. Colours come from the page's style.
 */
export function drawGraph(boxes: readonly Box[]): string {
  const boxById = new Map(boxes.map((box) => [box.id, box]));
  const lines = impliedLeftOut(boxes);
  const rowOf = rowsOf(boxes, lines);
  const rows: Place[][] = Array.from({length: 1 + Math.max(...rowOf.values())}, () => []);
  const places = new Map<string, Place>();
  for (const box of boxes) {
    const row = rowOf.get(box.id)!;
    const place = {id: box.id, width: widthOf(box), row, x: 0, above: [], below: []};
    rows[row]!.push(place);
    places.set(box.id, place);
  }
  for (const box of boxes)
    for (const from of lines.get(box.id)!) connect(places.get(from)!, places.get(box.id)!, rows);
  order(rows);
  spread(rows);
  const notes = Math.max(1, ...boxes.map((box) => box.notes.length));
  const height = boxHeight + notes * noteHeight;
  const top = (row: number) => 4 + row * (height + rowGap);
  const width = Math.ceil(Math.max(...rows.flat().map(({x, width: own}) => x + own / 2))) + 4;
  const shapes = boxes.map((box) => {
    const place = places.get(box.id)!;
    return `<g>${place.above.map((above) => path(above, place, boxById, {top, height})).join("")}${shape(box, place, {top, height})}</g>`;
  });
  const size = `width="${width}" height="${top(rows.length) - rowGap + 4}"`;
  return `<svg class="graph" ${size} viewBox="0 0 ${width} ${top(rows.length) - rowGap + 4}">${shapes.join("\n")}</svg>`;
}

function widthOf({id, notes}: Box): number {
  return 16 + Math.max(id.length * nameLetter, ...notes.map((note) => note.length * noteLetter));
}

/** The row of each box: below all from which lines come to it, and as near above its first reader as there is room. */
function rowsOf(boxes: readonly Box[], lines: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const rowOf = new Map<string, number>();
  const filled: number[] = [];
  const isFull = (row: number, box: Box) => (filled[row] ?? 0) + widthOf(box) > boxesWidth;
  const put = (box: Box, row: number) => {
    const left = rowOf.get(box.id);
    if (left !== undefined) filled[left]! -= widthOf(box) + gap;
    filled[row] = (filled[row] ?? 0) + widthOf(box) + gap;
    rowOf.set(box.id, row);
  };
  for (const box of boxes) {
    let row = 1 + Math.max(-1, ...lines.get(box.id)!.map((from) => rowOf.get(from)!));
    while (isFull(row, box)) row++;
    put(box, row);
  }
  for (const box of boxes.toReversed()) {
    const readers = boxes.filter(({id}) => lines.get(id)!.includes(box.id));
    if (lines.get(box.id)!.length > 0 || readers.length === 0) continue;
    let row = Math.min(...readers.map(({id}) => rowOf.get(id)!)) - 1;
    while (row > rowOf.get(box.id)! && isFull(row, box)) row--;
    put(box, row);
  }
  return rowOf;
}

/** For each box, the boxes from which a line is drawn: those that no other way reaches. */
function impliedLeftOut(boxes: readonly Box[]): Map<string, string[]> {
  const reached = new Map<string, Set<string>>();
  const lines = new Map<string, string[]>();
  for (const {id, from} of boxes) {
    const parents = from.filter((parent) => reached.has(parent));
    const isImplied = (parent: string) =>
      parents.some((other) => other !== parent && reached.get(other)!.has(parent));
    lines.set(
      id,
      parents.filter((parent) => !isImplied(parent)),
    );
    reached.set(id, new Set([...parents, ...parents.flatMap((parent) => [...reached.get(parent)!])]));
  }
  return lines;
}

/** Connects two boxes, over a place in each row between them. */
function connect(from: Place, to: Place, rows: Place[][]): void {
  let last = from;
  for (let row = from.row + 1; row < to.row; row++) {
    const passing = {id: "", width: 2, row, x: 0, above: [last], below: []};
    last.below.push(passing);
    rows[row]!.push(passing);
    last = passing;
  }
  last.below.push(to);
  to.above.push(last);
}

/** Orders each row by the middle of what its places are connected with, down and up in turn. */
function order(rows: Place[][]): void {
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isDown = sweep % 2 === 0;
    const at = new Map(
      rows.flatMap((row) => row.map((place, i) => [place, (i + 0.5) / row.length] as const)),
    );
    for (const row of isDown ? rows : rows.toReversed()) {
      const middles = new Map(
        row.map((place) => {
          const joined = isDown ? place.above : place.below;
          const sum = joined.reduce((total, other) => total + at.get(other)!, 0);
          return [place, joined.length === 0 ? at.get(place)! : sum / joined.length] as const;
        }),
      );
      row.sort((a, b) => middles.get(a)! - middles.get(b)!);
      row.forEach((place, i) => {
        at.set(place, (i + 0.5) / row.length);
      });
    }
  }
}

/** Gives each place the middle of what it is connected with, as far as its neighbours in the row leave room. */
function spread(rows: Place[][]): void {
  for (const row of rows) pushApart(row);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const row of isDown ? rows : rows.toReversed()) {
      for (const place of row) {
        const joined = isDown ? place.above : place.below;
        if (joined.length > 0) place.x = joined.reduce((sum, {x}) => sum + x, 0) / joined.length;
      }
      pushApart(row);
    }
  }
  const left = Math.min(...rows.flat().map(({x, width}) => x - width / 2)) - 4;
  for (const place of rows.flat()) place.x -= left;
}

/** Moves the places of a row as little as keeps their order and a gap between them, from the left edge on. */
function pushApart(row: readonly Place[]): void {
  let edge = 4;
  for (const place of row) {
    place.x = Math.max(place.x, edge + place.width / 2);
    edge = place.x + place.width / 2 + gapAfter(place);
  }
  const needed = row.reduce((sum, place) => sum + place.width + gapAfter(place), 4);
  let right = Math.max(pageWidth, needed);
  for (const place of row.toReversed()) {
    place.x = Math.min(place.x, right - place.width / 2);
    right = place.x - place.width / 2 - gapAfter(place);
  }
}

/** Lines may pass nearer to a box than another box stands. */
function gapAfter(place: Place): number {
  return place.id === "" ? gap / 2 : gap;
}

type Rows = {readonly top: (row: number) => number; readonly height: number};

/** The line that comes into a box, from the box where it begins, with a bend in each row that it passes. */
function path(above: Place, to: Place, drawn: ReadonlyMap<string, Box>, {top, height}: Rows): string {
  const points: [number, number][] = [[to.x, top(to.row)]];
  let place = above;
  while (!drawn.has(place.id)) {
    points.push([place.x, top(place.row) + height], [place.x, top(place.row)]);
    place = place.above[0]!;
  }
  points.push([place.x, top(place.row) + height]);
  const [first, ...rest] = points;
  let [lastX, lastY] = first!;
  const steps = rest.map(([x, y]) => {
    const middle = (lastY + y) / 2;
    const step = `C${[lastX, middle, x, middle, x, y].map(Math.round).join(" ")}`;
    [lastX, lastY] = [x, y];
    return step;
  });
  return `<path d="M${first!.map(Math.round).join(" ")}${steps.join("")}"/>`;
}

function shape({id, notes, href, title}: Box, {x, width, row}: Place, {top, height}: Rows): string {
  const [left, y] = [Math.round(x - width / 2), top(row)];
  const lines = notes.map(
    (note, i) =>
      `<text class="note" x="${Math.round(x)}" y="${y + boxHeight + 7 + i * noteHeight}">${htmlText(note)}</text>`,
  );
  return `<a href="${href}"><title>${htmlText(title)}</title><rect x="${left}" y="${y}" width="${Math.round(width)}" height="${height}" rx="4"/><text x="${Math.round(x)}" y="${y + 16}">${htmlText(id)}</text>${lines.join("")}</a>`;
}
