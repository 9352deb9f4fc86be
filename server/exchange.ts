import {randomUUID} from "node:crypto";
import type {Request, RequestHandler, Response} from "express";
import type {Logger} from "pino";
import type {ApiKeyRecord} from "../schemas/api-key.ts";
import type {Endpoint} from "./endpoint.ts";
import type {Metrics} from "./metrics.ts";

/** What the server notes about one request on its way: the source of its log line and of its metrics. */
export type Exchange = {
  readonly requestId: string;
  readonly startedMs: number;
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
};

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** First step of every request: its id, and one log line by allow-list and the metrics when it is over. */
export function startExchange({log, metrics}: {log: Logger; metrics: Metrics}): RequestHandler {
  return (request, response, next) => {
    const exchange = newExchange(request);
    response.locals["exchange"] = exchange;
    response.setHeader("X-Request-Id", exchange.requestId);
    response.once("close", () => finish(exchange, request, response));
    next();
  };

  function finish(exchange: Exchange, request: Request, response: Response): void {
    const ms = Math.round((performance.now() - exchange.startedMs) * 10) / 10;
    metrics.requestDone({route: exchange.route, status: response.statusCode, seconds: ms / 1000});
    log.info({
      requestId: exchange.requestId,
      keyId: exchange.key?.id ?? null,
      method: request.method,
      route: exchange.route,
      parameters: exchange.parameters,
      status: response.statusCode,
      complete: response.writableFinished,
      ms,
      bytes: exchange.bytes,
      buildId: exchange.buildId,
      lookup: exchange.lookup,
      countyFips: exchange.countyFips,
    });
  }
}

/** The exchange of a response that `startExchange` has seen. */
export function exchangeOf(response: Response): Exchange {
  return response.locals["exchange"] as Exchange;
}

/** True for every path of the parcel lookups, known or not. */
export function isParcelPath(path: string): boolean {
  return path.startsWith("/public/land-agent/");
}

function newExchange(request: Request): Exchange {
  const given = request.headers["x-request-id"];
  return {
    requestId: typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID(),
    startedMs: performance.now(),
    endpoint: null,
    route: null,
    key: null,
    parameters: [],
    buildId: null,
    lookup: null,
    countyFips: null,
    bytes: 0,
  };
}
