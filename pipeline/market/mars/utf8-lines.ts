import {isUtf8} from "node:buffer";
import {createReadStream} from "node:fs";
import {createInterface} from "node:readline";
import {isUtf8File} from "../../raw/utf8-file.ts";
import {decodedText} from "../content-kind.ts";

/** Gives the numbers, from 1, of the lines of a file that are no UTF-8; none where all are. */
export async function linesOfOtherEncoding(path: string): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  if (await isUtf8File(path)) return found;
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
