import {isUtf8} from "node:buffer";
import {createReadStream} from "node:fs";
import {open} from "node:fs/promises";
import {createInterface} from "node:readline";
import {decodedText} from "../content-kind.ts";

/** Gives the numbers, from 1, of the lines of a file that are no UTF-8; none where all are. */
export async function linesOfOtherEncoding(path: string): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  if (await isWhollyUtf8(path)) return found;
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (!isUtf8(line)) found.add(number);
  }
  return found;
}

/**
 * Gives the lines of a file as UTF-8, those of the given numbers from Windows-1252, in which spreadsheets save a CSV, or without them
 * where `without`.
 */
export async function* linesAsUtf8(
  path: string,
  foreign: ReadonlySet<number>,
  without: boolean,
): AsyncGenerator<string> {
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (!foreign.has(number)) yield `${line.toString("utf8")}\n`;
    else if (!without) yield `${decodedText(line)}\n`;
  }
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const input = createReadStream(path, "latin1");
  for await (const line of createInterface({input, crlfDelay: Number.POSITIVE_INFINITY}))
    yield Buffer.from(line, "latin1");
}

async function isWhollyUtf8(path: string): Promise<boolean> {
  await using file = await open(path);
  const buffer = Buffer.alloc(1 << 20);
  for (let kept = 0; ; ) {
    const {bytesRead} = await file.read(buffer, kept, buffer.length - kept);
    const bytes = buffer.subarray(0, kept + bytesRead);
    if (bytesRead === 0) return isUtf8(bytes);
    const end = endOfLetters(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    kept = bytes.copy(buffer, 0, end);
  }
}

/** Where the last letter of some bytes begins, if it may go on behind them; else their end. */
function endOfLetters(bytes: Buffer): number {
  const last = bytes.subarray(-3).findLastIndex((byte) => byte >= 0xc0);
  return last < 0 ? bytes.length : bytes.length - Math.min(3, bytes.length) + last;
}
