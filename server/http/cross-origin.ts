import {isPreflight, type Outgoing, type Step} from "./step.ts";

/** Headers that a page may send, and those of an answer that it may read. */
const requestHeaders =
  "X-API-Key, Authorization, Content-Type, Accept, If-None-Match, If-Range, Range, MCP-Protocol-Version, Mcp-Method, Mcp-Name";
const readable =
  "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Content-Range, Accept-Ranges, Allow";

/**
 * Lets web pages of the listed origins read every answer, refusals too, and answers their preflights, which carry no key, with 204: the
 * same for each path, known or not. Preflights of other origins go on, to the usual 403. No cookie is read, so credentials are never allowed.
 */
export function crossOrigin(origins: readonly string[], shed: Step): Step {
  return (request, response, next) => {
    const {origin} = request.headers;
    const {headers} = response.locals;
    headers.push("Vary", "Origin");
    if (origin === undefined || !origins.includes(origin)) return next();
    headers.push("Access-Control-Allow-Origin", origin, "Access-Control-Expose-Headers", readable);
    if (!isPreflight(request)) return next();
    response.locals.route = "preflight";
    return shed(request, response, (refusal?: unknown) => {
      if (refusal === undefined) allow(response);
      else next(refusal);
    });
  };
}

function allow(response: Outgoing): void {
  const headers = [
    "Access-Control-Allow-Methods",
    "GET, HEAD, POST",
    "Access-Control-Allow-Headers",
    requestHeaders,
  ];
  response.writeHead(204, [...response.locals.headers, ...headers, "Access-Control-Max-Age", "600"]);
  response.end();
}
