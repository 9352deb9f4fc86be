import {getDocumentProxy} from "unpdf";
import {messageOf, UserError} from "../../../../lib/errors.ts";
import type {ListTable, Piece} from "./list-tables.ts";

/** Pages that are read at most; a licence list has a few dozen. */
const mostPages = 1000;

/** A text of a page: where it begins and ends, how high it stands (points from below), and the size of its letters. */
type Text = Piece & {readonly y: number; readonly height: number};

/**
 * Gives the lines of a PDF with their pieces at their places. Throws a `UserError` for a file that is damaged or locked, for one
 * without text (a scan), and for more than 1000 pages.
 */
export async function pdfTable(bytes: Buffer, shown: string): Promise<ListTable> {
  const document = await getDocumentProxy(new Uint8Array(bytes), {verbosity: 0}).catch((error: unknown) => {
    throw new UserError(`${shown}: not a PDF that can be read: ${messageOf(error)}`);
  });
  try {
    if (document.numPages > mostPages)
      throw new UserError(`${shown}: ${document.numPages} pages came; at most ${mostPages} are read.`);
    const lines: Piece[][] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const {items} = await (await document.getPage(number)).getTextContent();
      lines.push(...linesOf(items.flatMap((item) => ("str" in item ? textOf(item) : []))));
    }
    if (lines.length === 0)
      throw new UserError(`${shown}: a PDF without text came, perhaps a scan; text was expected.`);
    return {name: "pages", kind: "page", isStrict: false, isPart: false, lines};
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${shown}: a page of the PDF cannot be read: ${messageOf(error)}`);
  } finally {
    await document.cleanup();
  }
}

type Item = {str: string; transform: number[]; width: number; height: number};

function textOf({str, transform, width, height}: Item): Text[] {
  const [, , , scale = 0, x = 0, y = 0] = transform;
  const size = height || Math.abs(scale);
  return str.trim() === "" ? [] : [{text: str.trim(), from: x, to: x + width, y, height: size}];
}

/** Lines from above to below: texts are of one line when their feet differ by less than half of a letter's height. */
function linesOf(texts: readonly Text[]): Piece[][] {
  const lines: Text[][] = [];
  for (const text of [...texts].sort((a, b) => b.y - a.y)) {
    const line = lines.at(-1);
    if (line !== undefined && Math.abs(line[0]!.y - text.y) < text.height / 2) line.push(text);
    else lines.push([text]);
  }
  return lines.map((line) => joined(line.sort((a, b) => a.from - b.from)));
}

/** Puts texts together that are no farther apart than the letters of a word or the words of a cell. */
function joined(line: readonly Text[]): Piece[] {
  const pieces: Piece[] = [];
  for (const {text, from, to, height} of line) {
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
