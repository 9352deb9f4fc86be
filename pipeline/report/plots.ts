import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import type {PlotOptions} from "@observablehq/plot";
import type {Feature} from "geojson";
import {feature, mesh} from "topojson-client";
import type {GeometryCollection, Topology} from "topojson-specification";

/** A bar: its label, its length, and optionally a reference length, drawn as a tick. */
export type Bar = {readonly label: string; readonly value: number; readonly before?: number};

/** A point of a line. */
export type Step = {readonly line: string; readonly day: string; readonly value: number};

/** The shade of a county: a number on a scale, or a named class. */
export type Shade = {readonly fips: string; readonly value: number | string; readonly title: string};

type Library = typeof import("@observablehq/plot");
type Atlas = Topology<{counties: GeometryCollection; states: GeometryCollection}>;

/** Width in drawing units, scaled to the screen by the page: on a 390 px phone the text has 11 px. */
const width = 520;
const textStyle = {fontSize: "16px"};
/** Maximum widths of a capital and of any other character at that size. */
const capitalWidth = 12;
const otherWidth = 9.5;
/** Distance from the axis to its label, beyond the numbers. */
const nameOffset = 44;

/** Draws the report's charts as SVG without a browser; they need no scripts. */
export class Plots {
  readonly #library: Library;
  readonly #document: PlotOptions["document"];
  #atlas: Atlas | null = null;

  private constructor(library: Library, document: PlotOptions["document"]) {
    this.#library = library;
    this.#document = document;
  }

  /** Loads the drawing library, which takes most of a second. */
  static async load(): Promise<Plots> {
    const [library, {parseHTML}] = await Promise.all([import("@observablehq/plot"), import("linkedom")]);
    return new Plots(library, parseHTML("<!doctype html><html><body></body></html>").document);
  }

  /** Draws horizontal bars in the given order; null for none. `limit` is a line across all of them. */
  bars(bars: readonly Bar[], {unit, limit}: {unit: string; limit?: number}): string | null {
    if (bars.length === 0) return null;
    const {barX, tickX, ruleX, axisX, text} = this.#library;
    const longest = Math.max(...bars.map(({label}) => widthOf(label)));
    const figures = bars.map((bar) => ({...bar, figure: figureText(bar.value)}));
    const end = Math.max(...bars.map(({value, before}) => Math.max(value, before ?? 0)), limit ?? 0);
    return this.#svg({
      width,
      style: textStyle,
      height: 90 + bars.length * 28,
      // The longest source id takes two thirds of the chart; the bars get the rest.
      marginLeft: Math.min((2 * width) / 3, 18 + longest),
      marginRight: 20 + Math.max(...figures.map(({figure}) => widthOf(figure))),
      marginBottom: 56,
      x: {label: unit, grid: true, domain: [0, end === 0 ? 1 : end], labelOffset: nameOffset},
      y: {label: null, domain: bars.map(({label}) => label)},
      marks: [
        axisX({ticks: 3, labelOffset: nameOffset, label: unit}),
        barX(bars, {x: "value", y: "label", fill: "#4269d0"}),
        tickX(
          bars.filter(({before}) => before !== undefined),
          {x: "before", y: "label", stroke: "#d9480f", strokeWidth: 3},
        ),
        text(figures, {x: "value", y: "label", text: "figure", textAnchor: "start", dx: 8}),
        ruleX(limit === undefined ? [0] : [0, limit]),
      ],
    });
  }

  /** Draws lines over days, with a legend; null for no points. */
  lines(steps: readonly Step[], unit: string): string | null {
    if (steps.length === 0) return null;
    const {lineY, dot} = this.#library;
    const points = steps.map((step) => ({...step, date: new Date(`${step.day}T00:00:00Z`)}));
    return this.#svg({
      width,
      style: textStyle,
      height: 380,
      marginTop: 44,
      marginLeft: 56,
      marginBottom: 60,
      color: {legend: true},
      x: {type: "utc", label: null, ticks: 5},
      y: {label: unit, grid: true, labelOffset: nameOffset},
      marks: [
        lineY(points, {x: "date", y: "value", stroke: "line", strokeWidth: 2}),
        dot(points, {x: "date", y: "value", fill: "line", r: 2.5}),
      ],
    });
  }

  /** Draws a map of US counties, edition 2017; null if no county of the map has a shade. */
  counties(shades: readonly Shade[], colour: PlotOptions["color"]): string | null {
    const atlas = this.#counties();
    const byFips = new Map(shades.map((shade) => [shade.fips, shade]));
    const {geometries} = atlas.objects.counties;
    const shaded = geometries
      .filter(({id}) => byFips.has(String(id)))
      .map((county) => feature(atlas, county));
    if (shaded.length === 0) return null;
    const shadeOf = ({id}: Feature) => byFips.get(String(id))!;
    const {geo} = this.#library;
    return this.#svg({
      width: 975,
      height: 610,
      style: {fontSize: "20px"},
      projection: {type: "identity"},
      color: {legend: true, ...colour},
      marks: [
        geo(feature(atlas, atlas.objects.states), {fill: "#f1f3f5"}),
        geo(shaded, {
          fill: (county: Feature) => shadeOf(county).value,
          title: (county: Feature) => shadeOf(county).title,
          stroke: "#343a40",
          strokeWidth: 0.4,
        }),
        geo(mesh(atlas, atlas.objects.states), {stroke: "#868e96", strokeWidth: 0.6}),
      ],
    });
  }

  #counties(): Atlas {
    const path = createRequire(import.meta.url).resolve("us-atlas/counties-albers-10m.json");
    this.#atlas ??= JSON.parse(readFileSync(path, "utf8")) as Atlas;
    return this.#atlas;
  }

  /** Returns the drawing as HTML. Paths are rounded to a tenth of a unit, finer than any screen shows. */
  #svg(options: PlotOptions): string {
    const drawing = this.#library.plot({...options, document: this.#document});
    return drawing.outerHTML.replaceAll(/ d="[^"]*"/g, (path: string) =>
      path.replaceAll(/(\d\.\d)\d+/g, "$1"),
    );
  }
}

/** Formats a figure with at most two decimals and thousands separators. */
function figureText(value: number): string {
  return value.toLocaleString("en-US", {maximumFractionDigits: 2});
}

/** Estimates the width of a text. */
function widthOf(text: string): number {
  const capitals = text.match(/[A-Z]/g)?.length ?? 0;
  return capitals * capitalWidth + (text.length - capitals) * otherWidth;
}
