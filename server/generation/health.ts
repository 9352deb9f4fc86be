import {type Exchange, isRead} from "../http/exchange.ts";
import {send} from "../http/send.ts";
import type {Generation} from "./generation.ts";

/** The facts of the readiness answer. */
export type Readiness = {
  generation: Generation | null;
  draining: boolean;
  mapping: "mmap" | "copied";
  /** Reasons for `degraded`: requests are answered, but something is wrong. Empty for `ready`. */
  reasons: readonly string[];
};

/** Answers `/healthz` and `/readyz`, the two paths that need no key, to GET and HEAD; gives false for any other request. */
export function health(readiness: () => Readiness): (exchange: Exchange) => boolean {
  return (exchange) => {
    const {path, request} = exchange;
    if ((path !== "/healthz" && path !== "/readyz") || !isRead(request)) return false;
    exchange.route = path;
    if (path === "/healthz") sendState(exchange, 200, {status: "ok"});
    else sendReadiness(exchange, readiness());
    return true;
  };
}

function sendReadiness(exchange: Exchange, {generation, draining, mapping, reasons}: Readiness): void {
  const ready = generation !== null && !draining;
  const status = reasons.length === 0 ? "ready" : "degraded";
  sendState(exchange, ready ? 200 : 503, {
    status: ready ? status : "not_ready",
    build_id: generation?.buildId ?? null,
    as_of_date: generation?.asOf ?? null,
    mapping,
    reasons,
  });
}

function sendState(exchange: Exchange, status: number, value: unknown): void {
  const headers = ["Content-Type", "application/json; charset=utf-8", "Cache-Control", "no-store"];
  if (status === 503) headers.push("Retry-After", "5");
  send(exchange, {status, headers, body: JSON.stringify(value)});
}
