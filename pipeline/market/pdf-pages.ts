import {constants, inflateSync} from "node:zlib";
import {getDocumentProxy} from "unpdf";
import {messageOf, UserError} from "../../lib/errors.ts";
import {mostOutputBytes} from "../raw/document-reader.ts";

/** Pages that are read at most: a licence list has a few dozen, a market report ten. */
const mostPages = 1000;

/** A text of a page: where it begins and ends, how far its foot is from the top, and the height of its letters, in points. */
export type PageText = {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly height: number;
};

type Matrix = readonly [number, number, number, number, number, number];
type Item = {readonly str: string; readonly transform: readonly number[]; readonly width: number};

/**
 * Gives the texts of each page of a PDF as a reader sees them: upright, also where page or text is turned by a quarter, with
 * ligatures as their letters. Throws a `UserError` for a file that is damaged or locked, for one without text (a scan), and for more
 * than 1000 pages.
 */
export async function pdfPages(bytes: Buffer, shown: string): Promise<PageText[][]> {
  refuseBomb(bytes, shown);
  const document = await getDocumentProxy(new Uint8Array(bytes), {verbosity: 0}).catch((error: unknown) => {
    throw new UserError(`${shown}: not a PDF that can be read: ${messageOf(error)}`);
  });
  try {
    if (document.numPages > mostPages)
      throw new UserError(`${shown}: ${document.numPages} pages came; at most ${mostPages} are read.`);
    const pages: PageText[][] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const view = page.getViewport({scale: 1}).transform as unknown as Matrix;
      const {items} = await page.getTextContent();
      const texts = items.flatMap((item) => ("str" in item && item.str.trim() !== "" ? [item] : []));
      pages.push(
        upright(
          texts.map((item) => ({...item, transform: product(view, item.transform as unknown as Matrix)})),
        ),
      );
    }
    if (pages.every((page) => page.length === 0))
      throw new UserError(`${shown}: a PDF without text came, perhaps a scan; text was expected.`);
    return pages;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${shown}: a page of the PDF cannot be read: ${messageOf(error)}`);
  } finally {
    await document.cleanup();
  }
}

/**
 * Throws a `UserError` for a PDF whose packed streams hold more than their share of bytes. A stream that cannot be unpacked is left to
 * the reader.
 */
function refuseBomb(bytes: Buffer, shown: string): void {
  const most = mostOutputBytes(bytes.length);
  let total = 0;
  for (let at = bytes.indexOf("stream"); at !== -1; at = bytes.indexOf("stream", at + 6)) {
    const start = bytes[at + 6] === 13 ? at + 8 : at + 7;
    const end = bytes.indexOf("endstream", start);
    if (end === -1) return;
    total += unpackedLength(bytes.subarray(start, end), most);
    if (total > most)
      throw new UserError(
        `${shown}: its streams unpack to more than ${most} bytes, and the PDF has ${bytes.length}.`,
      );
    at = end + 3;
  }
}

/** The bytes of a packed stream, at most one more than `most`; 0 for one that is not packed by zlib. */
function unpackedLength(packed: Buffer, most: number): number {
  try {
    return inflateSync(packed, {maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH}).length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? most + 1 : 0;
  }
}

/** The texts of lines: those whose feet differ by less than half of a letter's height, from left to right. */
export function linesOfPage(texts: readonly PageText[]): PageText[][] {
  const lines: PageText[][] = [];
  for (const text of [...texts].sort((a, b) => a.y - b.y)) {
    const line = lines.at(-1);
    if (line !== undefined && Math.abs(line[0]!.y - text.y) < text.height / 2) line.push(text);
    else lines.push([text]);
  }
  return lines.map((line) => line.sort((a, b) => a.from - b.from));
}

/** The transformation that does `inner` first (PDF 32000-1:2008, section 8.3.4). */
function product(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Turns a page so that most of its letters run from left to right. */
function upright(items: readonly Item[]): PageText[] {
  const quarters = items.map(
    ({transform: [a = 1, b = 0]}) => Math.round(Math.atan2(b, a) / (Math.PI / 2)) & 3,
  );
  const most = [0, 1, 2, 3].reduce((best, quarter) =>
    lettersOf(items, quarters, quarter) > lettersOf(items, quarters, best) ? quarter : best,
  );
  return items.flatMap(({str, transform, width}, index) => {
    if (quarters[index] !== most) return [];
    const [, , c = 0, d = 0, x = 0, y = 0] = transform;
    const [from, foot] = turned(x, y, most);
    return {
      text: str.normalize("NFKC"),
      from,
      to: from + width,
      y: foot,
      height: Math.hypot(c, d),
    };
  });
}

function lettersOf(items: readonly Item[], quarters: readonly number[], quarter: number): number {
  return items.reduce((sum, {str}, index) => sum + (quarters[index] === quarter ? str.length : 0), 0);
}

/** A point on a page that is turned back by quarters. */
function turned(x: number, y: number, quarters: number): [number, number] {
  if (quarters === 1) return [y, -x];
  if (quarters === 2) return [-x, -y];
  return quarters === 3 ? [-y, x] : [x, y];
}
