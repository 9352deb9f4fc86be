import type {IncomingMessage, RequestListener} from "node:http";
import {Problem} from "./problem.ts";
import type {Step} from "./step.ts";

/**
 * Hands requests to an Express application. Express runs no step for a target in which it finds no path (`http://`), so such
 * a target goes in as "/"; `originalUrl` keeps it as it came.
 */
export function withPath(app: RequestListener): RequestListener {
  return (request: IncomingMessage & {originalUrl?: string}, response) => {
    const {url = ""} = request;
    if (!url.startsWith("/")) {
      request.originalUrl = url;
      request.url = "/";
    }
    app(request, response);
  };
}

/** Refuses with 400 a target that does not begin with "/": `*`, or a whole address as it is sent to a forward proxy. */
export const pathTarget: Step = (request, _response, next) => {
  if (request.originalUrl.startsWith("/")) return next();
  throw new Problem("invalid-request", "The request line has no path.", {headers: {Connection: "close"}});
};
