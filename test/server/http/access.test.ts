import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {readSettings} from "../../../lib/read-settings.ts";
import type {ApiKeyRecord, Scope} from "../../../schemas/api-key.ts";
import type {Endpoint} from "../../../server/http/endpoint.ts";
import {marketEndpoints} from "../../../server/market/market-endpoints.ts";
import {createMetrics} from "../../../server/system/metrics.ts";
import {generationOf, type TestServer, testKey, testServer} from "../server-fixture.ts";

const parcelPath = "/public/land-agent/property/parcel-id-lookup";
const ownerPath = "/public/land-agent/property/owner-search";

/** Stands for a parcel lookup: answers without looking anything up. */
function parcelEndpoint(path: string, scope: Scope): Endpoint {
  const answer = () => ({body: JSON.stringify({properties: []})});
  return {...marketEndpoints[5]!, path, scope, family: "parcel", operationId: path.slice(-12), answer};
}

const endpoints = [
  ...marketEndpoints,
  parcelEndpoint(parcelPath, "parcel"),
  parcelEndpoint(ownerPath, "owner-search"),
];
const full = testKey({id: "full"});
const other = testKey({id: "other"});
const marketOnly = testKey({id: "market", scopes: ["market"]});
const parcelOnly = testKey({id: "parcel", scopes: ["parcel"]});
const expired = testKey({id: "expired", notAfter: "2021-01-01T00:00:00Z"});
const future = testKey({id: "future", notBefore: "2999-01-01T00:00:00Z"});
const records: ApiKeyRecord[] = [full, other, marketOnly, parcelOnly, expired, future].map(
  ({record}) => record,
);
let server: TestServer;

beforeAll(async () => {
  server = await testServer({endpoints, records, generation: () => generationOf(null)});
});
afterAll(() => server.close());

const status = async (path: string, headers: Record<string, string | string[]>, method = "GET") =>
  (await server.get(path, {headers, method})).status;

describe("S3: access", () => {
  it("answers one and the same 403 to every access problem, on every path and method", async () => {
    const bad: Record<string, string | string[]>[] = [
      {},
      {"X-API-Key": ""},
      {"X-API-Key": "short"},
      {"X-API-Key": `${full.key}x`},
      {"X-API-Key": `cattle_${"0".repeat(72)}`},
      {"X-API-Key": expired.key},
      {"X-API-Key": future.key},
      {"X-API-Key": [full.key, full.key]},
      {"X-API-Key": [full.key, other.key]},
      {Authorization: "Basic dXNlcjpwYXNz"},
    ];
    const paths = [
      ...endpoints.map(({path}) => path),
      "/openapi.json",
      "/nowhere",
      "/public/land-agent/nowhere",
    ];
    const bodies = new Set<string>();
    for (const path of paths) {
      for (const [index, headers] of bad.entries()) {
        const method = ["GET", "POST", "PUT", "DELETE", "OPTIONS"][index % 5]!;
        const reply = await server.get(path, {headers, method});
        expect([path, headers, reply.status]).toEqual([path, headers, 403]);
        expect(reply.headers["www-authenticate"]).toBeUndefined();
        bodies.add(reply.text);
      }
    }
    expect(bodies.size).toBe(1);
    expect(JSON.parse([...bodies][0]!)).toMatchObject({type: "/problems/access-denied", status: 403});
  });

  it("refuses a key in the query string", async () => {
    expect(await status(`/dealers/stats?X-API-Key=${full.key}&api_key=${full.key}`, {})).toBe(403);
  });

  it("takes Authorization, bare or Bearer, on parcel paths and beside both families", async () => {
    for (const value of [full.key, `Bearer ${full.key}`, `bearer ${full.key}`]) {
      expect(await status(parcelPath, {Authorization: value})).toBe(200);
      expect(await status("/dealers/stats", {Authorization: value})).toBe(403);
      expect(await status("/openapi.json", {Authorization: value})).toBe(200);
    }
  });

  it("takes the same key in both headers and refuses different ones", async () => {
    const both = (second: string) => ({"X-API-Key": full.key, Authorization: `Bearer ${second}`});
    expect(await status(parcelPath, both(full.key))).toBe(200);
    expect(await status(parcelPath, both(other.key))).toBe(403);
    expect(await status(parcelPath, {Authorization: [full.key, full.key]})).toBe(403);
  });

  it("does not read Authorization on market paths at all", async () => {
    const headers = {"X-API-Key": full.key, Authorization: "Basic dXNlcjpwYXNz"};
    expect(await status("/dealers/stats", headers)).toBe(503);
  });

  it.each([
    ["market", marketOnly.key, {market: 503, parcel: 403, owner: 403}],
    ["parcel", parcelOnly.key, {market: 403, parcel: 200, owner: 403}],
    ["every scope", full.key, {market: 503, parcel: 200, owner: 200}],
  ])("holds a key with %s to its paths", async (_name, key, expected) => {
    const headers = {"X-API-Key": key};
    expect({
      market: await status("/dealers/stats", headers),
      parcel: await status(parcelPath, headers),
      owner: await status(ownerPath, headers),
    }).toEqual(expected);
    expect(await status("/openapi.json", headers)).toBe(200);
    expect(await status("/nowhere", headers)).toBe(404);
  });

  it("counts a used-up quota of owner searches apart from other refusals, and errors by their kind", async () => {
    const metrics = createMetrics();
    const settings = readSettings({CATTLE_OWNER_SEARCH_PER_DAY: "2"});
    const limited = await testServer({
      endpoints,
      records,
      generation: () => generationOf(null),
      metrics,
      settings,
    });
    const ask = async (path: string) => (await limited.get(path, {headers: {"X-API-Key": full.key}})).status;
    const refusals = async () =>
      /^owner_search_refused_total\{key="full"\} (\d)$/m.exec(await metrics.registry.metrics())?.[1];
    expect([await ask(ownerPath), await ask(ownerPath), await refusals()]).toEqual([200, 200, "0"]);
    expect([await ask(ownerPath), await refusals()]).toEqual([429, "1"]);
    expect(await ask("/dealers/stats")).toBe(503);
    expect(await metrics.registry.metrics()).toContain('http_errors_total{problem="build-unavailable"} 1\n');
    await limited.close();
  });

  it("lets a trailing slash pass without opening another scope", async () => {
    expect(await status(`${ownerPath}/`, {"X-API-Key": parcelOnly.key})).toBe(403);
    expect(await status(`${ownerPath}/`, {"X-API-Key": full.key})).toBe(200);
  });

  it("answers health without a key, to reads alone", async () => {
    expect(await status("/healthz", {})).toBe(200);
    expect(await status("/readyz", {})).toBe(503);
    expect(await status("/healthz", {}, "POST")).toBe(403);
  });
});
