import type {RequestListener} from "node:http";
import express from "express";
import type {Logger} from "pino";
import {anonymousCalls} from "./anonymous-calls.ts";
import {type AnswerDeps, answer} from "./answer.ts";
import {addDocs} from "./docs.ts";
import {deployed, type Endpoint} from "./endpoint.ts";
import {type ErrorDeps, errors} from "./errors.ts";
import {healthz, type Readiness, readyz} from "./health.ts";
import type {KeyStore} from "./key-store.ts";
import {access} from "./log.ts";
import {createMetrics, type Metrics} from "./metrics.ts";
import {openApiDocument} from "./openapi.ts";
import {parameters} from "./parameters.ts";
import {Problem} from "./problem.ts";
import {rateLimits} from "./rate.ts";
import {sendReply, tagOf} from "./reply.ts";
import {pathTarget, requestForm, requestStart, withPath} from "./request-start.ts";
import {type LoopDelay, shedding} from "./shedding.ts";
import type {Step} from "./step.ts";

export type AppDeps = AnswerDeps & {
  endpoints: readonly Endpoint[];
  readiness: () => Readiness;
  keys: KeyStore;
  log: Logger;
  metrics?: Metrics;
  loopDelay?: LoopDelay;
  damaged?: ErrorDeps["damaged"];
};

const OPENAPI_PATH = "/openapi.json";

/**
 * The HTTP application: opens no file and no port. Its steps are those of `docs/design/reliability.md` section 6, in that
 * order. No step reads a body or makes one from an object: answers are ready texts or bytes.
 */
export function createApp(deps: AppDeps): RequestListener {
  const {settings, keys, log, metrics = createMetrics(), loopDelay = () => 0} = deps;
  const endpoints = deps.endpoints.map((endpoint) => deployed(endpoint, settings));
  const app = express();
  app.disable("x-powered-by");
  app.enable("case sensitive routing");
  app.set("query parser", (text: string | null) => new URLSearchParams(text ?? ""));
  app.set("trust proxy", settings.CATTLE_TRUST_PROXY);

  const gates = [
    access(keys, anonymousCalls(settings, {log, metrics})),
    rateLimits(settings, metrics),
    shedding(settings, metrics, loopDelay),
    requestForm,
  ];
  app.use(requestStart({log, metrics}));
  app.use(pathTarget);
  app.get("/healthz", healthz);
  app.get("/readyz", readyz(deps.readiness));
  const openApiText = JSON.stringify(openApiDocument(endpoints));
  const route = (path: string, endpoint: Endpoint | null, ...steps: Step[]) =>
    app
      .route(path)
      .all(named(path, endpoint), ...gates)
      .get(...steps)
      .all(readsOnly);
  for (const endpoint of endpoints) {
    route(endpoint.path, endpoint, parameters(endpoint), answer(endpoint, deps));
  }
  route(OPENAPI_PATH, null, openApi(openApiText, deps.version));
  if (settings.CATTLE_DOCS) addDocs(app, openApiText);
  app.use(...gates, noAnswer);
  app.use(errors({log, damaged: deps.damaged}));
  return withPath(app);
}

/** Notes the route of a request: access checks its scope, and the log has its template. */
function named(route: string, endpoint: Endpoint | null): Step {
  return (_request, {locals}, next) => {
    locals.route = route;
    locals.endpoint = endpoint;
    next();
  };
}

/** Answers with the OpenAPI document, which is made once: it depends on the endpoints alone. */
function openApi(body: string, version: string): Step {
  const tag = tagOf([version, body]);
  const cacheControl = "private, max-age=300, must-revalidate";
  return (_request, response) => sendReply(response, {body, tag, cacheControl});
}

/** Refuses every method of a known path that its route did not take. */
const readsOnly: Step = () => {
  throw new Problem("method-not-allowed", "This path is read with GET or HEAD.", {
    headers: {Allow: "GET, HEAD"},
  });
};

const noAnswer: Step = () => {
  throw new Problem("not-found", "There is nothing at this path; see /openapi.json.");
};
