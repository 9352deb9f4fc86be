import type {IncomingMessage} from "node:http";
import type {ApiKeyRecord} from "../../schemas/api-key.ts";
import type {Endpoint} from "./endpoint.ts";
import {type Exchange, isParcelPath} from "./exchange.ts";
import type {KeyStore} from "./key-store.ts";
import {Problem} from "./problem.ts";

/** Where the OpenAPI document stands: open to any valid key. */
export const OPENAPI_PATH = "/openapi.json";

/**
 * Access before everything else: names the route and passes a request whose key is valid now and has the scope of its path, any valid
 * key where the path is unknown or open to all, and refuses the rest with one and the same 403.
 */
export function access(keys: KeyStore, endpoints: readonly Endpoint[]): (exchange: Exchange) => void {
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  return (exchange) => {
    const path = routePath(exchange.path);
    exchange.endpoint = byPath.get(path) ?? null;
    exchange.route = exchange.endpoint?.path ?? (path === OPENAPI_PATH ? path : null);
    const key = presentedKey(exchange.request, isParcelPath(exchange.path), keys);
    if (key === null || !hasScope(key, exchange.endpoint)) throw accessDenied();
    exchange.key = key;
  };
}

/** The one refusal of all access problems. */
export function accessDenied(): Problem {
  return new Problem(
    "access-denied",
    "This deployment requires API access, and the call lacks valid access.",
  );
}

/** A path as the routes name it: a trailing slash does not count. */
export function routePath(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function hasScope(key: ApiKeyRecord, endpoint: Endpoint | null): boolean {
  return endpoint === null || key.scopes.includes(endpoint.scope);
}

/**
 * The record of the key in X-API-Key or, on parcel paths, in Authorization (bare or Bearer). Two headers must hold the
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

/** Each value of a header as it came, repeated ones too: the parsed headers join them or drop all but the first. */
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
