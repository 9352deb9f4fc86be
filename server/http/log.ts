import type {IncomingMessage} from "node:http";
import {writeData} from "../../lib/text/terminal-output.ts";
import type {ApiKeyRecord} from "../../schemas/api-key.ts";
import type {Settings} from "../../schemas/settings.ts";
import {type Log, openLog} from "../system/json-log.ts";
import type {KeyStore} from "./key-store.ts";
import {type AnonymousCalls, accessDenied} from "./rate.ts";
import {type Facts, isParcelPath, type Step} from "./step.ts";

/** Creates the log: one JSON line per event, UTC times, no host name. Only named facts are logged, never request values. */
export function createLog(settings: Settings): Log {
  // A server whose log nobody reads any more goes on.
  process.stdout.removeAllListeners("error").on("error", () => undefined);
  return openLog(settings.CATTLE_LOG_LEVEL, writeData, {process: settings.CATTLE_PROCESS_NUMBER});
}

/** Name and stack frames of a thrown error, for the log. The message is left out because it may contain a request value. */
export function faultFacts(thrown: unknown): {errorName: string; frames: string[]} {
  if (!(thrown instanceof Error)) return {errorName: typeof thrown, frames: []};
  const frames = (thrown.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {errorName: thrown.name, frames: frames.map((frame) => frame.trim())};
}

/**
 * Admits a request whose key is valid now and has the scope of its route; unknown paths and the OpenAPI document accept any valid key.
 * Every other request gets an identical 403, or 429 after too many of them from its address.
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

function hasScope(key: ApiKeyRecord, endpoint: Facts["endpoint"]): boolean {
  return endpoint === null || endpoint.scope === "any" || key.scopes.includes(endpoint.scope);
}

/** True for parcel paths and for the paths that clients of both families call, with whichever header they use. */
function takesAuthorization(path: string): boolean {
  return (
    isParcelPath(path) || path.startsWith("/files/") || ["/coverage", "/openapi.json", "/mcp"].includes(path)
  );
}

/**
 * Returns the record of the key in X-API-Key or, on these paths, in Authorization (bare or Bearer). If both are present they must match; a
 * repeated header is rejected. Takes the same time with and without a key.
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

/** Returns all values of a header, in order. Node's parsed headers join repeated ones or drop all but the first. */
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
