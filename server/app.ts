import type {IncomingMessage, ServerResponse} from "node:http";
import express, {type Express, type RequestHandler} from "express";
import helmet from "helmet";
import type {Logger} from "pino";
import type {Settings} from "../schemas/settings.ts";
import {access} from "./access.ts";
import type {Endpoint} from "./endpoint.ts";
import {exchangeOf, startExchange} from "./exchange.ts";
import type {Generation} from "./generation.ts";
import {health, type Readiness} from "./health.ts";
import type {KeyStore} from "./key-store.ts";
import {createMetrics, type Metrics} from "./metrics.ts";
import {openApiDocument} from "./openapi.ts";
import {Problem} from "./problem.ts";
import {rateLimits} from "./rate.ts";
import {hasBody, refusals} from "./refusal.ts";
import {sendReply, tagOf} from "./reply.ts";
import {type EndpointDeps, runEndpoint} from "./run-endpoint.ts";
import {type LoopDelay, shedding} from "./shedding.ts";

export type AppDeps = {
  endpoints: readonly Endpoint[];
  generation: () => Generation | null;
  readiness: () => Readiness;
  keys: KeyStore;
  settings: Settings;
  /** Version of the server, part of every ETag. */
  version: string;
  log: Logger;
  metrics?: Metrics;
  loopDelay?: LoopDelay;
  now?: () => Date;
};

const LONGEST_URL = 4096;
const ALLOWED_METHODS = "GET, HEAD";

/**
 * The HTTP application: opens no file and no port. The order of the steps is the promise of `reliability.md` section 6:
 * request id, access (403), rate (429), shedding (503), form of the request (414, 400), route (404, 405), parameters
 * (400), answer.
 */
export function createApp(deps: AppDeps): Express {
  const {
    endpoints,
    settings,
    log,
    metrics = createMetrics(),
    loopDelay = () => 0,
    now = () => new Date(),
  } = deps;
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const app = tunedExpress(settings);
  app.use(startExchange({log, metrics}));
  app.use(securityHeaders());
  app.use(health(deps.readiness));
  app.use(access(deps.keys, byPath));
  app.use(rateLimits(settings, metrics));
  app.use(shedding(settings, metrics, loopDelay));
  app.use(wellFormed);
  app.use(answering(endpoints, {...deps, now}));
  app.get("/openapi.json", sendOpenApi(endpoints, deps.version));
  app.all("/openapi.json", methodNotAllowed);
  app.use(notFound);
  app.use(refusals(log));
  return app;
}

function tunedExpress(settings: Settings): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("query parser", "simple");
  app.set("case sensitive routing", true);
  app.set("trust proxy", settings.CATTLE_TRUST_PROXY);
  return app;
}

/**
 * TLS ends in front of this server, so HSTS is left to the proxy; no other origin is let in (no CORS). Helmet sets the same
 * headers on every response, so they are taken from it once.
 */
function securityHeaders(): RequestHandler {
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
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}

/** The answer of the endpoint that `access` found for the path; other paths go on. */
function answering(endpoints: readonly Endpoint[], deps: EndpointDeps): RequestHandler {
  const handlers = new Map(endpoints.map((endpoint) => [endpoint, runEndpoint(endpoint, deps)]));
  return (request, response, next) => {
    const {endpoint} = exchangeOf(response);
    const handler = endpoint === null ? undefined : handlers.get(endpoint);
    if (handler === undefined) return next();
    if (request.method !== "GET" && request.method !== "HEAD")
      return methodNotAllowed(request, response, next);
    return handler(request, response, next);
  };
}

const wellFormed: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.length > LONGEST_URL) {
    throw new Problem("uri-too-long", `The address is longer than ${LONGEST_URL} characters.`);
  }
  const reads = request.method === "GET" || request.method === "HEAD";
  if (reads && hasBody(request)) {
    throw new Problem("invalid-request", "A read takes no request body.", {headers: {Connection: "close"}});
  }
  next();
};

const methodNotAllowed: RequestHandler = () => {
  throw new Problem("method-not-allowed", "This path is read with GET or HEAD.", {
    headers: {Allow: ALLOWED_METHODS},
  });
};

const notFound: RequestHandler = () => {
  throw new Problem("not-found", "There is nothing at this path; see /openapi.json.");
};

/** The document is made once: it depends on the endpoints alone. */
function sendOpenApi(endpoints: readonly Endpoint[], version: string): RequestHandler {
  const body = JSON.stringify(openApiDocument(endpoints));
  const tag = tagOf([version, body]);
  return (request, response) =>
    sendReply(request, response, {body, tag, cacheControl: "private, max-age=300, must-revalidate"});
}
