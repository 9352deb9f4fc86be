import type {Exchange} from "./exchange.ts";
import {endTogether} from "./outbox.ts";

/** A whole answer: status, its own headers (names and values in turn, without Content-Length) and body. */
export type Sendable = {status: number; headers: readonly string[]; body: string | Buffer};

/**
 * Sends a whole answer, to HEAD the headers alone. All headers go in one list, which Node writes without looking at them
 * twice, and a text in one piece with them.
 */
export function send(exchange: Exchange, {status, headers, body}: Sendable): void {
  const {request, response} = exchange;
  const bytes = Buffer.byteLength(body);
  response.writeHead(status, [...exchange.headers, ...headers, "Content-Length", String(bytes)]);
  if (request.method === "HEAD") {
    endTogether(() => response.end());
    return;
  }
  exchange.bytes = bytes;
  // As many bytes as characters: pure ASCII, which Node writes a little quicker when it knows.
  const encoding = bytes === body.length ? "latin1" : "utf8";
  endTogether(() => response.end(body, encoding));
}
