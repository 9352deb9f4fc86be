// Line and point charts, drawn by uPlot; each has its figures as a table beside it.
import {element, paragraph, section, table} from "./dom.js";
import uPlot from "./uPlot.esm.js";

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A chart with a sentence for those who do not see it, and its figures in a table to open. */
export function chart({title, summary, unit, x, xWords, series, rows}) {
  const plot = element("div", {role: "img", "aria-label": `${title}. ${summary}`});
  const figures = element("details", {}, element("summary", {}, "Figures"), table(title, rows));
  const axis = {stroke: color("--soft"), grid: {stroke: color("--line"), width: 1}, ticks: {stroke: color("--line")}};
  const size = () => ({width: Math.max(220, plot.clientWidth), height: 240});
  // Drawn when the card has its width.
  requestAnimationFrame(() => {
    const lines = series.map(({label, mark, points, isBare}) => ({
      label,
      stroke: color(mark),
      width: points ? 0 : 2,
      paths: points ? () => null : undefined,
      points: {show: !isBare, size: 7, fill: color(mark)},
      value: () => "",
    }));
    const options = {
      ...size(),
      cursor: {show: false},
      legend: {show: series.length > 1, live: false},
      scales: {x: {time: false}},
      axes: [
        {...axis, values: (_, ticks) => ticks.map(xWords), space: 60},
        {...axis, label: unit, labelSize: 18, size: 56},
      ],
      series: [{label: "lb"}, ...lines],
    };
    const drawn = new uPlot(options, [x, ...series.map(({values}) => values)], plot);
    new ResizeObserver(() => drawn.setSize(size())).observe(plot);
  });
  return section(title, paragraph("note", summary), plot, figures);
}
