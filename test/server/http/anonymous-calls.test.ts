import {afterEach, expect, it} from "vitest";
import {readSettings} from "../../../lib/read-settings.ts";
import {openLog} from "../../../server/system/json-log.ts";
import {createMetrics} from "../../../server/system/metrics.ts";
import {generationOf, type TestServer, testKey, testServer} from "../server-fixture.ts";

const lines: string[] = [];
const metrics = createMetrics();
const ended = testKey({id: "ended", notAfter: "2021-01-01T00:00:00Z"});
const marketOnly = testKey({id: "market", scopes: ["market"]});
let server: TestServer;

async function start(settings: Record<string, string>): Promise<void> {
  lines.length = 0;
  server = await testServer({
    generation: () => generationOf(null),
    settings: readSettings({CATTLE_REFUSALS_PER_MINUTE: "3", ...settings}),
    records: [ended.record, marketOnly.record],
    log: openLog("info", (line: string) => void lines.push(line)),
    metrics,
  });
}
afterEach(() => server.close());

/** Status of a call without a valid key that a proxy says to be of this address. */
const statusFrom = async (address: string, headers: Record<string, string> = {}) =>
  (await server.get("/barns", {headers: {"X-Forwarded-For": address, ...headers}})).status;
const statusesFrom = async (addresses: readonly string[]) => {
  const statuses: number[] = [];
  for (const address of addresses) statuses.push(await statusFrom(address));
  return statuses;
};

it("bounds the refusals of one address and lets go of its connection", async () => {
  await start({CATTLE_TRUST_PROXY: "127.0.0.1"});
  expect(await statusesFrom(Array(4).fill("192.0.2.1"))).toEqual([403, 403, 403, 429]);
  const reply = await server.get("/barns", {headers: {"X-Forwarded-For": "192.0.2.1"}});
  expect([reply.headers["connection"], reply.json()["type"]]).toEqual(["close", "/problems/rate-limited"]);
  expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
  expect(await statusFrom("192.0.2.2")).toBe(403);
});

it("logs a flood once, with the address, in place of its requests, and counts them", async () => {
  await start({CATTLE_TRUST_PROXY: "127.0.0.1"});
  await statusesFrom(Array(8).fill("192.0.2.1"));
  await server.get("/healthz", {headers: {}});
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.filter(({msg}) => msg === "flood without a valid key")).toMatchObject([
    {address: "192.0.2.1"},
  ]);
  expect(logged.filter(({status}) => status === 403)).toHaveLength(3);
  expect(logged.filter(({status}) => status === 429)).toEqual([]);
  expect(await metrics.registry.metrics()).toMatch(/http_limited_total\{key="anonymous"\} [1-9]/);
});

it("never refuses a caller with a key for what others do at its address", async () => {
  await start({CATTLE_TRUST_PROXY: "127.0.0.1"});
  await statusesFrom(Array(5).fill("192.0.2.1"));
  expect(await statusFrom("192.0.2.1", {"X-API-Key": ended.key})).toBe(429);
  expect(await statusFrom("192.0.2.1", {"X-API-Key": server.key})).toBe(503);
  const parcels = {"X-Forwarded-For": "192.0.2.1", "X-API-Key": marketOnly.key};
  expect((await server.get("/openapi.json", {headers: parcels})).status).toBe(200);
});

it("takes the address of a proxy from nobody but the proxies named", async () => {
  await start({CATTLE_TRUST_PROXY: "10.0.0.0/8"});
  expect(await statusesFrom(["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"])).toEqual([
    403, 403, 403, 429,
  ]);
});

it("counts a network of 64 bits as one IPv6 client, and whatever is no address as one", async () => {
  await start({CATTLE_TRUST_PROXY: "127.0.0.1"});
  const network = ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::1", "2001:db8::3"];
  expect(await statusesFrom(network)).toEqual([403, 403, 403, 429]);
  expect(await statusFrom("2001:db8:0:1::1")).toBe(403);
  expect(await statusesFrom(["x", "<b>", "'", "1.2"])).toEqual([403, 403, 403, 429]);
  expect(lines.join("")).not.toContain("<b>");
});
