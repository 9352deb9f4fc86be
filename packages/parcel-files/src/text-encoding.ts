import {isAscii} from "node:buffer";
import {createReadStream} from "node:fs";
import {TextDecoder} from "node:util";
import {type CellCounts, countCell, type DecodeText, decoderByCells, statedEncoding} from "./dbf-encoding.ts";
import type {ParcelFile} from "./parcel-file.ts";
import {isUtf8File} from "./utf8-file.ts";

/** Delimited text in UTF-8: null where the file is so already; and what a person should know of its encoding. */
export type Utf8Text = {readonly text: AsyncIterable<string> | null; readonly remark: string | null};

const headBytes = 512;
const byteOrderMark = Buffer.from("\ufeff");
const lineFeed = 10;
/** Bytes that end a cell: comma, semicolon, tab and bar. */
const delimiters: ReadonlySet<number> = new Set([0x2c, 0x3b, 0x09, 0x7c]);

/**
 * Returns a file's text in UTF-8, where it is in another encoding or some cells are. The encoding is that of its byte order mark, UTF-16
 * where every second byte is zero, else the declared one or UTF-8, cell by cell. Throws a `FileError` for a declared encoding that is
 * unknown.
 */
export async function utf8Text(
  {path, shownPath}: Pick<ParcelFile, "path" | "shownPath">,
  declared?: string,
): Promise<Utf8Text> {
  const head = await firstBytes(path);
  const wide = utf16Of(head) ?? /^utf-16(?:le|be)?$/i.exec(declared ?? "")?.[0].toLowerCase() ?? null;
  if (wide !== null) {
    return {text: decodedWhole(path, new TextDecoder(wide)), remark: null};
  }
  const hasMark = head.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const stated = statedEncoding({hasMark, declared, languageByte: 0}, shownPath);
  const isUtf8 = await isUtf8File(path);
  if (isUtf8 && (stated === null || stated.isUtf8)) return {text: null, remark: null};
  const counts: CellCounts = {utf8: 0, other: 0};
  const start = hasMark ? byteOrderMark.length : 0;
  for await (const line of lines(path, start)) {
    if (isAscii(line)) continue;
    for (const cell of cellsOf(line)) if (!isAscii(cell)) countCell(counts, cell, false);
  }
  const {decode, remark} = decoderByCells(stated, counts);
  // A valid file whose cells outweigh its label stays as it is.
  if (isUtf8 && remark !== null) return {text: null, remark};
  // In a stated encoding a character may hold the byte of a delimiter.
  const isStated = stated !== null && !stated.isUtf8 && remark === null;
  const cells = isStated ? (line: Buffer) => [line] : cellsOf;
  return {text: decodedCells(lines(path, start), cells, decode), remark};
}

/** The kind of UTF-16 that a byte order mark names, or zero bytes in every second place; null for other text. */
function utf16Of(head: Buffer): "utf-16le" | "utf-16be" | null {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const zeros = (offset: number) => head.filter((byte, at) => at % 2 === offset && byte === 0).length;
  const half = Math.floor(head.length / 2);
  if (half < 4 || zeros(0) + zeros(1) < half * 0.9) return null;
  return zeros(1) > zeros(0) ? "utf-16le" : "utf-16be";
}

async function* decodedWhole(path: string, decoder: TextDecoder): AsyncGenerator<string> {
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
    yield decoder.decode(chunk, {stream: true});
  yield decoder.decode();
}

async function* decodedCells(
  bytes: AsyncIterable<Buffer>,
  cells: (line: Buffer) => Buffer[],
  decode: DecodeText,
): AsyncGenerator<string> {
  const text = (bytes: Buffer) => (isAscii(bytes) ? bytes.toString("latin1") : decode(bytes));
  for await (const line of bytes) yield isAscii(line) ? text(line) : cells(line).map(text).join("");
}

/** The lines of a file from a byte on, with their ends, many at a time where they are ASCII. */
async function* lines(path: string, start: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, {
    start,
    highWaterMark: 1 << 18,
  }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(lineFeed) + 1;
    rest = Buffer.from(bytes.subarray(end));
    if (isAscii(bytes.subarray(0, end))) {
      if (end > 0) yield bytes.subarray(0, end);
      continue;
    }
    for (let from = 0; from < end; ) {
      const to = bytes.indexOf(lineFeed, from) + 1;
      yield bytes.subarray(from, to);
      from = to;
    }
  }
  if (rest.length > 0) yield rest;
}

/** The cells of a line, each with the delimiter behind it. */
function cellsOf(line: Buffer): Buffer[] {
  const cells: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < line.length; at++) {
    if (!delimiters.has(line[at]!)) continue;
    cells.push(line.subarray(from, at + 1));
    from = at + 1;
  }
  return [...cells, line.subarray(from)];
}

async function firstBytes(path: string): Promise<Buffer> {
  for await (const chunk of createReadStream(path, {end: headBytes - 1}) as AsyncIterable<Buffer>)
    return chunk;
  return Buffer.alloc(0);
}
