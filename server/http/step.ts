import type {IncomingMessage} from "node:http";
import type {RequestHandler} from "express";
import type {ApiKeyRecord} from "../../schemas/api-key.ts";
import type {Endpoint} from "./endpoint.ts";

/** The parameters of one request, as its endpoint reads them. */
export type Question = {
  /** Members are in schema order, whatever the order in the request, so equal questions give equal JSON. */
  readonly query: unknown;
  /** Names unknown to the endpoint, sorted. */
  readonly ignored: readonly string[];
  /** Known parameter names that were given. */
  readonly given: readonly string[];
};

/** Facts that the steps collect in `response.locals`, for the log line and the metrics. */
export type Facts = {
  readonly requestId: string;
  readonly startedMs: number;
  /** Headers for any answer, alternating names and values. Steps append theirs; `send` writes them together. */
  readonly headers: string[];
  /** What the request asks, with the scope that it needs; null where any valid key will do. */
  endpoint: Pick<Endpoint, "scope"> | null;
  /** Route template; null for an unknown path, which is never logged itself. */
  route: string | null;
  key: ApiKeyRecord | null;
  question: Question;
  buildId: string | null;
  lookup: string | null;
  countyFips: string | null;
  /** Path of the file that is transferred, as in the manifest. */
  part: string | null;
  bytes: number;
  /** False for a request without its own log line. */
  logged: boolean;
};

/** One step of a request: Express middleware that calls the next step, sends the answer or throws a `Problem`. */
export type Step = RequestHandler<Record<string, string>, unknown, unknown, URLSearchParams, Facts>;
export type Incoming = Parameters<Step>[0];
export type Outgoing = Parameters<Step>[1];

/** True for the two methods that the server supports. */
export function isRead({method}: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** True for a browser's question whether a page may send a request. */
export function isPreflight({method, headers}: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** True for every path below the parcel lookups, known or not. */
export function isParcelPath(path: string): boolean {
  return path.startsWith("/public/land-agent/");
}

/** True when a body follows; a refusal drops it and closes the connection. */
export function hasBody({headers}: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}
