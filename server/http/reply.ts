import {hash} from "node:crypto";
import type {IncomingMessage} from "node:http";
import {promisify} from "node:util";
import {brotliCompress, constants, gzip} from "node:zlib";
import express from "express";
import type {Exchange} from "./exchange.ts";
import {send} from "./send.ts";

/** A finished answer on its way out. */
export type Reply = {
  body: string;
  cacheControl: string;
  /** Text behind the strong ETag; null for an answer that must not be stored. */
  tag: string | null;
  /** As the header says it. */
  lastModified?: string;
};

type Coding = "br" | "gzip" | "identity";

const LEAST_BYTES_TO_COMPRESS = 1024;
const MOST_BYTES = 8 * 1024 * 1024;
const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** The strong tag of an answer whose bytes follow from the JSON text of these parts; `mark` stands visibly behind the hash. */
export function tagOf(parts: readonly unknown[], mark = ""): string {
  const digest = hash("sha256", JSON.stringify(parts), "base64url").slice(0, 27);
  return mark === "" ? digest : `${digest}-${mark}`;
}

/**
 * The tag of `If-None-Match` that names this answer in whatever content coding, or null. Weak marks do not count, since a
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
export function sendNotModified(
  {response, headers}: Exchange,
  heldTag: string,
  reply: Omit<Reply, "body" | "tag">,
): void {
  response.writeHead(304, [...headers, ...cachingHeaders(reply), "ETag", `"${heldTag}"`]);
  response.end();
}

/**
 * Sends a 200, compressed where it pays and the caller can read it; HEAD gets the same headers without the body. Gives a
 * promise only where it compresses.
 */
export function sendReply(exchange: Exchange, reply: Reply): Promise<void> | undefined {
  const {request} = exchange;
  const {body, tag} = reply;
  const bytes = Buffer.byteLength(body);
  if (bytes > MOST_BYTES) throw new Error(`an answer of ${bytes} bytes, over the limit of ${MOST_BYTES}`);
  const held = tag === null ? null : heldTag(request, tag);
  if (held !== null) {
    sendNotModified(exchange, held, reply);
    return;
  }
  const coding = chooseCoding(request, bytes);
  const headers = replyHeaders(reply, coding);
  if (coding !== "identity") {
    return encode(body, coding).then((coded) => send(exchange, {status: 200, headers, body: coded}));
  }
  send(exchange, {status: 200, headers, body});
  return;
}

function heldTag(request: IncomingMessage, tag: string): string | null {
  return request.headers["if-none-match"]?.trim() === "*" ? tag : matchingTag(request, tag);
}

function replyHeaders(reply: Reply, coding: Coding): string[] {
  const headers = ["Content-Type", "application/json; charset=utf-8", ...cachingHeaders(reply)];
  const plain = coding === "identity";
  if (reply.tag !== null) headers.push("ETag", plain ? `"${reply.tag}"` : `"${reply.tag}-${coding}"`);
  if (!plain) headers.push("Content-Encoding", coding);
  return headers;
}

function cachingHeaders({cacheControl, lastModified}: Omit<Reply, "body" | "tag">): string[] {
  const headers = ["Cache-Control", cacheControl, "Vary", "Accept-Encoding"];
  if (lastModified !== undefined) headers.push("Last-Modified", lastModified);
  return headers;
}

function chooseCoding(request: IncomingMessage, bytes: number): Coding {
  if (bytes < LEAST_BYTES_TO_COMPRESS || request.headers["accept-encoding"] === undefined) return "identity";
  const accepted: unknown = express.request.acceptsEncodings.call(request, "br", "gzip", "identity");
  return accepted === "br" || accepted === "gzip" ? accepted : "identity";
}

async function encode(plain: string, coding: Exclude<Coding, "identity">): Promise<Buffer> {
  if (coding === "gzip") return compressGzip(plain);
  // Quality 4: about the time of gzip, smaller than it.
  return compressBrotli(plain, {params: {[constants.BROTLI_PARAM_QUALITY]: 4}});
}
