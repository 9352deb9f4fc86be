import {createReadStream} from "node:fs";
import {FileError} from "./parcel-file.ts";

/** Names of the member that holds a document's rows. */
const itemArrays: ReadonlySet<string> = new Set(["features", "rows"]);
/**
 * Maximum bytes of a row, and of the document around the rows: parsed it takes up to twenty times as much. An outline with a million
 * vertices has 20 MiB.
 */
const longestText = 32 * 2 ** 20;

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;
const recordSeparator = 0x1e;

/** A row of a JSON document, or the document without its rows. */
type JsonPart = {
  readonly kind: "item" | "document";
  /** UTF-8 text, valid until the next part is read. */
  readonly bytes: Buffer;
};

/**
 * Streams the rows of a JSON file, one at a time: members of a top-level array, of the array `features` or `rows` of a top-level object, or
 * consecutive top-level values (NDJSON, GeoJSON text sequences). An object around the rows follows them as `document`, without its rows.
 * Throws a `FileError` that names `shownPath` if the file is truncated, empty, or no JSON.
 * `fed` counts the bytes that were read.
 */
export async function* jsonParts(
  path: string,
  shownPath: string,
  {chunkBytes = 1 << 20, fed = {bytes: 0}}: {chunkBytes?: number; fed?: {bytes: number}} = {},
): AsyncGenerator<JsonPart> {
  const splitter = new JsonSplitter(shownPath);
  for await (const chunk of createReadStream(path, {highWaterMark: chunkBytes}) as AsyncIterable<Buffer>) {
    if (fed.bytes === 0) checkStart(chunk, shownPath);
    fed.bytes += chunk.length;
    yield* splitter.feed(chunk);
  }
  splitter.end(fed.bytes);
}

function checkStart(chunk: Buffer, shownPath: string): void {
  const start = chunk
    .subarray(0, 200)
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
  if (start.startsWith("<")) {
    throw new FileError(`${shownPath}: expected JSON, got HTML or XML ("${start.slice(0, 40)}").`);
  }
}

/** Values of `rowDepth` before a document's rows were found, and after they have ended. */
const notFound = -1;
const passed = -2;

/** Finds the rows in chunks of JSON. Depth 0 is outside all values, depth 1 inside the document. */
class JsonSplitter {
  readonly #shownPath: string;
  #depth = 0;
  /** Depth of the rows: 1 in a top-level array, 2 in an object's array; else `notFound` or `passed`. */
  #rowDepth = notFound;
  #started = false;
  #items = 0;

  /** Chunk offset of the text being collected, or -1. Parts from earlier chunks are in `#pieces`. */
  #from = -1;
  #pieces: Buffer[] = [];
  #gathered = 0;
  /** The document up to its rows. */
  #header: Buffer[] = [];

  #inString = false;
  #escaped = false;
  #stringStart = 0;
  /** Part of the current string from earlier chunks. */
  #stringHead = "";
  #lastString = "";
  /** Key of the document's next value. */
  #pendingKey = "";

  constructor(shownPath: string) {
    this.#shownPath = shownPath;
  }

