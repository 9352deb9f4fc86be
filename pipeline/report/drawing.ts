import {htmlText} from "./html.ts";

/** Maximum widths of a capital and of any other character at the size of a chart's text. */
const capitalWidth = 12;
const otherWidth = 9.5;

/** The rules that charts add to the style of a page, whose other colours are variables there. `--shade` is the colour of what it is set on. */
export const chartStyle = `:root{--bar:#4269d0;--mark:#d9480f;--line1:#364fc7;--line2:#b35c00;--line3:#d6336c;--line4:#0b7285;--line5:#2b8a3e;--line6:#862e9c;--least:#d9f0a3;--most:#0c2c84;--whole:#2b8a3e;--extract:#8ce99a}
@media (prefers-color-scheme:dark){:root{--bar:#5c7cfa;--mark:#ffa94d;--line1:#91a7ff;--line2:#ffc078;--line3:#faa2c1;--line4:#66d9e8;--line5:#8ce99a;--line6:#e599f7;--least:#1c5d7a;--most:#ffec99;--whole:#69db7c;--extract:#2b6b3a}}
.chart{font:16px system-ui,sans-serif;fill:var(--ink)}.chart .grid{stroke:var(--rule)}.axis{stroke:var(--line)}.mark{stroke:var(--mark);stroke-width:3}.bar{fill:var(--bar)}.line{fill:none;stroke:var(--shade);stroke-width:2}.dot,.county{fill:var(--shade)}
.land{fill:var(--box);stroke:var(--line)}.county{stroke:var(--ink)}.land,.county{stroke-width:.6px;vector-effect:non-scaling-stroke}
.legend{display:flex;flex-wrap:wrap;gap:0 1rem;padding:0;margin:.3rem 0;list-style:none;font-size:.9rem}.legend li::before{content:"";display:inline-block;width:.9em;height:.9em;margin-right:.4em;background:var(--shade);border:1px solid var(--line)}`;

/** Encloses shapes as SVG; `said` is the picture in words. */
export function drawing(
  said: string,
  size: {width: number; height: number},
  shapes: readonly string[],
): string {
  const box = `viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}"`;
  return `<svg class="chart" ${box} role="img" aria-label="${htmlText(said)}">${shapes.join("")}</svg>`;
}

/** A legend as a list; `shade` is a colour of CSS. */
export function legend(entries: readonly {readonly words: string; readonly shade: string}[]): string {
  const items = entries.map(({words, shade}) => `<li style="--shade:${shade}">${htmlText(words)}</li>`);
  return `<ul class="legend">${items.join("")}</ul>`;
}

export function textAt(x: number, y: number, text: string, anchor: "start" | "middle" | "end"): string {
  return `<text x="${tenths(x)}" y="${tenths(y)}" text-anchor="${anchor}">${htmlText(text)}</text>`;
}

/** A line across the chart at `x`. */
export function vertical(kind: string, x: number, from: number, to: number): string {
  return `<path class="${kind}" d="M${tenths(x)} ${from}V${to}"/>`;
}

/** Rounds to a tenth of a unit, finer than any screen shows. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The round numbers from `low` to `high`, 1, 2 or 5 times a power of ten apart; `most` steps at most. */
export function ticks(low: number, high: number, most: number): number[] {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough)!;
  const first = Math.ceil(low / step);
  return Array.from({length: Math.floor(high / step) - first + 1}, (_, i) => (first + i) * step);
}

/** Estimates the width of a text. */
export function widthOf(text: string): number {
  const capitals = text.match(/[A-Z]/g)?.length ?? 0;
  return capitals * capitalWidth + (text.length - capitals) * otherWidth;
}

/** Lowest and highest value; a single value lies in the middle. */
export function extent(values: readonly number[]): [low: number, high: number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? [low - 1, high + 1] : [low, high];
}

/** Formats a figure with at most two decimals and thousands separators. */
export function figureText(value: number): string {
  return value.toLocaleString("en-US", {maximumFractionDigits: 2});
}
