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
