import {isUtf8} from "node:buffer";
import {createReadStream} from "node:fs";
import {createInterface} from "node:readline";
import {isUtf8File} from "../../raw/utf8-file.ts";
import {decodedText} from "../content-kind.ts";

/** Line numbers, from 1, of the lines that are not valid UTF-8. */
export async function nonUtf8Lines(path: string): Promise<ReadonlySet<number>> {
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
 * Yields the lines of a file as UTF-8. The given lines are decoded from Windows-1252, in which spreadsheets save CSV, or
 * dropped if `without`.
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
