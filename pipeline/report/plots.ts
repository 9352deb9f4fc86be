import {drawing, extent, figureText, legend, tenths, textAt, ticks, vertical, widthOf} from "./drawing.ts";
import {htmlText} from "./html.ts";

/** A bar: its label, its length, and optionally a reference length, drawn as a tick. */
export type Bar = {readonly label: string; readonly value: number; readonly before?: number};

/** A point of a line. */
export type Step = {readonly line: string; readonly day: string; readonly value: number};

/** Width in drawing units, scaled to the screen by the page: on a 390 px phone the text has 11 px. */
const width = 520;
const [barTop, barStep] = [12, 28];
const [lineTop, lineBottom, lineRight, lineHeight] = [44, 320, width - 32, 380];
const mostDays = 5;
const dayMs = 86_400_000;

/** Draws horizontal bars in the given order; null for none. `limit` is a line across all of them. */
export function barChart(bars: readonly Bar[], {unit, limit}: {unit: string; limit?: number}): string | null {
  if (bars.length === 0) return null;
  const figures = bars.map(({value}) => figureText(value));
  // The longest source id takes two thirds of the chart; the bars get the rest.
  const left = Math.min((2 * width) / 3, 18 + Math.max(...bars.map(({label}) => widthOf(label))));
  const length = width - 20 - Math.max(...figures.map(widthOf)) - left;
  const longest = Math.max(limit ?? 0, ...bars.flatMap(({value, before}) => [value, before ?? 0])) || 1;
  const at = (value: number) => left + (value / longest) * length;
  const bottom = barTop + bars.length * barStep;
  const rows = bars.map(({label, value, before}, i) => {
    const y = barTop + i * barStep;
    const title = `${label}: ${figures[i]} ${unit}${before === undefined ? "" : `, before ${figureText(before)}`}`;
    return `<g><title>${htmlText(title)}</title>${textAt(left - 8, y + 20, label, "end")}
<rect class="bar" x="${tenths(left)}" y="${y + 2}" width="${tenths(at(value) - left)}" height="${barStep - 4}"/>
${before === undefined ? "" : vertical("mark", at(before), y + 2, y + barStep - 2)}${textAt(at(value) + 8, y + 20, figures[i]!, "start")}</g>`;
  });
  const scale = ticks(0, longest, Math.min(3, Math.ceil(length / 80)));
  const said = `Bars, ${unit}: ${bars.map(({label}, i) => `${label} ${figures[i]}`).join("; ")}`;
  return drawing(said, {width, height: bottom + 60}, [
    ...scale.map((tick) => vertical("grid", at(tick), barTop, bottom + 6)),
    ...scale.map((tick) => textAt(at(tick), bottom + 24, figureText(tick), "middle")),
    ...rows,
    ...[0, ...(limit === undefined ? [] : [limit])].map((value) =>
      vertical("axis", at(value), barTop, bottom),
    ),
    textAt(width - 2, bottom + 52, `${unit} →`, "end"),
  ]);
}

/** Draws lines over days, with a legend; null for no points. */
export function lineChart(steps: readonly Step[], unit: string): string | null {
  if (steps.length === 0) return null;
  const [low, high] = extent(steps.map(({value}) => value));
  const [first, last] = extent(steps.map(({day}) => Date.parse(day) / dayMs));
  const scale = ticks(low, high, 8);
  const left = 20 + Math.max(...scale.map((tick) => widthOf(figureText(tick))));
  const x = (day: string) =>
    tenths(left + ((Date.parse(day) / dayMs - first) / (last - first)) * (lineRight - left));
  const y = (value: number) => tenths(lineBottom - ((value - low) / (high - low)) * (lineBottom - lineTop));
  const days = [...new Set(steps.map(({day}) => day))].sort();
  const apart = Math.ceil(days.length / mostDays);
  const named = days.filter((_, i) => (days.length - 1 - i) % apart === 0);
  const names = [...new Set(steps.map(({line}) => line))];
  const shades = names.map((words, i) => ({words, shade: `var(--line${i + 1})`}));
  const lines = shades.map(({words, shade}) => {
    const points = steps.filter(({line}) => line === words);
    const dots = points.map(
      ({day, value}) =>
        `<circle class="dot" cx="${x(day)}" cy="${y(value)}" r="3"><title>${htmlText(`${words}, ${day}: ${figureText(value)} ${unit}`)}</title></circle>`,
    );
    const path = points.map(({day, value}) => `${x(day)},${y(value)}`).join(" ");
    return `<g style="--shade:${shade}"><polyline class="line" points="${path}"/>${dots.join("")}</g>`;
  });
  const said = `Lines, ${unit}, from ${days[0]} to ${days.at(-1)}: ${names.join(", ")}`;
  const chart = drawing(said, {width, height: lineHeight}, [
    ...scale.map((tick) => `<path class="grid" d="M${left} ${y(tick)}H${lineRight}"/>`),
    ...scale.map((tick) => textAt(left - 8, y(tick) + 6, figureText(tick), "end")),
    ...named.map((day) => vertical("axis", x(day), lineBottom + 4, lineBottom + 10)),
    ...named.map((day) => textAt(x(day), lineBottom + 28, monthAndDay(day), "middle")),
    ...named
      .filter((day, i) => named[i - 1]?.slice(0, 4) !== day.slice(0, 4))
      .map((day) => textAt(x(day), lineBottom + 50, day.slice(0, 4), "middle")),
    ...lines,
    textAt(0, 20, `↑ ${unit}`, "start"),
  ]);
  return legend(shades) + chart;
}

function monthAndDay(day: string): string {
  return new Date(day).toLocaleDateString("en-US", {timeZone: "UTC", month: "short", day: "numeric"});
}
