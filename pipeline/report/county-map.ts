import {countWords} from "../../lib/counts.ts";
import {type Atlas, polygonsOf, readAtlas} from "../../lib/geography/atlas.ts";
import {drawing, extent, figureText, legend, ticks} from "./drawing.ts";
import {htmlText} from "./html.ts";

/** The shade of a county: a number on a scale, or a named class. */
export type Shade<Value> = {readonly fips: string; readonly value: Value; readonly title: string};

/** The shade of a class, as a colour of CSS, and which values are of it. */
type Class<Value> = {
  readonly words: string;
  readonly shade: string;
  readonly holds: (value: Value) => boolean;
};

const size = {width: 975, height: 610};
/** Steps of the grid of points in a unit, finer than any screen shows. */
const grid = 10;
let atlas: Atlas | undefined;

/** Draws a map of US counties, edition 2017, with a legend; null if no county of the map has a shade. */
export function countyMap<Value>(
  shades: readonly Shade<Value>[],
  classesOf: (values: readonly Value[]) => readonly Class<Value>[],
): string | null {
  atlas ??= readAtlas("counties-albers-10m");
  const {counties, states} = atlas.objects;
  const outlines = new Map(counties.geometries.map((county) => [county.id, county]));
  const shaded = shades.filter(({fips}) => outlines.has(fips));
  if (shaded.length === 0) return null;
  const classes = classesOf(shaded.map(({value}) => value));
  const shapes = shaded.map(({fips, value, title}) => {
    const {shade} = classes.find(({holds}) => holds(value))!;
    const path = pathOf(polygonsOf(atlas!, outlines.get(fips)!).flat());
    return `<path class="county" style="--shade:${shade}" d="${path}"><title>${htmlText(title)}</title></path>`;
  });
  const land = pathOf(states.geometries.flatMap((state) => polygonsOf(atlas!, state).flat()));
  const said = `Map of US counties, ${countWords(shaded.length)} of them shaded`;
  const drawn = [`<g transform="scale(${1 / grid})"><path class="land" d="${land}"/>`, ...shapes, "</g>"];
  return legend(classes) + drawing(said, size, drawn);
}

/** Named classes, each in its colour. */
export function namedClasses(shades: Readonly<Record<string, string>>): () => Class<string>[] {
  return () =>
    Object.entries(shades).map(([words, shade]) => ({words, shade, holds: (value) => value === words}));
}

/** Classes between round numbers, from the style's colour of the least to that of the most. */
export function roundClasses(unit: string): (values: readonly number[]) => Class<number>[] {
  return (values) => {
    const [low, high] = extent(values);
    const bounds = ticks(low, high, 6).filter(
      (bound) => bound > Math.min(...values) && bound <= Math.max(...values),
    );
    const texts = bounds.map(figureText);
    return [...bounds, Infinity].map((above, i) => {
      const range =
        i === 0
          ? `under ${texts[0]}`
          : i === bounds.length
            ? `${texts.at(-1)} and more`
            : `${texts[i - 1]} to ${texts[i]}`;
      const part = Math.round((100 * i) / Math.max(1, bounds.length));
      return {
        words:
          bounds.length === 0 ? `${figureText(values[0]!)} ${unit}` : i === 0 ? `${unit}: ${range}` : range,
        shade: `color-mix(in oklch,var(--most) ${part}%,var(--least))`,
        // The first class that holds a value is its own.
        holds: (value) => value < above,
      };
    });
  };
}

/** Rings as an SVG path on the grid; steps of no length are left out, and rings that vanish so. */
function pathOf(rings: readonly number[][][]): string {
  return rings
    .map((ring) => {
      const points = ring.map((point) => point.map((at) => Math.round(at * grid)));
      const steps = points.slice(1).map(([x, y], i) => [x! - points[i]![0]!, y! - points[i]![1]!]);
      const seen = steps.filter(([right, down]) => right !== 0 || down !== 0);
      return seen.length < 3
        ? ""
        : `M${points[0]!.join(" ")}l${seen.flat().join(" ").replaceAll(" -", "-")}z`;
    })
    .join("");
}
