import type {RequestHandler, Response} from "express";
import {exchangeOf} from "./exchange.ts";
import type {Generation} from "./generation.ts";

/** What the readiness answer is made of. */
export type Readiness = {
  generation: Generation | null;
  draining: boolean;
  mapping: "mmap" | "copied";
  /** Why reads work but not all is well; empty when it is. */
  reasons: readonly string[];
};

/** `/healthz` and `/readyz`, the two paths that answer without a key, to GET and HEAD. */
export function health(readiness: () => Readiness): RequestHandler {
  return (request, response, next) => {
    const read = request.method === "GET" || request.method === "HEAD";
    if (read && request.path === "/healthz") send(response, 200, {status: "ok"});
    else if (read && request.path === "/readyz") sendReadiness(response, readiness());
    else next();
  };

  function sendReadiness(response: Response, {generation, draining, mapping, reasons}: Readiness): void {
    const ready = generation !== null && !draining;
    const status = reasons.length === 0 ? "ready" : "degraded";
    send(response, ready ? 200 : 503, {
      status: ready ? status : "not_ready",
      build_id: generation?.buildId ?? null,
      as_of_date: generation?.asOf ?? null,
      mapping,
      reasons,
    });
  }
}

function send(response: Response, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  const exchange = exchangeOf(response);
  exchange.route = response.req.path;
  exchange.bytes = response.req.method === "HEAD" ? 0 : body.length;
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": body.length,
    "Cache-Control": "no-store",
    ...(status === 503 ? {"Retry-After": "5"} : {}),
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
