import type {IncomingMessage} from "node:http";
import type {RequestHandler} from "express";
import type {ApiKeyRecord} from "../../schemas/api-key.ts";
import type {Endpoint} from "./endpoint.ts";

/** The parameters of one request, as its endpoint reads them. */
export type Question = {
  /** Has its members in the order of the schema, whatever the order of the request: equal questions, equal JSON text. */
  readonly query: unknown;
  /** Names that the endpoint does not know, sorted. */
  readonly ignored: readonly string[];
  /** Names of known parameters that were given. */
  readonly given: readonly string[];
};

/** The facts of one request that its steps note in `response.locals`: log line and metrics are made from them. */
export type Facts = {
  readonly requestId: string;
  readonly startedMs: number;
  /** Headers of any answer to this request, names and values in turn; steps add theirs, and `send` writes them at once. */
  readonly headers: string[];
  endpoint: Endpoint | null;
  /** Route template; null for an unknown path, which is never logged itself. */
  route: string | null;
  key: ApiKeyRecord | null;
  question: Question;
  buildId: string | null;
  lookup: string | null;
  countyFips: string | null;
  bytes: number;
  /** False for a request that gets no log line of its own. */
  logged: boolean;
};

/** One step of a request: an Express middleware that hands over to the next step, sends the answer or throws a `Problem`. */
export type Step = RequestHandler<Record<string, string>, unknown, unknown, URLSearchParams, Facts>;
export type Incoming = Parameters<Step>[0];
export type Outgoing = Parameters<Step>[1];

/** True for the two methods that the server answers. */
export function isRead({method}: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** True for every path of the parcel lookups, known or not. */
export function isParcelPath(path: string): boolean {
  return path.startsWith("/public/land-agent/");
}

/** True when bytes follow the header section: the connection is then closed rather than read to its end. */
export function hasBody({headers}: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}
