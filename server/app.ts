import express, {type Express, type RequestHandler} from "express";
import type {Logger} from "pino";
import type {Settings} from "../schemas/settings.ts";
import {access, OPENAPI_PATH} from "./access.ts";
import {createAnswerCaches} from "./answer-cache.ts";
import type {Endpoint} from "./endpoint.ts";
import {type Exchange, type Handler, isRead, startExchange} from "./exchange.ts";
import type {Generation} from "./generation.ts";
import {health, type Readiness} from "./health.ts";
import type {KeyStore} from "./key-store.ts";
import {createMetrics, type Metrics} from "./metrics.ts";
import {openApiDocument} from "./openapi.ts";
import {parseQuery} from "./parameters.ts";
import {Problem} from "./problem.ts";
import {rateLimits} from "./rate.ts";
import {hasBody, refusals} from "./refusal.ts";
import {sendReply, tagOf} from "./reply.ts";
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

/** The HTTP application: opens no file and no port. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", parseQuery);
  app.set("trust proxy", deps.settings.CATTLE_TRUST_PROXY);
  app.use(everyRequest(deps));
  app.use(refusals(deps.log));
  return app;
}

/**
 * The steps of every request, in the order that `reliability.md` section 6 promises: request id, health, access (403), rate
 * (429), shedding (503), form of the request (414, 400), route (404, 405), parameters (400), answer. They stand in one handler,
 * because a layer of Express for each of them costs more than the steps themselves.
 */
function everyRequest(deps: AppDeps): RequestHandler {
  const {settings, log, metrics = createMetrics(), loopDelay = () => 0} = deps;
  const start = startExchange({log, metrics});
  const answerHealth = health(deps.readiness);
  const checkAccess = access(deps.keys, deps.endpoints);
  const checkRate = rateLimits(settings, metrics);
  const checkLoad = shedding(settings, metrics, loopDelay);
  const answer = answering(deps);
  return async (request, response) => {
    const exchange = start(request, response);
    if (answerHealth(exchange)) return;
    checkAccess(exchange);
    await checkRate(exchange);
    checkLoad(exchange);
    checkForm(exchange);
    return answer(exchange);
  };
}

function checkForm({request}: Exchange): void {
  if (request.originalUrl.length > LONGEST_URL) {
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
