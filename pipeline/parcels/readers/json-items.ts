import {createReadStream} from "node:fs";
import {UserError} from "../../../lib/errors.ts";

/** Names of the array that holds the rows of a document. */
const itemArrays: ReadonlySet<string> = new Set(["features", "rows"]);
/** Most bytes of a document outside its rows, and of one row. */
const longestText = 256 * 2 ** 20;

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;
const recordSeparator = 0x1e;

/** A row of a JSON document, or all of the document but its rows. */
type JsonPart = {
  readonly kind: "item" | "document";
  /** UTF-8; to be read before the next part is asked for. */
  readonly bytes: Buffer;
};

/**
 * Splits a file of JSON into its rows, holding one row at a time: members of a top-level array, of the array `features` or
 * `rows` of a top-level object, or top-level values after one another (NDJSON, GeoJSON text sequences). An object around
 * the rows comes after them as `document`, its rows left out. Throws a `UserError` that names `shown` for a file that ends
 * early, is empty, or is not JSON.
 */
export async function* jsonParts(
  path: string,
  shown: string,
  chunkBytes = 1 << 20,
): AsyncGenerator<JsonPart> {
  const splitter = createSplitter(shown);
  let bytes = 0;
  for await (const chunk of createReadStream(path, {highWaterMark: chunkBytes}) as AsyncIterable<Buffer>) {
    if (bytes === 0) checkStart(chunk, shown);
    bytes += chunk.length;
    yield* splitter.feed(chunk);
  }
  splitter.end(bytes);
}

function checkStart(chunk: Buffer, shown: string): void {
  const start = chunk
    .subarray(0, 200)
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
  if (start.startsWith("<")) {
    throw new UserError(`${shown}: HTML or XML came ("${start.slice(0, 40)}"), JSON was expected.`);
  }
}

/** Depths: 0 outside all, 1 inside the document. Rows lie at `rowDepth`, which is 1 in an array and 2 in an object's array. */
function createSplitter(shown: string) {
  let depth = 0;
  let rowDepth = -1;
  let inString = false;
  let escaped = false;
  let stringStart = 0;
  let stringHead = "";
  let lastString = "";
  let pendingKey = "";
  let started = false;
  /** Pieces of the text that is being gathered, from earlier chunks. */
  let pieces: Buffer[] = [];
  let gathered = 0;
  let header: Buffer[] = [];
  let items = 0;

  const gather = (piece: Buffer) => {
    gathered += piece.length;
    if (gathered > longestText) {
      throw new UserError(
        `${shown}: one JSON value of more than ${longestText} bytes; rows of a table were expected.`,
      );
    }
    pieces.push(piece);
  };
  const take = (): Buffer => {
    const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    pieces = [];
    gathered = 0;
    return bytes;
  };

  function* feed(chunk: Buffer): Generator<JsonPart> {
    // Start in this chunk of what is gathered; -1 while nothing is.
    let from = depth > 0 && depth !== rowDepth ? 0 : -1;
    if (inString) stringStart = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) {
          inString = false;
          if (depth === 1 && rowDepth < 0) lastString = stringHead + chunk.toString("utf8", stringStart, i);
        }
        continue;
      }
      if (byte === quote) {
        inString = true;
        stringStart = i + 1;
        stringHead = "";
      } else if (byte === openBrace || byte === openBracket) {
        if (depth === 0) {
          if (byte === openBracket) rowDepth = 1;
          else from = i;
          started = true;
        } else if (depth === rowDepth) from = i;
        else if (depth === 1 && byte === openBracket && itemArrays.has(pendingKey)) {
          gather(chunk.subarray(from, i + 1));
          header.push(...pieces);
          pieces = [];
          gathered = 0;
          from = -1;
          rowDepth = 2;
        }
        depth += 1;
        pendingKey = "";
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (depth < 0) throw new UserError(`${shown}: not JSON: a bracket closes that was not opened.`);
        if (depth === rowDepth) {
          gather(chunk.subarray(from, i + 1));
          items += 1;
          yield {kind: "item", bytes: take()};
          from = -1;
        } else if (rowDepth === 2 && depth === 1) {
          rowDepth = -2;
          from = i;
        } else if (depth === 0) {
          if (rowDepth !== 1) {
            gather(chunk.subarray(from, i + 1));
            const document = rowDepth === -2;
            if (document) pieces.unshift(...header);
            yield {kind: document ? "document" : "item", bytes: take()};
          }
          header = [];
          rowDepth = -1;
          from = -1;
        }
      } else if (byte === colon) {
        if (depth === 1 && rowDepth === -1) pendingKey = lastString;
      } else if (depth === 0 && byte > 0x20 && byte !== recordSeparator && !isBom(byte)) {
        throw new UserError(
          `${shown}: not JSON: came "${chunk.toString("utf8", i, i + 20)}" where an object or array was expected.`,
        );
      }
    }
    if (inString && depth === 1 && rowDepth < 0) stringHead += chunk.toString("utf8", stringStart);
    if (from >= 0) gather(Buffer.from(chunk.subarray(from)));
  }

  return {
    feed,
    end(bytes: number): void {
      if (bytes === 0 || !started) throw new UserError(`${shown}: empty file; JSON was expected.`);
      if (depth !== 0 || inString) {
        throw new UserError(
          `${shown}: the JSON ends after ${bytes} bytes in the middle, behind row ${items}: the file is cut off. Fetch it again.`,
        );
      }
    },
  };
}

function isBom(byte: number): boolean {
  return byte === 0xef || byte === 0xbb || byte === 0xbf;
}
