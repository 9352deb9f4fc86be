import {randomUUID} from "node:crypto";
import {IncomingMessage, type RequestListener, type ServerOptions, ServerResponse} from "node:http";
import type {Express} from "express";
import helmet from "helmet";
import type {Log} from "../system/json-log.ts";
import type {Metrics} from "../system/metrics.ts";
import {Problem} from "./problem-document.ts";
import {type Facts, hasBody, isRead, type Outgoing, type Step} from "./step.ts";

/** A listener, with the request and response classes that are fastest for it: `createServer(app.classes, app)`. */
export type App = RequestListener & {
  readonly classes: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
};

type ExpressApp = Pick<Express, "request" | "response"> &
  ((request: IncomingMessage, response: ServerResponse, lastResort: () => void) => void);

/** Refuses a target that does not start with "/": `*`, or an absolute URL as sent to a forward proxy. */
export const pathTarget: Step = (request, _response, next) => {
  if (request.originalUrl.startsWith("/")) return next();
  throw new Problem("invalid-request", "The request line has no path.", {headers: {Connection: "close"}});
};

const MAX_URL_LENGTH = 4096;

/** Refuses a URL over 4 KiB with 414; a read with a body, HTTP/1.1 without a host, or two hosts (RFC 9112, 3.2), with 400. */
export const requestSyntax: Step = (request, _response, next) => {
  if (request.url.length > MAX_URL_LENGTH) {
    throw new Problem("uri-too-long", `The address is longer than ${MAX_URL_LENGTH} characters.`);
  }
  const hosts = hostLines(request.rawHeaders);
  if (hosts > 1 || (hosts === 0 && request.httpVersion === "1.1")) {
    throw new Problem("invalid-request", "A request of HTTP/1.1 names its host, once.", {
      headers: {Connection: "close"},
    });
  }
  if (isRead(request) && hasBody(request)) {
    throw new Problem("invalid-request", "A read takes no request body.", {headers: {Connection: "close"}});
  }
  next();
};

/** Counts the `Host` lines of raw headers, in which names and values alternate; Node keeps only the first of several. */
function hostLines(rawHeaders: readonly string[]): number {
  let lines = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === "host") lines += 1;
  }
  return lines;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** First step: assigns the request id and security headers; at the end writes an allow-listed log line and the metrics. */
export function requestStart({log, metrics}: {log: Log; metrics: Metrics}): Step {
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
  const givenId = headers["x-request-id"];
  const requestId = typeof givenId === "string" && REQUEST_ID.test(givenId) ? givenId : randomUUID();
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
    part: null,
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
    ...(locals.part === null ? {} : {part: locals.part}),
  };
}

/**
 * Passes requests to an Express application. Express runs no step for a target without a path (`http://`), so such a target goes in as "/";
 * `originalUrl` keeps the original. If the error handler itself fails the connection is aborted: Express would send its own error page.
 */
export function withPath(app: ExpressApp): App {
  const listener = (request: IncomingMessage & {originalUrl?: string}, response: ServerResponse) => {
    const {url = ""} = request;
    if (!url.startsWith("/")) {
      request.originalUrl = url;
      request.url = "/";
    }
    app(request, response, () => response.destroy());
  };
  return Object.assign(listener, {classes: classesOf(app)});
}

/**
 * Request and response classes that already have Express's prototypes. Express sets the prototype of every request and response without
 * them, and changing a prototype costs as much as the rest of its work.
 */
function classesOf(app: ExpressApp): App["classes"] {
  class Request extends IncomingMessage {}
  class Response<Asked extends IncomingMessage> extends ServerResponse<Asked> {}
  app.request = Object.setPrototypeOf(Request.prototype, app.request);
  app.response = Object.setPrototypeOf(Response.prototype, app.response);
  return {IncomingMessage: Request, ServerResponse: Response};
}

/**
 * The security headers of every answer, alternating names and values. TLS terminates in front of this server, so HSTS is left to the proxy;
 * there is no CORS. Helmet would set the same headers on every response, so they are recorded once.
 */
function securityHeaders(): readonly string[] {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  const setAll = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {"default-src": ["'none'"], "frame-ancestors": ["'none'"]},
    },
    strictTransportSecurity: false,
  });
  setAll({} as IncomingMessage, recorder as unknown as ServerResponse, () => {});
  return [...headers].flat();
}
