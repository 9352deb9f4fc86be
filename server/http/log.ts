import type {IncomingMessage} from "node:http";
import {type DestinationStream, type Logger, pino} from "pino";
import type {ApiKeyRecord} from "../../schemas/api-key.ts";
import type {Settings} from "../../schemas/settings.ts";
import type {Endpoint} from "./endpoint.ts";
import type {KeyStore} from "./key-store.ts";
import {type AnonymousCalls, accessDenied} from "./rate.ts";
import {isParcelPath, type Step} from "./step.ts";

/** The log: one JSON line per event, UTC times, no host name. Nothing but named facts goes in, never a request value. */
export function createLog(settings: Settings, destination?: DestinationStream): Logger {
  const options = {
    level: settings.CATTLE_LOG_LEVEL,
    base: {process: settings.CATTLE_PROCESS_NUMBER},
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {level: (label: string) => ({level: label})},
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Name and frames of a thrown error, for the log. Its message is left out, since it may repeat a request value. */
export function faultFacts(thrown: unknown): {errorName: string; frames: string[]} {
  if (!(thrown instanceof Error)) return {errorName: typeof thrown, frames: []};
  const frames = (thrown.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {errorName: thrown.name, frames: frames.map((frame) => frame.trim())};
}

/**
 * Lets a request pass if its key is valid now and has the scope of its route; an unknown path and the OpenAPI document take any
 * valid key. Every other request gets one and the same 403, or 429 if its address had too many of them.
 */
export function access(keys: KeyStore, anonymous: AnonymousCalls): Step {
  return (request, response, next) => {
    const {locals} = response;
    const key = presentedKey(request, takesAuthorization(request.path), keys);
    if (key === null) return anonymous.refuse(request, locals);
    if (!hasScope(key, locals.endpoint)) throw accessDenied();
    locals.key = key;
    next();
  };
}

function hasScope(key: ApiKeyRecord, endpoint: Endpoint | null): boolean {
  return endpoint === null || endpoint.scope === "any" || key.scopes.includes(endpoint.scope);
}

/** True for parcel paths, and for what callers of either family ask: they come with the header that they have. */
function takesAuthorization(path: string): boolean {
  return isParcelPath(path) || path === "/coverage" || path === "/openapi.json";
}

/**
 * The record of the key in X-API-Key or, on these paths, in Authorization (bare or Bearer). Two headers must hold the
 * same key; a repeated header never passes. The same work is done whether a key came or not.
 */
function presentedKey(
  request: IncomingMessage,
  authorizationToo: boolean,
  keys: KeyStore,
): ApiKeyRecord | null {
  const apiKey = headerValues(request, "x-api-key");
  const authorization = authorizationToo ? headerValues(request, "authorization") : [];
  const presented = authorization.length === 0 ? apiKey : [...apiKey, ...authorization.map(withoutScheme)];
  const found = keys.find(presented[0] ?? "");
  const once = apiKey.length <= 1 && authorization.length <= 1;
  return once && presented.every((key) => key === presented[0]) ? found : null;
}

/** All values of a header in their order; the parsed headers would join repeated ones or drop all but the first. */
function headerValues({headers, rawHeaders}: IncomingMessage, name: string): string[] {
  if (headers[name] === undefined) return [];
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() === name) values.push(rawHeaders[i + 1]!);
  }
  return values;
}

function withoutScheme(value: string): string {
  return value.replace(/^bearer +/i, "");
}
