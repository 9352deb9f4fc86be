import {hash} from "node:crypto";
import type {IncomingMessage} from "node:http";
import {promisify} from "node:util";
import {brotliCompress, constants, gzip} from "node:zlib";
import type {AnswerBody} from "./endpoint.ts";
import type {Outgoing} from "./step.ts";

/** A whole answer: status, its own headers (names and values in turn, without Content-Length) and body. */
type Sendable = {status: number; headers: readonly string[]; body: AnswerBody};

/** Cache-Control of an answer and the text of its strong ETag; the tag is null for an answer that must not be stored. */
export type Caching = {cacheControl: string; tag: string | null};

/** A finished 200 on its way out. */
type Reply = Caching & {body: AnswerBody};

type Coding = "br" | "gzip" | "identity";

const LEAST_BYTES_TO_COMPRESS = 1024;
const MOST_BYTES = 8 * 1024 * 1024;
const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Sends a whole answer in one piece, to HEAD the headers alone. One list of all headers is quicker than setting each. */
export function send(response: Outgoing, {status, headers, body}: Sendable): void {
  const bytes = Buffer.byteLength(body);
  response.writeHead(status, [...response.locals.headers, ...headers, "Content-Length", String(bytes)]);
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  response.locals.bytes = bytes;
  // Node sends a text with its headers in one write, and gathers a buffer in a second, which takes half as long again. Latin1 keeps
  // every byte of a buffer, and a text of as many bytes as characters is ASCII, which is a little quicker to write as latin1.
  const text = typeof body === "string" ? body : body.toString("latin1");
  response.end(text, bytes === text.length ? "latin1" : "utf8");
}

/** The strong tag of an answer that depends on these parts alone; `mark` is added to the hash as it is. */
export function tagOf(parts: readonly unknown[], mark = ""): string {
  const digest = hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27);
  return mark === "" ? digest : `${digest}-${mark}`;
}

/**
 * The tag in `If-None-Match` that names this answer in any content coding, or null. Weak marks do not count, since a
 * proxy that compresses adds them; `*` is left to `sendReply`, because it needs an answer first.
 */
export function matchingTag(request: IncomingMessage, tag: string): string | null {
  const header = request.headers["if-none-match"];
  if (header === undefined) return null;
  for (const [, given] of header.matchAll(/"([^"]*)"/g)) {
    if (given === tag || given === `${tag}-gzip` || given === `${tag}-br`) return given;
  }
  return null;
}

/** Answers 304 to a caller who holds the answer already. */
export function sendNotModified(response: Outgoing, heldTag: string, {cacheControl}: Caching): void {
  const headers = [...cachingHeaders(cacheControl), "ETag", `"${heldTag}"`];
  response.writeHead(304, [...response.locals.headers, ...headers]);
  response.end();
}

/**
 * Sends a 200, compressed if it is large enough and the caller can read it; HEAD gets the same headers without the body. Gives
 * a promise only if it compresses. Throws for an answer of more than 8 MiB.
 */
export function sendReply(response: Outgoing, reply: Reply): Promise<void> | undefined {
  const {req: request} = response;
  const {body, tag} = reply;
  const bytes = Buffer.byteLength(body);
  if (bytes > MOST_BYTES) throw new Error(`an answer of ${bytes} bytes, over the limit of ${MOST_BYTES}`);
  const held = tag === null ? null : heldTag(request, tag);
  if (held !== null) {
    sendNotModified(response, held, reply);
    return;
  }
  const coding = chooseCoding(request, bytes);
  const headers = replyHeaders(reply, coding);
  if (coding !== "identity") {
    return encode(body, coding).then((coded) => send(response, {status: 200, headers, body: coded}));
  }
  send(response, {status: 200, headers, body});
  return;
}

function heldTag(request: IncomingMessage, tag: string): string | null {
  return request.headers["if-none-match"]?.trim() === "*" ? tag : matchingTag(request, tag);
}

function replyHeaders({cacheControl, tag}: Caching, coding: Coding): string[] {
  const headers = ["Content-Type", "application/json; charset=utf-8", ...cachingHeaders(cacheControl)];
  const plain = coding === "identity";
  if (tag !== null) headers.push("ETag", plain ? `"${tag}"` : `"${tag}-${coding}"`);
  if (!plain) headers.push("Content-Encoding", coding);
  return headers;
}

function cachingHeaders(cacheControl: string): string[] {
  return ["Cache-Control", cacheControl, "Vary", "Accept-Encoding"];
}

function chooseCoding(request: Outgoing["req"], bytes: number): Coding {
  if (bytes < LEAST_BYTES_TO_COMPRESS || request.headers["accept-encoding"] === undefined) return "identity";
  const accepted = request.acceptsEncodings("br", "gzip", "identity");
  return accepted === "br" || accepted === "gzip" ? accepted : "identity";
}

async function encode(plain: AnswerBody, coding: Exclude<Coding, "identity">): Promise<Buffer> {
  if (coding === "gzip") return compressGzip(plain);
  // Quality 4: about the time of gzip, smaller than it.
  return compressBrotli(plain, {params: {[constants.BROTLI_PARAM_QUALITY]: 4}});
}
