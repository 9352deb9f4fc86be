import type {IncomingMessage, RequestListener, ServerResponse} from "node:http";
import express from "express";
import type {Logger} from "pino";
import type {Settings} from "../../schemas/settings.ts";
import type {Generation} from "../generation/generation.ts";
import {health, type Readiness} from "../generation/health.ts";
import {access, OPENAPI_PATH, routePath} from "./access.ts";
import {createAnswerCaches} from "./answer-cache.ts";
import type {Endpoint} from "./endpoint.ts";
import {type Exchange, type Handler, isRead, startExchange} from "./exchange.ts";
import type {KeyStore} from "./key-store.ts";
import {createMetrics, type Metrics} from "./metrics.ts";
import {openApiDocument} from "./openapi.ts";
import {Problem} from "./problem.ts";
import {rateLimits} from "./rate.ts";
import {hasBody, refusals} from "./refusal.ts";
import {sendReply, tagOf} from "./reply.ts";
import {plainTarget, type RequestTarget} from "./request-target.ts";
import {runEndpoint} from "./run-endpoint.ts";
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
 * The HTTP application: opens no file and no port. A read of a route goes to the steps at once; every other request takes the way
 * through Express to the same steps, which costs half as much again as they do.
 */
export function createApp(deps: AppDeps): RequestListener {
  const steps = everyRequest(deps);
  const throughExpress = expressApp(deps.settings, steps);
  const routes = new Set([OPENAPI_PATH, ...deps.endpoints.map(({path}) => path)]);
  return (request, response) => {
    const target = isRead(request) ? plainTarget(request.url ?? "") : null;
    if (target !== null && routes.has(routePath(target.path))) steps(request, response, target);
    else throughExpress(request, response);
  };
}

/** Express with the steps as its one handler: it takes request lines of every form apart. */
function expressApp({CATTLE_TRUST_PROXY}: Settings, steps: Steps): RequestListener {
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", (text: string | null) => text ?? "");
  app.set("trust proxy", CATTLE_TRUST_PROXY);
  app.use((request, response) => {
    // Express hands out what the query parser made, and declares what its own parsers make.
    steps(request, response, {path: request.path, query: request.query as unknown as string});
  });
  return app;
}

/** Answers one request; never throws. */
type Steps = (request: IncomingMessage, response: ServerResponse, target: RequestTarget) => void;

/**
 * The steps of every request, in the order that `docs/design/reliability.md` section 6 promises: request id, health, access (403), rate
 * (429), shedding (503), form of the request (414, 400), route (404, 405), parameters (400), answer. They stand in one handler,
 * because a layer of Express for each of them costs more than the steps themselves.
 */
function everyRequest(deps: AppDeps): Steps {
  const {settings, log, metrics = createMetrics(), loopDelay = () => 0} = deps;
  const start = startExchange({log, metrics});
  const answerHealth = health(deps.readiness);
  const checkAccess = access(deps.keys, deps.endpoints);
  const checkRate = rateLimits(settings, metrics);
  const checkLoad = shedding(settings, metrics, loopDelay);
  const answer = answering(deps);
  const refuse = refusals(log);
  const pass = async (exchange: Exchange): Promise<void> => {
    if (answerHealth(exchange)) return;
    checkAccess(exchange);
    await checkRate(exchange);
    checkLoad(exchange);
    checkForm(exchange);
    return answer(exchange);
  };
  return (request, response, target) => {
    const exchange = start(request, response, target);
    pass(exchange)
      .catch((error: unknown) => refuse(exchange, error))
      .catch(() => response.destroy());
  };
}

function checkForm({request}: Exchange): void {
  if ((request.url ?? "").length > LONGEST_URL) {
    throw new Problem("uri-too-long", `The address is longer than ${LONGEST_URL} characters.`);
  }
  if (isRead(request) && hasBody(request)) {
    throw new Problem("invalid-request", "A read takes no request body.", {headers: {Connection: "close"}});
  }
}

/** Hands the request to the route that `access` found for its path. */
function answering(deps: AppDeps): Handler {
  const {endpoints, settings, version, now = () => new Date()} = deps;
  const answers = createAnswerCaches(settings.CATTLE_ANSWER_CACHE_MB * 2 ** 20);
  const handlers = new Map(endpoints.map((one) => [one.path, runEndpoint(one, {...deps, now, answers})]));
  handlers.set(OPENAPI_PATH, sendOpenApi(endpoints, version));
  return (exchange) => {
    const handler = handlers.get(exchange.route ?? "");
    if (handler === undefined) {
      throw new Problem("not-found", "There is nothing at this path; see /openapi.json.");
    }
    if (!isRead(exchange.request)) {
      throw new Problem("method-not-allowed", "This path is read with GET or HEAD.", {
        headers: {Allow: ALLOWED_METHODS},
      });
    }
    return handler(exchange);
  };
}

/** The document is made once: it depends on the endpoints alone. */
function sendOpenApi(endpoints: readonly Endpoint[], version: string): Handler {
  const body = JSON.stringify(openApiDocument(endpoints));
  const tag = tagOf([version, body]);
  const cacheControl = "private, max-age=300, must-revalidate";
  return (exchange) => sendReply(exchange, {body, tag, cacheControl});
}
