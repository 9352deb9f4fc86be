import type {IncomingMessage, RequestListener, ServerResponse} from "node:http";
import {Problem} from "./problem.ts";
import type {Step} from "./step.ts";

type App = (request: IncomingMessage, response: ServerResponse, lastResort: () => void) => void;

/**
 * Hands requests to an Express application. Express runs no step for a target in which it finds no path (`http://`), so such
 * a target goes in as "/"; `originalUrl` keeps it as it came. A request that the error handler itself fails at is broken off:
 * Express would answer it with a page of its own.
 */
export function withPath(app: App): RequestListener {
  return (request: IncomingMessage & {originalUrl?: string}, response) => {
    const {url = ""} = request;
    if (!url.startsWith("/")) {
      request.originalUrl = url;
      request.url = "/";
    }
    app(request, response, () => response.destroy());
  };
}

/** Refuses with 400 a target that does not begin with "/": `*`, or a whole address as it is sent to a forward proxy. */
export const pathTarget: Step = (request, _response, next) => {
  if (request.originalUrl.startsWith("/")) return next();
  throw new Problem("invalid-request", "The request line has no path.", {headers: {Connection: "close"}});
};
