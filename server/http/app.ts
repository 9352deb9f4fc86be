import type {IncomingMessage} from "node:http";
import {DamagedFileError} from "@open-cattle/mapped-index";
import express, {type ErrorRequestHandler} from "express";
import type {Generation} from "../generation/generation.ts";
import type {Log} from "../system/json-log.ts";
import {createMetrics, type Metrics} from "../system/metrics.ts";
import {crossOrigin} from "./cross-origin.ts";
import {addDocs} from "./docs.ts";
import {deployed, type Endpoint} from "./endpoint.ts";
import {turns} from "./fair-share.ts";
import type {KeyStore} from "./key-store.ts";
import {access, faultFacts} from "./log.ts";
import {openApiDocument} from "./openapi.ts";
import {parameters} from "./parameters.ts";
import {Problem, problemDocument} from "./problem-document.ts";
import {anonymousCalls, rateLimits} from "./rate.ts";
import {send, sendReply, tagOf} from "./reply.ts";
import {type App, pathTarget, requestStart, requestSyntax, withPath} from "./request-start.ts";
import {type AnswerDeps, answer} from "./send-answer.ts";
import type {MakeServices} from "./service.ts";
import {type LoopDelay, shedding} from "./shedding.ts";
import {type Facts, hasBody, type Outgoing, type Step} from "./step.ts";

type ErrorStep = ErrorRequestHandler<Record<string, string>, unknown, unknown, URLSearchParams, Facts>;

const RETRY_AFTER_SECONDS = 5;
const LINGER_MS = 1_000;
const MOST_DROPPED_BYTES = 1_048_576;

type ErrorDeps = {
  log: Log;
  metrics: Metrics;
  /** Reports damage that an answer met in a served file. */
  damaged?: ((error: DamagedFileError) => void) | undefined;
};

/** What the readiness endpoint reports. */
type Readiness = {
  generation: Generation | null;
  draining: boolean;
  mapping: "mmap" | "copied";
  /** Faults that do not prevent reads; empty when all is well. */
  reasons: readonly string[];
};

/** `/healthz`: 200 while the event loop runs. */
const healthz: Step = (_request, response) => {
  response.locals.route = "/healthz";
  sendState(response, 200, {status: "ok"});
};

export type AppDeps = AnswerDeps & {
  endpoints: readonly Endpoint[];
  readiness: () => Readiness;
  keys: KeyStore;
  log: Log;
  metrics?: Metrics;
  loopDelay?: LoopDelay;
  damaged?: ErrorDeps["damaged"];
  /** What is served beside the endpoints. */
  services?: MakeServices;
};

const OPENAPI_PATH = "/openapi.json";

/**
 * The HTTP application; opens no file and no port. Its steps are those of `docs/design/reliability.md` section 6, in that order. No step
 * reads a body or serialises an object: answers are ready-made texts or bytes.
 */
export function createApp(deps: AppDeps): App {
  const {settings, keys, log, metrics = createMetrics(), loopDelay = () => 0} = deps;
  const endpoints = deps.endpoints.map((endpoint) => deployed(endpoint, settings));
  const app = express();
  app.disable("x-powered-by");
  app.enable("case sensitive routing");
  app.set("query parser", (text: string | null) => new URLSearchParams(text ?? ""));
  app.set("trust proxy", settings.CATTLE_TRUST_PROXY);

  const limits = rateLimits(settings, metrics);
  const admit = access(keys, anonymousCalls(settings, {log, metrics}));
  const shed = shedding(settings, metrics, loopDelay);
  const gates = [admit, turns(), limits.requests, shed, requestSyntax];
  app.use(requestStart({log, metrics}));
  app.use(pathTarget);
  if (settings.CATTLE_CORS_ORIGINS.length > 0) app.use(crossOrigin(settings.CATTLE_CORS_ORIGINS, shed));
  app.get("/healthz", healthz);
  app.get("/readyz", readyz(deps.readiness));
  const openApiText = JSON.stringify(openApiDocument(endpoints));
  const route = (path: string, endpoint: Endpoint | null, ...steps: Step[]) =>
    app
      .route(path)
      .all(nameRoute(path, endpoint), ...gates)
      .get(...steps)
      .all(readsOnly);
  for (const endpoint of endpoints) {
    route(endpoint.path, endpoint, parameters(endpoint), answer(endpoint, deps));
  }
  route(OPENAPI_PATH, null, openApi(openApiText, deps.version));
  if (settings.CATTLE_DOCS) addDocs(app, openApiText);
  const fileGates = [admit, limits.files, requestSyntax];
  for (const service of deps.services?.({generation: deps.generation, endpoints, limits}) ?? []) {
    const {path, route: template, scope, method, counts, answer: step} = service;
    const all = scope === "open" ? [] : counts === "files" ? fileGates : gates;
    const asked = scope === "open" ? null : {scope};
    app
      .route(path)
      .all(nameRoute(template, asked), ...all)
      [method](step)
      .all(method === "get" ? readsOnly : postsOnly);
  }
  app.use(...gates, noAnswer);
  app.use(errors({log, metrics, damaged: deps.damaged}));
  return withPath(app);
}

