import {randomUUID} from "node:crypto";
import type {IncomingMessage} from "node:http";
import type {Logger} from "pino";
import type {Metrics} from "./metrics.ts";
import {securityHeaders} from "./security-headers.ts";
import type {Facts, Outgoing, Step} from "./step.ts";

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** First step: gives the request its id and the security headers, and writes its log line by allow-list and its metrics when it is over. */
export function requestStart({log, metrics}: {log: Logger; metrics: Metrics}): Step {
  const always = securityHeaders();
  return (request, response, next) => {
    response.locals = newFacts(request, always);
    response.on("close", () => finish(response));
    next();
  };

  function finish(response: Outgoing): void {
    const {route, startedMs, logged} = response.locals;
    const ms = Math.round((performance.now() - startedMs) * 10) / 10;
    metrics.requestDone({route, status: response.statusCode, seconds: ms / 1000});
    if (logged && log.isLevelEnabled("info")) log.info(logLine(response, ms));
  }
}

function newFacts({headers}: IncomingMessage, always: readonly string[]): Facts {
  const given = headers["x-request-id"];
  const requestId = typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
  return {
    requestId,
    startedMs: performance.now(),
    headers: ["X-Request-Id", requestId, ...always],
    endpoint: null,
    route: null,
    key: null,
    question: {query: {}, ignored: [], given: []},
    buildId: null,
    lookup: null,
    countyFips: null,
    bytes: 0,
    logged: true,
  };
}

function logLine(response: Outgoing, ms: number): Record<string, unknown> {
  const {locals} = response;
  return {
    requestId: locals.requestId,
    keyId: locals.key?.id ?? null,
    method: response.req.method,
    route: locals.route,
    parameters: locals.question.given,
    status: response.statusCode,
    complete: response.writableFinished,
    ms,
    bytes: locals.bytes,
    buildId: locals.buildId,
    lookup: locals.lookup,
    countyFips: locals.countyFips,
  };
}
