import {hash} from "node:crypto";
import type {IncomingMessage} from "node:http";
import {promisify} from "node:util";
import {brotliCompress, constants, gzip} from "node:zlib";
import type {AnswerBody} from "./endpoint.ts";
import type {Outgoing} from "./step.ts";

/** A complete answer: status, own headers (alternating names and values, without Content-Length) and body. */
type Sendable = {status: number; headers: readonly string[]; body: AnswerBody};

/** Cache-Control of an answer and its strong ETag; the tag is null for an answer that must not be stored. */
export type Caching = {cacheControl: string; tag: string | null};

/** A 200 ready to be sent. */
type Reply = Caching & {body: AnswerBody};

type Coding = "br" | "gzip" | "identity";

const MIN_BYTES_TO_COMPRESS = 1024;
const MAX_BYTES = 8 * 1024 * 1024;
const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Sends a complete answer at once; for HEAD the headers only. Passing all headers as one list is faster than setting each. */
export function send(response: Outgoing, {status, headers, body}: Sendable): void {
  const bytes = Buffer.byteLength(body);
  response.writeHead(status, [...response.locals.headers, ...headers, "Content-Length", String(bytes)]);
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  response.locals.bytes = bytes;
  // Node writes a string together with the headers, but a buffer in a second write, which takes half as long again. Latin-1 preserves every
  // byte of a buffer; a string with as many bytes as characters is ASCII, which is slightly faster to write as Latin-1.
  const text = typeof body === "string" ? body : body.toString("latin1");
  response.end(text, bytes === text.length ? "latin1" : "utf8");
}

/** Strong tag of an answer that depends only on these parts; `mark` is appended to the hash verbatim. */
export function tagOf(parts: readonly unknown[], mark = ""): string {
  const digest = hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27);
  return mark === "" ? digest : `${digest}-${mark}`;
}

/**
 * Returns the tag in `If-None-Match` that matches this answer in any content coding, or null. Weak markers are ignored, because compressing
 * proxies add them. `*` is left to `sendReply`, because it needs an existing answer.
 */
export function matchingTag(request: IncomingMessage, tag: string): string | null {
  const header = request.headers["if-none-match"];
  if (header === undefined) return null;
  for (const [, given] of header.matchAll(/"([^"]*)"/g)) {
    if (given === tag || given === `${tag}-gzip` || given === `${tag}-br`) return given;
  }
  return null;
}

/** Sends a 304 to a caller who already has the answer. */
export function sendNotModified(response: Outgoing, heldTag: string, {cacheControl}: Caching): void {
  const headers = [...cachingHeaders(cacheControl), "ETag", `"${heldTag}"`];
  response.writeHead(304, [...response.locals.headers, ...headers]);
  response.end();
}

/**
 * Sends a 200, compressed if it is large enough and the client supports it; HEAD gets the same headers without a body. Returns a promise
 * only when it compresses. Throws for an answer over 8 MiB.
 */
export function sendReply(response: Outgoing, reply: Reply): Promise<void> | undefined {
  const {req: request} = response;
  const {body, tag} = reply;
  const bytes = Buffer.byteLength(body);
  if (bytes > MAX_BYTES) throw new Error(`an answer of ${bytes} bytes, over the limit of ${MAX_BYTES}`);
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
  if (bytes < MIN_BYTES_TO_COMPRESS || request.headers["accept-encoding"] === undefined) return "identity";
  const accepted = request.acceptsEncodings("br", "gzip", "identity");
  return accepted === "br" || accepted === "gzip" ? accepted : "identity";
}

async function encode(plain: AnswerBody, coding: Exclude<Coding, "identity">): Promise<Buffer> {
  if (coding === "gzip") return compressGzip(plain);
  // Quality 4 takes about as long as gzip and compresses better.
  return compressBrotli(plain, {params: {[constants.BROTLI_PARAM_QUALITY]: 4}});
}