/** Sets the request's route: access checks its scope, and the log records its template. */
function nameRoute(route: string, endpoint: Facts["endpoint"]): Step {
  return (_request, {locals}, next) => {
    locals.route = route;
    locals.endpoint = endpoint;
    next();
  };
}

/** Serves the OpenAPI document, which is rendered once because it depends on the endpoints alone. */
function openApi(body: string, version: string): Step {
  const tag = tagOf([version, body]);
  const cacheControl = "private, max-age=300, must-revalidate";
  return (_request, response) => sendReply(response, {body, tag, cacheControl});
}

/** Refuses every other method on a known path. */
const readsOnly: Step = () => {
  throw new Problem("method-not-allowed", "This path is read with GET or HEAD.", {
    headers: {Allow: "GET, HEAD"},
  });
};

const postsOnly: Step = () => {
  throw new Problem("method-not-allowed", "This path takes POST.", {headers: {Allow: "POST"}});
};

const noAnswer: Step = () => {
  throw new Problem("not-found", "There is nothing at this path; see /openapi.json.");
};

/** `/readyz`: 200 with the build and any degradation; 503 without a build or while the server drains. */
function readyz(readiness: () => Readiness): Step {
  return (_request, response) => {
    response.locals.route = "/readyz";
    const {generation, draining, mapping, reasons} = readiness();
    const ready = generation !== null && !draining;
    const status = reasons.length === 0 ? "ready" : "degraded";
    sendState(response, ready ? 200 : 503, {
      status: ready ? status : "not_ready",
      build_id: generation?.buildId ?? null,
      as_of_date: generation?.asOf ?? null,
      mapping,
      reasons,
    });
  };
}

function sendState(response: Outgoing, status: 200 | 503, value: unknown): void {
  const headers = ["Content-Type", "application/json; charset=utf-8", "Cache-Control", "no-store"];
  if (status === 503) headers.push("Retry-After", "5");
  send(response, {status, headers, body: JSON.stringify(value)});
}

/**
 * The error handler: an expected `Problem` becomes its document, damage in a served file 503, anything else 500, logged without its values.
 * A half-sent answer is aborted so that the caller notices. A caller who has disconnected gets nothing.
 */
function errors(deps: ErrorDeps): ErrorStep {
  // Express recognises an error handler by its four parameters.
  return async (error: unknown, _request, response, _next) => {
    const problem = asProblem(error, deps, response.locals.requestId);
    if (problem.status >= 500) deps.metrics.failed(problem.slug);
    await droppedBody(response.req);
    if (response.destroyed) return;
    if (response.headersSent) response.destroy();
    else sendProblem(response, problem);
  };
}

/**
 * Resolves once a request's body has arrived and been dropped, at most 1 MiB within a second: a connection that is closed while the caller
 * is sending is reset, and the refusal is lost (RFC 9112 9.6); a proxy then answers 502.
 */
async function droppedBody(request: IncomingMessage): Promise<void> {
  if (!hasBody(request) || request.complete || request.destroyed) return;
  const {promise, resolve} = Promise.withResolvers<void>();
  const late = setTimeout(resolve, LINGER_MS);
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_DROPPED_BYTES) resolve();
  });
  request.once("end", resolve).once("close", resolve);
  await promise;
  clearTimeout(late);
}

function sendProblem(response: Outgoing, problem: Problem): void {
  const {req: request, locals} = response;
  // Every 403 has the same body on every path, so its request id is in the header only.
  const instance = problem.slug === "access-denied" ? "X-Request-Id" : locals.requestId;
  const document = problemDocument(problem, instance);
  const headers = {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    ...retryAfter(problem),
    ...(hasBody(request) ? {Connection: "close"} : {}),
    ...problem.extras.headers,
  };
  send(response, {
    status: problem.status,
    headers: Object.entries(headers).flat(),
    body: JSON.stringify(document),
  });
}

function retryAfter(problem: Problem): Record<string, string> {
  const seconds = problem.extras.retryAfterSeconds ?? RETRY_AFTER_SECONDS;
  return problem.status === 429 || problem.status === 503 ? {"Retry-After": String(Math.ceil(seconds))} : {};
}

function asProblem(error: unknown, {log, damaged}: ErrorDeps, requestId: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DamagedFileError) {
    damaged?.(error);
    return new Problem("build-unavailable", "A record of this answer is damaged here; others can be read.");
  }
  log.error({requestId, ...faultFacts(error)}, "internal error");
  return new Problem("internal", "Something went wrong here; the request id finds it in our log.");
}
