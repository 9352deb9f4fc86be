import {mkdtempSync, rmSync} from "node:fs";
import {createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request} from "node:http";
import type {AddressInfo} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {keyDigest, newKey} from "../../lib/keys/api-keys.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {type ApiKeyRecord, Scope} from "../../schemas/api-key.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import type {Generation} from "../../server/generation/generation.ts";
import {type AppDeps, createApp} from "../../server/http/app.ts";
import {marketEndpoints} from "../../server/market/market-endpoints.ts";
import type {MarketArtifacts} from "../../server/tables/market-set.ts";
import {silentLog} from "../silent-log.ts";
import {fixedKeyStore} from "./fixed-key-store.ts";

/** A temporary folder and its removal. */
export function temporaryFolder(): {path: string; remove: () => void} {
  const path = mkdtempSync(join(tmpdir(), "cattle-server-"));
  return {path, remove: () => rmSync(path, {recursive: true, force: true})};
}

export const BUILT_AT = "2026-11-21T06:10:00Z";

/** A generation that was never on disk. */
export function generationOf(market: MarketArtifacts | null, changes: Partial<Generation> = {}): Generation {
  const manifest = {states: {}} as Manifest;
  return {
    buildId: "20261121-3f9c1a",
    builtAt: BUILT_AT,
    asOf: "2026-11-21",
    sample: false,
    manifest,
    market,
    states: new Map(),
    ...changes,
  };
}

/** A key with its record; valid now, every scope, unless changed. */
export function testKey(changes: Partial<ApiKeyRecord> = {}): {key: string; record: ApiKeyRecord} {
  const key = newKey();
  const record = {
    id: "key-test",
    sha256: keyDigest(key),
    scopes: [...Scope.options],
    notBefore: "2020-01-01T00:00:00Z",
    notAfter: null,
    label: "test",
    ...changes,
  };
  return {key, record};
}

export type Reply = {
  status: number;
  headers: IncomingHttpHeaders;
  raw: Buffer;
  text: string;
  json: () => TestBody;
};
/** Bodies are looked into freely by tests. */
export type TestBody = Record<string, unknown> & {
  records: Record<string, unknown>[];
  error: string;
  invalid_params: {name: string; value?: string; reason: string; allowed?: string[]}[];
  limitations: string[];
};

export type TestServer = {
  key: string;
  port: number;
  get(
    path: string,
    options?: {headers?: OutgoingHttpHeaders | string[]; method?: string; body?: string},
  ): Promise<Reply>;
  close(): Promise<void>;
};

/** The app on a free loopback port, with a key of every scope that `get` sends unless headers are given. */
export async function testServer(
  changes: Partial<AppDeps> & {records?: ApiKeyRecord[]},
): Promise<TestServer> {
  const {key, record} = testKey();
  const app = createApp({
    endpoints: marketEndpoints,
    generation: () => null,
    readiness: () => ({generation: null, draining: false, mapping: "mmap", reasons: []}),
    keys: fixedKeyStore([record, ...(changes.records ?? [])]),
    settings: readSettings({CATTLE_RATE_PER_MINUTE: "1000000", CATTLE_DEADLINE_MS: "60000"}),
    version: "test",
    log: silentLog,
    now: () => new Date(BUILT_AT),
    ...changes,
  });
  const server = createServer(app.classes, app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const {port} = server.address() as AddressInfo;
  return {
    key,
    port,
    get: (path, {headers = {"X-API-Key": key}, method = "GET", body} = {}) =>
      ask({port, path, headers, method, body}),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Question = {
  port: number;
  path: string;
  headers: OutgoingHttpHeaders | string[];
  method: string;
  body: string | undefined;
};

function ask({port, path, headers, method, body}: Question): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({host: "127.0.0.1", port, path, method, headers}, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const raw = Buffer.concat(chunks);
        const text = raw.toString();
        const json = () => JSON.parse(text) as TestBody;
        resolve({status: response.statusCode ?? 0, headers: response.headers, raw, text, json});
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
