import {countWords} from "../../lib/counts.ts";
import {visibleText} from "../../lib/text/visible-text.ts";

/** A table cell: a number, text, or text with a class. */
export type Cell = string | number | {readonly text: string; readonly className: string};

/** A section of the page: a chart, if there is something to draw, and its table. */
export type Section = {
  readonly id: string;
  readonly heading: string;
  /** One sentence that describes the chart, with units. */
  readonly caption: string;
  /** The chart as HTML; null if there is none. */
  readonly plot: string | null;
  /** The table as HTML; null if it would have no row. */
  readonly table: string | null;
  /** True for a collapsed table. */
  readonly folded?: boolean;
};

/** Escapes text for HTML; characters that would act on the page's text are shown as symbols. */
export function htmlText(text: string): string {
  return visibleText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Light and dark follow the reader's system. */
const style = `:root{color-scheme:light dark;--ink:#212529;--soft:#495057;--line:#868e96;--rule:#dee2e6;--box:#f1f3f5;--link:#364fc7;--bad:#a00;--warn:#8a4b00;--good:#2b8a3e;--paper:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#e9ecef;--soft:#adb5bd;--rule:#343a40;--box:#212529;--link:#91a7ff;--bad:#ff8787;--warn:#ffc078;--good:#69db7c;--paper:#141517}}
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:1.5rem auto;padding:0 1rem;color:var(--ink);background:var(--paper)}a{color:var(--link)}
h1{font-size:clamp(1.4rem,5vw,2rem);line-height:1.25}h2{margin:2.5rem 0 .5rem}nav ul{columns:15rem;column-gap:2rem;padding-left:1.2rem}figure{margin:.5rem 0}figcaption{color:var(--soft);max-width:46rem}
svg{max-width:100%;height:auto}.wide{overflow-x:auto}table{border-collapse:collapse;margin:.5rem 0;font-size:.9rem}
caption{text-align:left;color:var(--soft);padding:.3rem 0}th,td{border-bottom:1px solid var(--rule);padding:.2rem .7rem;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.fail,.held{color:var(--bad)}.warn{color:var(--warn)}
.verdict{overflow-wrap:anywhere}
.verdict{font-size:1.15rem;border-left:.4rem solid var(--good);padding:.4rem 1rem;background:var(--box)}.verdict.bad{border-color:var(--bad)}.verdict.warn{border-color:var(--warn)}
summary{cursor:pointer;color:var(--link)}`;

/** Renders a page without scripts; `more` are rules beside the common ones. */
export function htmlPage(title: string, body: string, more = ""): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${htmlText(title)}</title><style>${style}
${more}</style></head><body>
<h1>${htmlText(title)}</h1>
${body}
</body></html>
`;
}

/** Renders a table, with a caption for screen readers; columns with only figures (or "-") are right-aligned. */
export function htmlTable(
  caption: string,
  columns: readonly string[],
  rows: readonly Cell[][],
  empty = "None.",
): string {
  if (rows.length === 0) return `<p>${htmlText(empty)}</p>`;
  const numeric = columns.map((_, i) => rows.every((row) => isFigure(row[i])));
  const head = columns
    .map((name, i) => `<th scope="col"${numeric[i] ? ' class="n"' : ""}>${htmlText(name)}</th>`)
    .join("");
  const body = rows
    .map((row) => `<tr>${row.map((value, i) => htmlCell(value, numeric[i] === true)).join("")}</tr>`)
    .join("\n");
  return `<div class="wide"><table><caption>${htmlText(caption)}</caption><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div>`;
}

/** Renders a section with heading, caption, chart and table. */
export function htmlSection({id, heading, caption, plot, table, folded}: Section): string {
  const figure =
    plot === null
      ? `<p>${htmlText(caption)}</p>`
      : `<figure>${plot}<figcaption>${htmlText(caption)}</figcaption></figure>`;
  const shown =
    folded && table !== null
      ? `<details><summary>The figures as a table</summary>${table}</details>`
      : (table ?? "");
  return `<section id="${id}"><h2>${htmlText(heading)}</h2>${figure}${shown}</section>`;
}

function isFigure(value: Cell | undefined): boolean {
  return (
    typeof value === "number" || (typeof value === "string" && /^(-|[+-]?\d[\d,]*(\.\d+)?)$/.test(value))
  );
}

function htmlCell(value: Cell, numeric: boolean): string {
  if (typeof value === "number") return `<td class="n">${countWords(value)}</td>`;
  if (typeof value === "string") return `<td${numeric ? ' class="n"' : ""}>${htmlText(value)}</td>`;
  return `<td class="${value.className}">${htmlText(value.text)}</td>`;
}
