import {isUtf8} from "node:buffer";
import {createReadStream} from "node:fs";
import {stat} from "node:fs/promises";
import {TextDecoder} from "node:util";
import {UserError} from "../../../lib/errors.ts";
import {writeScratch} from "../../../lib/storage/whole-file.ts";

/**
 * Gives the encoding of a text file: that of its byte-order mark, else the declared one, else UTF-8 if all of it is valid, else Windows-1252
 * (`docs/design/parcels.md` section 4). Throws a `UserError` for a declared encoding that Node does not know.
 */
export async function encodingOf(path: string, shown: string, declared?: string): Promise<string> {
  const head = await firstBytes(path);
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  if (declared !== undefined) return knownEncoding(declared, shown);
  return (await isUtf8File(path)) ? "utf-8" : "windows-1252";
}

/** Gives a path with the same text in UTF-8: the file itself where it is, else a copy at `copyPath`. */
export async function asUtf8(path: string, encoding: string, copyPath: string): Promise<string> {
  if (encoding === "utf-8") return path;
  const decoder = new TextDecoder(encoding);
  async function* decoded(): AsyncGenerator<string> {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
      yield decoder.decode(chunk, {stream: true});
    yield decoder.decode();
  }
  await writeScratch(copyPath, decoded());
  return copyPath;
}

function knownEncoding(label: string, shown: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new UserError(`${shown}: encoding "${label}" is unknown; expected a name such as windows-1252.`);
  }
}

async function firstBytes(path: string): Promise<Buffer> {
  for await (const chunk of createReadStream(path, {end: 3}) as AsyncIterable<Buffer>) return chunk;
  return Buffer.alloc(0);
}

/** Says whether a file is UTF-8. It checks whole characters, so that the last bytes of a chunk wait for the next one. */
async function isUtf8File(path: string): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  const highWaterMark = Math.min(1 << 20, (await stat(path)).size + 1);
  for await (const chunk of createReadStream(path, {highWaterMark}) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = lastCharacterStart(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    rest = Buffer.from(bytes.subarray(end));
  }
  return isUtf8(rest);
}

function lastCharacterStart(bytes: Buffer): number {
  let at = bytes.length;
  for (let back = 0; back < 4 && at > 0; back++) {
    at -= 1;
    if ((bytes[at]! & 0xc0) !== 0x80) return at;
  }
  return bytes.length;
}
