import type {ErrorRequestHandler} from "express";
import type {Logger} from "pino";
import {DamagedFileError} from "../../lib/storage/damaged-file.ts";
import {faultFacts} from "./log.ts";
import {Problem, problemDocument} from "./problem.ts";
import {send} from "./reply.ts";
import {type Facts, hasBody, type Outgoing} from "./step.ts";

type ErrorStep = ErrorRequestHandler<Record<string, string>, unknown, unknown, URLSearchParams, Facts>;

const RETRY_AFTER_SECONDS = 5;

export type ErrorDeps = {
  log: Logger;
  /** Takes the damage that an answer met in a served file. */
  damaged?: ((error: DamagedFileError) => void) | undefined;
};

/**
 * The error handler: answers an expected `Problem` with its document, damage of a served file with 503 and anything else with 500, logged without its values. An
 * answer that is half sent is broken off, so that the caller sees it. A caller who has gone gets nothing.
 */
export function errors(deps: ErrorDeps): ErrorStep {
  // Express knows an error handler by its four parameters.
  return (error: unknown, _request, response, _next) => {
    const problem = asProblem(error, deps, response.locals.requestId);
    if (response.destroyed) return;
    if (response.headersSent) response.destroy();
    else sendProblem(response, problem);
  };
}

function sendProblem(response: Outgoing, problem: Problem): void {
  const {req: request, locals} = response;
  // One body for every 403 on every path: only the header has the id of the request.
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
