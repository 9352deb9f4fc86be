import type {IncomingMessage} from "node:http";
import type {Logger} from "pino";
import {type Exchange, isParcelPath} from "./exchange.ts";
import {faultFacts} from "./log.ts";
import {Problem, problemDocument} from "./problem.ts";
import {send} from "./send.ts";

const RETRY_AFTER_SECONDS = 5;

/** Last step of a failed request: an expected `Problem` as its document, anything else as 500, logged without its values. */
export function refusals(log: Logger): (exchange: Exchange, error: unknown) => void {
  return (exchange, error) => {
    const {response} = exchange;
    const problem = asProblem(error, log, exchange.requestId);
    // Half an answer is on its way: the caller must see that it is broken off.
    if (response.headersSent) response.destroy();
    else sendProblem(exchange, problem);
  };
}

/** Writes the problem document of a refused request. */
function sendProblem(exchange: Exchange, problem: Problem): void {
  const {request, requestId, path} = exchange;
  // One body for every 403, whatever was asked: the id of the request stands in its header alone.
  const denied = problem.slug === "access-denied";
  const document = problemDocument(
    problem,
    denied ? "X-Request-Id" : requestId,
    denied || isParcelPath(path),
  );
  const headers = {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    ...retryAfter(problem),
    ...(hasBody(request) ? {Connection: "close"} : {}),
    ...problem.extras.headers,
  };
  send(exchange, {
    status: problem.status,
    headers: Object.entries(headers).flat(),
    body: JSON.stringify(document),
  });
}

/** True when bytes follow the header section: the connection is then closed rather than read to its end. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function retryAfter(problem: Problem): Record<string, string> {
  const seconds = problem.extras.retryAfterSeconds ?? RETRY_AFTER_SECONDS;
  return problem.status === 429 || problem.status === 503 ? {"Retry-After": String(Math.ceil(seconds))} : {};
}

function asProblem(error: unknown, log: Logger, requestId: string): Problem {
  if (error instanceof Problem) return error;
  const status = (error as {status?: unknown} | null)?.status;
  if (status === 400) return new Problem("invalid-request", "The request line cannot be read.");
  log.error({requestId, ...faultFacts(error)}, "internal error");
  return new Problem("internal", "Something went wrong here; the request id finds it in our log.");
}
