import {linesOfPage, type PageText, pdfPages} from "../../pdf-pages.ts";
import type {ListTable, Piece} from "./list-tables.ts";

/** Gives the lines of a PDF with their pieces at their places. Throws a `UserError` as `pdfPages` does. */
export async function pdfTable(bytes: Buffer, shown: string): Promise<ListTable> {
  const lines = (await pdfPages(bytes, shown)).flatMap((page) => linesOfPage(page).map(joined));
  return {name: "pages", kind: "page", isStrict: false, isPart: false, lines};
}

/** Puts texts together that are no farther apart than the letters of a word or the words of a cell. */
function joined(line: readonly PageText[]): Piece[] {
  const pieces: Piece[] = [];
  for (const {text: whole, from, to, height} of line) {
    const text = whole.trim();
    const last = pieces.at(-1);
    const gap = last === undefined ? Number.POSITIVE_INFINITY : from - last.to;
    if (last === undefined || gap > height * 0.8) pieces.push({text, from, to});
    else
      pieces.splice(-1, 1, {
        text: `${last.text}${gap > height * 0.1 ? " " : ""}${text}`,
        from: last.from,
        to,
      });
  }
  return pieces;
}
