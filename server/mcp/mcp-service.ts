import {programVersion} from "../../lib/paths.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import type {Settings} from "../../schemas/settings.ts";
import type {Generation} from "../generation/generation.ts";
import {type Ask, answerDirectly, problemAnswer} from "../http/direct-answer.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {faultFacts} from "../http/log.ts";
import {Problem} from "../http/problem-document.ts";
import {accessDenied} from "../http/rate.ts";
import {send} from "../http/reply.ts";
import type {Service, ServiceParts} from "../http/service.ts";
import type {Facts, Incoming, Step} from "../http/step.ts";
import type {Log} from "../system/json-log.ts";
import type {sqlOfKeys} from "./sql-of-keys.ts";
import type {AskSql} from "./sql-tool.ts";

const maxBytes = 2 ** 20;
const maxDepth = 32;
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/**
 * `/mcp`: the tools of `cattle mcp` over Streamable HTTP. One POST is one JSON message, answered with JSON; nothing is kept between two of
 * them. Keys, limits and log are those of the endpoints, and only tools of the key's scopes are listed.
 */
export function mcpService(parts: ServiceParts, {settings, log}: {settings: Settings; log: Log}): Service {
  const answerMessage = messageAnswers(parts, settings, log);
  const answer: Step = async (request, response) => {
    if (!isOwnPage(request, settings)) throw accessDenied();
    const generation = parts.generation();
    if (generation === null) throw new Problem("build-unavailable", "No data build is being served.");
    response.locals.buildId = generation.buildId;
    const text = await bodyText(request);
    const message = oneMessage(text);
    const leaving = new AbortController();
    response.once("close", () => leaving.abort());
    const {locals: facts} = response;
    const reply = await answerMessage({request, message, text, facts, generation, gone: leaving.signal});
    const body = Buffer.from(await reply.arrayBuffer());
    const type = reply.headers.get("content-type") ?? "application/json";
    send(response, {
      status: reply.status,
      headers: ["Content-Type", type, "Cache-Control", "no-store"],
      body,
    });
  };
  return {path: "/mcp", route: "/mcp", method: "post", scope: "any", counts: "requests", answer};
}

type Message = {
  request: Incoming;
  message: object;
  text: string;
  facts: Facts;
  generation: Generation;
  /** Aborted when the caller has left. */
  gone: AbortSignal;
};

/** Answers single messages; the protocol library is loaded with the first of them. */
function messageAnswers({endpoints, limits}: ServiceParts, settings: Settings, log: Log) {
  let sqlOfKey: ReturnType<typeof sqlOfKeys> | undefined;
  return async ({request, message, text, facts, generation, gone}: Message): Promise<Response> => {
    const [
      {createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport},
      {createMcpServer},
      {sqlOfKeys},
    ] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./mcp-server.ts"),
      import("./sql-of-keys.ts"),
    ]);
    const scopes = facts.key?.scopes ?? [];
    const allowed = endpoints.filter(({scope}) => scope === "any" || scopes.includes(scope));
    const ask = askAs({endpoints: allowed, limits, facts, generation, settings, log});
    let askSql: AskSql | null = null;
    if (settings.CATTLE_MCP_SQL && scopes.includes("files")) {
      sqlOfKey ??= sqlOfKeys(dataFolder(settings.CATTLE_DATA));
      const asked = sqlOfKey(facts.key?.id ?? "", generation);
      // What a caller who has left asked for is ended, so that the key can ask again.
      askSql = (given, signal) => asked(given, AbortSignal.any([gone, ...(signal ? [signal] : [])]));
    }
    const makeServer = () => createMcpServer({endpoints: allowed, ask, askSql}, programVersion());
    const forwarded = new Request("http://server/mcp", {
      method: "POST",
      headers: forwardedHeaders(request),
      body: text,
    });
    if (!(await isLegacyRequest(forwarded, message))) {
      // No tool tells anything before its answer, so the answer is plain JSON.
      const handler = createMcpHandler(makeServer, {legacy: "reject", maxSubscriptions: 0});
      return handler.fetch(forwarded, {parsedBody: message});
    }
    const transport = new WebStandardStreamableHTTPServerTransport({enableJsonResponse: true});
    const server = makeServer();
    await server.connect(transport);
    try {
      return await transport.handleRequest(forwarded, {parsedBody: message});
    } finally {
      await server.close();
    }
  };
}

type Asked = {
  endpoints: readonly Endpoint[];
  limits: ServiceParts["limits"];
  facts: Facts;
  generation: Generation;
  settings: Settings;
  log: Log;
};

/** Asks the endpoints with the rights of a request's key; an owner search counts against the key's day. */
function askAs({endpoints, limits, facts, generation, settings, log}: Asked): Ask {
  const {requestId, key} = facts;
  const caller = {scopes: key?.scopes ?? [], requestId, keyId: key?.id ?? ""};
  return async (path, values) => {
    try {
      const endpoint = endpoints.find((each) => each.path === path)!;
      if (endpoint.scope === "owner-search") await limits.takeOwnerSearch(caller.keyId);
      return await answerDirectly(endpoint, values, {generation, settings, caller});
    } catch (error) {
      if (error instanceof Problem) return problemAnswer(error, requestId);
      log.error({requestId, ...faultFacts(error)}, "internal error");
      return problemAnswer(
        new Problem("internal", "Something went wrong here; the request id finds it in our log."),
        requestId,
      );
    }
  };
}

/** Headers of the protocol; the key stays here. */
function forwardedHeaders({headers}: Incoming): Record<string, string> {
  const names = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

/**
 * True unless a foreign web page sent the request: its origin must be this server or a listed one, and a server of this machine must be
 * called by a name of this machine, which a page that rebinds its own name cannot do. A proxy in front calls it by its public name.
 */
function isOwnPage(request: Incoming, settings: Settings): boolean {
  const {CATTLE_HOST, CATTLE_CORS_ORIGINS, CATTLE_TRUST_PROXY} = settings;
  const {origin, host = ""} = request.headers;
  const isLocalOnly = CATTLE_TRUST_PROXY.length === 0 && /^(localhost|127\.|::1$)/.test(CATTLE_HOST);
  if (isLocalOnly && !loopback.test(host)) return false;
  if (origin === undefined || CATTLE_CORS_ORIGINS.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

async function bodyText(request: Incoming): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new Problem("invalid-request", "A message has at most 1 MiB.", {headers: {Connection: "close"}});
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Parses one message. Throws a 400 for anything but a JSON object, for a batch, and for one nested too deeply. */
function oneMessage(text: string): object {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new Problem("invalid-request", "The body must be one JSON message of the Model Context Protocol.");
  }
  if (typeof message !== "object" || message === null || Array.isArray(message))
    throw new Problem("invalid-request", "The body must be one JSON object; batches are not taken.");
  if (depthOf(message) > maxDepth)
    throw new Problem("invalid-request", `A message is nested at most ${maxDepth} deep.`);
  if ("method" in message && message.method === "subscriptions/listen")
    throw new Problem(
      "invalid-request",
      "Nothing changes between two calls, so there is nothing to listen to.",
    );
  return message;
}

/** Depth of a JSON value, counted level by level so that no depth overflows the stack; it stops behind the limit. */
function depthOf(value: object): number {
  let depth = 0;
  for (let level: unknown[] = [value]; level.length > 0 && depth <= maxDepth; depth += 1)
    level = level.flatMap((each) => (each !== null && typeof each === "object" ? Object.values(each) : []));
  return depth;
}
