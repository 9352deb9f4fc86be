import {linesOfPage, type PageText, pdfPages} from "./pdf-pages.ts";

/** A word, or words separated by single spaces, with its left and right edge. */
type Run = {readonly text: string; readonly from: number; readonly to: number};

/**
 * Lays out a PDF as `pdftotext -layout` would: one line per line, a form feed between pages, and each run of words in the
 * column of its place on the page. Throws a `ReportError` as `pdfPages` does.
 */
export async function pdfLayout(bytes: Buffer, maxBytes: number): Promise<string> {
  const pages = await pdfPages(bytes, maxBytes);
  const letter = letterWidth(pages.flat());
  return pages.map((page) => pageText(page, letter)).join("\n\f");
}

function pageText(page: readonly PageText[], letter: number): string {
  const left = Math.min(...page.map(({from}) => from));
  const moved = page.map((text) => ({...text, from: text.from - left, to: text.to - left}));
  return linesOfPage(moved)
    .map((line) => renderLine(runsOf(line), letter))
    .join("\n");
}

/** Character width in points, taken from the tenth percentile so that nine tenths of all texts fit. */
function letterWidth(texts: readonly PageText[]): number {
  const widths = texts
    .filter(({text}) => text.length > 2)
    .map(({text, from, to}) => (to - from) / text.length)
    .sort((a, b) => a - b);
  return Math.max(widths[Math.floor(widths.length / 10)] ?? 5, 1);
}

/** Joins neighbouring texts of one cell, and splits texts at runs of several spaces. */
function runsOf(line: readonly PageText[]): Run[] {
  const runs: Run[] = [];
  for (const {text, from, to, height} of line.flatMap(splitAtGaps)) {
    const last = runs.at(-1);
    const gap = last === undefined ? Number.POSITIVE_INFINITY : from - last.to;
    if (last === undefined || gap > height * 0.9) runs.push({text, from, to});
    else
      runs.splice(-1, 1, {text: `${last.text}${gap > height * 0.12 ? " " : ""}${text}`, from: last.from, to});
  }
  return runs;
}

/** Splits a text at runs of spaces, placing each part as if all characters were equally wide. */
function splitAtGaps({text, from, to, y, height}: PageText): PageText[] {
  const width = (to - from) / text.length;
  return [...text.matchAll(/\S+(?: \S+)*/g)].map((match) => ({
    ...{text: match[0], y, height},
    from: from + match.index * width,
    to: from + (match.index + match[0].length) * width,
  }));
}

/** Prints each run centred on its place, separated by at least two spaces. */
function renderLine(runs: readonly Run[], letter: number): string {
  return runs.reduce((line, {text, from, to}) => {
    const column = Math.round((from + to) / 2 / letter - text.length / 2);
    return line.padEnd(line === "" ? Math.max(column, 0) : Math.max(column, line.length + 2)) + text;
  }, "");
}
