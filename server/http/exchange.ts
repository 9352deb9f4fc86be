import {randomUUID} from "node:crypto";
import type {IncomingMessage, ServerResponse} from "node:http";
import type {Logger} from "pino";
import type {ApiKeyRecord} from "../../schemas/api-key.ts";
import type {Endpoint} from "./endpoint.ts";
import type {Metrics} from "./metrics.ts";
import type {RequestTarget} from "./request-target.ts";
import {securityHeaders} from "./security-headers.ts";

/** One request with its response, and what the server notes about it on its way: the source of its log line and metrics. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly path: string;
  /** Query string as it came, without the question mark. */
  readonly query: string;
  readonly startedMs: number;
  /** Headers of any answer to this request, names and values in turn; steps add theirs. */
  readonly headers: string[];
  endpoint: Endpoint | null;
  /** Route template; null for an unknown path, which is never logged itself. */
  route: string | null;
  key: ApiKeyRecord | null;
  /** Names of known parameters that were given. */
  parameters: readonly string[];
  buildId: string | null;
  lookup: string | null;
  countyFips: string | null;
  bytes: number;
  /** Takes the request out of those in flight; null before it is one of them. */
  leave: (() => void) | null;
};

/** Answers a request; a promise only where something has to be waited for. */
export type Handler = (exchange: Exchange) => Promise<void> | undefined;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** First step of every request: its id, and one log line by allow-list and the metrics when it is over. */
export function startExchange({log, metrics}: {log: Logger; metrics: Metrics}) {
  const always = securityHeaders();
  return (request: IncomingMessage, response: ServerResponse, target: RequestTarget): Exchange => {
    const exchange = newExchange(request, response, {target, always});
    response.on("close", () => finish(exchange));
    return exchange;
  };

  function finish(exchange: Exchange): void {
    exchange.leave?.();
    const ms = Math.round((performance.now() - exchange.startedMs) * 10) / 10;
    const status = exchange.response.statusCode;
    metrics.requestDone({route: exchange.route, status, seconds: ms / 1000});
    if (log.isLevelEnabled("info")) log.info(logLine(exchange, ms));
  }
}

/** True for every path of the parcel lookups, known or not. */
export function isParcelPath(path: string): boolean {
  return path.startsWith("/public/land-agent/");
}

/** True for the two methods that the server answers. */
export function isRead({method}: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

function newExchange(
  request: IncomingMessage,
  response: ServerResponse,
  {target, always}: {target: RequestTarget; always: readonly string[]},
): Exchange {
  const given = request.headers["x-request-id"];
  const requestId = typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
  return {
    request,
    response,
    requestId,
    path: target.path,
    query: target.query,
    startedMs: performance.now(),
    headers: ["X-Request-Id", requestId, ...always],
    endpoint: null,
    route: null,
    key: null,
    parameters: [],
    buildId: null,
    lookup: null,
    countyFips: null,
    bytes: 0,
    leave: null,
  };
}

function logLine(exchange: Exchange, ms: number): Record<string, unknown> {
  return {
    requestId: exchange.requestId,
    keyId: exchange.key?.id ?? null,
    method: exchange.request.method,
    route: exchange.route,
    parameters: exchange.parameters,
    status: exchange.response.statusCode,
    complete: exchange.response.writableFinished,
    ms,
    bytes: exchange.bytes,
    buildId: exchange.buildId,
    lookup: exchange.lookup,
    countyFips: exchange.countyFips,
  };
}