  *feed(chunk: Buffer): Generator<JsonPart> {
    this.#from = this.#depth > 0 && this.#depth !== this.#rowDepth ? 0 : -1;
    this.#stringStart = 0;
    for (let i = 0; i < chunk.length; i++) {
      if (this.#inString) {
        i = this.#passString(chunk, i);
        continue;
      }
      const byte = chunk[i]!;
      if (byte === quote) {
        this.#inString = true;
        this.#stringStart = i + 1;
        this.#stringHead = "";
      } else if (byte === openBrace || byte === openBracket) this.#open(chunk, i);
      else if (byte === closeBrace || byte === closeBracket) {
        const part = this.#close(chunk, i);
        if (part !== null) yield part;
      } else if (byte === colon) {
        if (this.#depth === 1 && this.#rowDepth === notFound) this.#pendingKey = this.#lastString;
      } else if (this.#depth === 0 && byte > 0x20 && byte !== recordSeparator && !isBom(byte)) {
        const actual = chunk.toString("utf8", i, i + 20);
        throw new FileError(`${this.#shownPath}: not JSON: expected an object or array, got "${actual}".`);
      }
    }
    if (this.#inString && this.#mayBeKey()) this.#stringHead += chunk.toString("utf8", this.#stringStart);
    if (this.#from >= 0) this.#gather(Buffer.from(chunk.subarray(this.#from)));
  }

  /** Throws a `FileError` if the file was empty or ended inside a value. */
  end(bytes: number): void {
    if (bytes === 0 || !this.#started) throw new FileError(`${this.#shownPath}: empty file; expected JSON.`);
    if (this.#depth !== 0 || this.#inString) {
      throw new FileError(
        `${this.#shownPath}: the JSON ends after ${bytes} bytes in the middle, behind row ${this.#items}: the file is cut off. Fetch it again.`,
      );
    }
  }

  /** Returns the offset of the current string's closing quote, or the end of the chunk. */
  #passString(chunk: Buffer, start: number): number {
    for (let i = start; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) {
        this.#inString = false;
        if (this.#mayBeKey())
          this.#lastString = this.#stringHead + chunk.toString("utf8", this.#stringStart, i);
        return i;
      }
    }
    return chunk.length;
  }

  #mayBeKey(): boolean {
    return this.#depth === 1 && this.#rowDepth < 0;
  }

  /** Starts a document, a row, or the array of rows. */
  #open(chunk: Buffer, i: number): void {
    const isArray = chunk[i] === openBracket;
    if (this.#depth === 0) {
      if (isArray) this.#rowDepth = 1;
      else this.#from = i;
      this.#started = true;
    } else if (this.#depth === this.#rowDepth) this.#from = i;
    else if (this.#depth === 1 && isArray && itemArrays.has(this.#pendingKey)) {
      this.#header.push(this.#take(chunk, i));
      this.#rowDepth = 2;
    }
    this.#depth += 1;
    this.#pendingKey = "";
  }

  /** Ends a row, the array of rows, or a document; returns the part completed by it. */
  #close(chunk: Buffer, i: number): JsonPart | null {
    this.#depth -= 1;
    if (this.#depth < 0)
      throw new FileError(`${this.#shownPath}: not JSON: a bracket closes that was not opened.`);
    if (this.#depth === this.#rowDepth) {
      this.#items += 1;
      return {kind: "item", bytes: this.#take(chunk, i)};
    }
    if (this.#rowDepth === 2 && this.#depth === 1) {
      this.#rowDepth = passed;
      this.#from = i;
      return null;
    }
    return this.#depth === 0 ? this.#closeDocument(chunk, i) : null;
  }

  /** An object without rows is a row itself; the end of a top-level array yields nothing. */
  #closeDocument(chunk: Buffer, i: number): JsonPart | null {
    const [rowDepth, header] = [this.#rowDepth, this.#header];
    this.#rowDepth = notFound;
    this.#header = [];
    if (rowDepth === 1) return null;
    const bytes = this.#take(chunk, i);
    return rowDepth === passed
      ? {kind: "document", bytes: Buffer.concat([...header, bytes])}
      : {kind: "item", bytes};
  }

  #gather(piece: Buffer): void {
    this.#gathered += piece.length;
    if (this.#gathered > longestText) {
      throw new FileError(
        `${this.#shownPath}: one JSON value of more than ${longestText} bytes; rows of a table were expected.`,
      );
    }
    this.#pieces.push(piece);
  }

  /** Returns the collected text up to and including the byte at `i`. */
  #take(chunk: Buffer, i: number): Buffer {
    this.#gather(chunk.subarray(this.#from, i + 1));
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#gathered = 0;
    this.#from = -1;
    return bytes;
  }
}

function isBom(byte: number): boolean {
  return byte === 0xef || byte === 0xbb || byte === 0xbf;
}
