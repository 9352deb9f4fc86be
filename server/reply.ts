import {hash} from "node:crypto";
import {promisify} from "node:util";
import {brotliCompress, constants, gzip} from "node:zlib";
import type {Request, Response} from "express";
import {exchangeOf} from "./exchange.ts";

/** A finished answer on its way out. */
export type Reply = {
  body: string;
  cacheControl: string;
  /** Text behind the strong ETag; null for an answer that must not be stored. */
  tag: string | null;
  lastModified?: Date;
};

type Coding = "br" | "gzip" | "identity";

const LEAST_BYTES_TO_COMPRESS = 1024;
const MOST_BYTES = 8 * 1024 * 1024;
const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** The strong tag of an answer whose bytes follow from these parts; `mark` stands visibly behind the hash. */
export function tagOf(parts: readonly string[], mark = ""): string {
  const digest = hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27);
  return mark === "" ? digest : `${digest}-${mark}`;
}

/**
 * The tag of `If-None-Match` that names this answer in whatever content coding, or null. Weak marks do not count, since a
 * proxy that compresses adds them; `*` is left to `sendReply`, because it needs an answer first.
 */
export function matchingTag(request: Request, tag: string): string | null {
  const header = request.headers["if-none-match"];
  if (header === undefined) return null;
  for (const [, given] of header.matchAll(/"([^"]*)"/g)) {
    if (given === tag || given === `${tag}-gzip` || given === `${tag}-br`) return given;
  }
  return null;
}

/** Answers 304 to a caller who holds the answer already. */
export function sendNotModified(
  response: Response,
  heldTag: string,
  reply: Omit<Reply, "body" | "tag">,
): void {
  response.writeHead(304, {...cachingHeaders(reply), ETag: `"${heldTag}"`});
  response.end();
}

/** Sends a 200, compressed where it pays and the caller can read it; HEAD gets the same headers without the body. */
export async function sendReply(request: Request, response: Response, reply: Reply): Promise<void> {
  const bytes = Buffer.byteLength(reply.body);
  if (bytes > MOST_BYTES) throw new Error(`an answer of ${bytes} bytes, over the limit of ${MOST_BYTES}`);
  const held = reply.tag === null ? null : heldTag(request, reply.tag);
  if (held !== null) {
    sendNotModified(response, held, reply);
    return;
  }
  const coding = chooseCoding(request, bytes);
  // A plain text goes out in one piece with the headers.
  const body = coding === "identity" ? reply.body : await encode(reply.body, coding);
  const length = coding === "identity" ? bytes : body.length;
  response.writeHead(200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": length,
    ...cachingHeaders(reply),
    ...(reply.tag === null ? {} : {ETag: `"${reply.tag}${coding === "identity" ? "" : `-${coding}`}"`}),
    ...(coding === "identity" ? {} : {"Content-Encoding": coding}),
  });
  exchangeOf(response).bytes = request.method === "HEAD" ? 0 : length;
  response.end(request.method === "HEAD" ? undefined : body);
}

function heldTag(request: Request, tag: string): string | null {
  return request.headers["if-none-match"]?.trim() === "*" ? tag : matchingTag(request, tag);
}

function cachingHeaders({cacheControl, lastModified}: Omit<Reply, "body" | "tag">): Record<string, string> {
  return {
    "Cache-Control": cacheControl,
    Vary: "Accept-Encoding",
    ...(lastModified === undefined ? {} : {"Last-Modified": lastModified.toUTCString()}),
  };
}

function chooseCoding(request: Request, bytes: number): Coding {
  if (bytes < LEAST_BYTES_TO_COMPRESS) return "identity";
  const accepted = request.acceptsEncodings("br", "gzip", "identity");
  return accepted === "br" || accepted === "gzip" ? accepted : "identity";
}

async function encode(plain: string, coding: Exclude<Coding, "identity">): Promise<Buffer> {
  if (coding === "gzip") return compressGzip(plain);
  // Quality 4: about the time of gzip, smaller than it.
  return compressBrotli(plain, {params: {[constants.BROTLI_PARAM_QUALITY]: 4}});
}
