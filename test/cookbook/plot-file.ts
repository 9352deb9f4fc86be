import * as Plot from "@observablehq/plot";
import {parseHTML} from "linkedom";

/** What to plot from the rows of an answer, by column name. */
export type PlotRequest = {
  readonly kind: "lines" | "bars";
  /** Column that splits the rows into lines. */
  readonly line?: string;
  readonly x: string;
  readonly y: string;
  /** The unit of `y`. */
  readonly unit: string;
};

type Row = Readonly<Record<string, unknown>>;

const {document} = parseHTML("<!doctype html><html><body></body></html>");
const shared = {document, width: 640, style: {background: "white", color: "#212529", fontSize: "14px"}};

/** The rows as an SVG file with a white background, so that it is legible on a dark page too. */
export function plotFile(rows: readonly Row[], request: PlotRequest): string {
  const drawing = request.kind === "lines" ? lines(rows, request) : bars(rows, request);
  const svg = drawing.outerHTML.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
  return `${svg.replaceAll(/(\d\.\d\d)\d+/g, "$1")}\n`;
}

function lines(rows: readonly Row[], {line = "", x, y, unit}: PlotRequest) {
  const points = rows.map((row) => ({line: String(row[line]), x: placeOf(row[x]), y: Number(row[y])}));
  const isTime = points[0]!.x instanceof Date;
  return Plot.plot({
    ...shared,
    height: 360,
    marginTop: 36,
    marginLeft: 60,
    marginRight: 50,
    marginBottom: isTime ? 40 : 64,
    x: {label: null, ...(isTime ? {type: "utc"} : {tickRotate: -35})},
    y: {label: unit, grid: true, nice: true, labelOffset: 34},
    marks: [
      Plot.lineY(points, {x: "x", y: "y", stroke: "line", strokeWidth: 2}),
      Plot.dot(points, {x: "x", y: "y", fill: "line", r: 2.5}),
      Plot.text(namesOf(points), {x: "x", y: "y", text: "line", textAnchor: "start", dx: 8}),
    ],
  });
}

type Point = {readonly line: string; readonly x: Date | string; readonly y: number};

/** The last point of each line, moved up if its label would overlap another line's. */
function namesOf(points: readonly Point[]): Point[] {
  const heights = points.map(({y}) => y);
  const gap = (Math.max(...heights) - Math.min(...heights)) * 0.06;
  const ends = [...new Map(points.map((point) => [point.line, point])).values()].sort((a, b) => a.y - b.y);
  let lowest = Number.NEGATIVE_INFINITY;
  return ends.map((end) => {
    const y = Math.max(end.y, lowest);
    lowest = y + gap;
    return {...end, y};
  });
}

function bars(rows: readonly Row[], {x, y, unit}: PlotRequest) {
  const named = rows.map((row) => ({x: String(row[x]), y: Number(row[y])}));
  return Plot.plot({
    ...shared,
    height: 80 + named.length * 26,
    marginLeft: 20 + Math.max(...named.map((row) => row.x.length)) * 9,
    marginRight: 40,
    marginBottom: 54,
    x: {label: unit, grid: true, nice: true, labelOffset: 46},
    y: {label: null, domain: named.map((row) => row.x)},
    marks: [Plot.barX(named, {x: "y", y: "x", fill: "#4269d0"}), Plot.ruleX([0])],
  });
}

/** A day as a Date, else the text of a class. */
function placeOf(value: unknown): Date | string {
  const text = String(value);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : text;
}
