import {constants, inflateSync} from "node:zlib";
import {ReportError} from "./report-error.ts";

/** Maximum number of pages: a licence list has a few dozen, a market report ten. */
const maxPages = 1000;

/** A text of a page, in points: its left and right edge, its baseline from the top of the page, and its font height. */
export type PageText = {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly height: number;
};

type Matrix = readonly [number, number, number, number, number, number];
type Item = {readonly str: string; readonly transform: Matrix; readonly width: number};

/**
 * The texts of each page of a PDF as a person sees them: upright even where page or text is rotated by a quarter turn,
 * ligatures as separate letters. Throws a `ReportError` for a damaged or locked file, one without text (a scan), more than 1000 pages,
 * and streams that unpack to more than `maxBytes`.
 */
export async function pdfPages(bytes: Buffer, maxBytes: number): Promise<PageText[][]> {
  refuseBomb(bytes, maxBytes);
  const {getDocumentProxy} = await import("unpdf");
  const document = await getDocumentProxy(new Uint8Array(bytes), {verbosity: 0}).catch((error: unknown) => {
    throw new ReportError(`not a PDF that can be read: ${(error as Error).message}`);
  });
  try {
    if (document.numPages > maxPages)
      throw new ReportError(`${document.numPages} pages; at most ${maxPages} are read.`);
    const pages: PageText[][] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const view = page.getViewport({scale: 1}).transform as unknown as Matrix;
      const {items} = await page.getTextContent();
      const texts = items.flatMap((item) => ("str" in item && item.str.trim() !== "" ? [item] : []));
      pages.push(
        upright(
          texts.map((item) => ({...item, transform: multiply(view, item.transform as unknown as Matrix)})),
        ),
      );
    }
    if (pages.every((page) => page.length === 0))
      throw new ReportError("the PDF has no text; it may be a scan.");
    return pages;
  } catch (error) {
    if (error instanceof ReportError) throw error;
    throw new ReportError(`a page of the PDF cannot be read: ${(error as Error).message}`);
  } finally {
    await document.cleanup();
  }
}

/**
 * Throws a `ReportError` if the compressed streams of a PDF expand beyond the limit (a decompression bomb). Streams that zlib cannot
 * inflate are left to the reader.
 */
function refuseBomb(bytes: Buffer, limit: number): void {
  let total = 0;
  for (let at = bytes.indexOf("stream"); at !== -1; at = bytes.indexOf("stream", at + 6)) {
    const start = bytes[at + 6] === 13 ? at + 8 : at + 7;
    const end = bytes.indexOf("endstream", start);
    if (end === -1) return;
    total += unpackedLength(bytes.subarray(start, end), limit);
    if (total > limit)
      throw new ReportError(
        `its streams unpack to more than ${limit} bytes, and the PDF has ${bytes.length}.`,
      );
    at = end + 3;
  }
}

/** The inflated size of a stream, at most `limit` + 1; 0 if zlib cannot inflate it. */
function unpackedLength(packed: Buffer, limit: number): number {
  try {
    return inflateSync(packed, {maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH}).length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? limit + 1 : 0;
  }
}

/** Groups texts into lines: those whose baselines differ by less than half a font height, each from left to right. */
export function linesOfPage(texts: readonly PageText[]): PageText[][] {
  const lines: PageText[][] = [];
  for (const text of [...texts].sort((a, b) => a.y - b.y)) {
    const line = lines.at(-1);
    if (line !== undefined && Math.abs(line[0]!.y - text.y) < text.height / 2) line.push(text);
    else lines.push([text]);
  }
  return lines.map((line) => line.sort((a, b) => a.from - b.from));
}

/** The matrix that applies `inner` first (PDF 32000-1:2008, section 8.3.4). */
function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Rotates a page so that most letters run from left to right, and drops texts in other directions. */
function upright(items: readonly Item[]): PageText[] {
  const quarters = items.map(({transform: [a, b]}) => Math.round(Math.atan2(b, a) / (Math.PI / 2)) & 3);
  const dominant = [0, 1, 2, 3].reduce((best, quarter) =>
    lettersOf(items, quarters, quarter) > lettersOf(items, quarters, best) ? quarter : best,
  );
  return items.flatMap(({str, transform, width}, index) => {
    if (quarters[index] !== dominant) return [];
    const [, , c, d, x, y] = transform;
    const [from, foot] = turned(x, y, dominant);
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

/** A point on a page rotated back by so many quarter turns. */
function turned(x: number, y: number, quarters: number): [number, number] {
  if (quarters === 1) return [y, -x];
  if (quarters === 2) return [-x, -y];
  return quarters === 3 ? [-y, x] : [x, y];
}
