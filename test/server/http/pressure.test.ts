import {afterEach, describe, expect, it} from "vitest";
import {z} from "zod";
import {readSettings} from "../../../lib/settings.ts";
import {defineEndpoint} from "../../../server/http/endpoint.ts";
import {LastSeconds} from "../../../server/http/shedding.ts";
import {generationOf, type TestServer, testKey, testServer} from "../server-fixture.ts";

const waiting: (() => void)[] = [];
const slow = defineEndpoint({
  path: "/slow",
  operationId: "slow",
  summary: "answers when the test says so",
  family: "market",
  scope: "market",
  parameters: z.strictObject({}),
  response: z.unknown(),
  answer: () => new Promise((resolve) => waiting.push(() => resolve({body: "{}"}))),
});
const other = testKey({id: "other"});
let server: TestServer;

async function start(settings: Record<string, string>): Promise<void> {
  server = await testServer({
    endpoints: [slow],
    records: [other.record],
    generation: () => generationOf(null),
    settings: readSettings(settings),
  });
}
afterEach(() => server.close());

/** Starts requests of a key and waits until all are in flight. */
async function fill(count: number, key = server.key) {
  const most = waiting.length + count;
  const replies = Array.from({length: count}, () => ask(key));
  while (waiting.length < most) await new Promise((resolve) => setTimeout(resolve, 1));
  return replies;
}
const ask = (key: string) => server.get("/slow", {headers: {"X-API-Key": key}});
const letGo = () => {
  for (const answer of waiting.splice(0)) answer();
};

describe("requests in flight", () => {
  it("answers the 33rd of one key with 429, and nobody else with anything but an answer", async () => {
    await start({});
    const first = await fill(32);
    const refused = await ask(server.key);
    expect([refused.status, refused.json()["type"]]).toEqual([429, "/problems/rate-limited"]);
    expect(refused.headers["retry-after"]).toBe("1");
    const others = await fill(1, other.key);
    letGo();
    const statuses = (await Promise.all([...first, ...others])).map(({status}) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const again = await fill(1);
    letGo();
    expect((await again[0]!).status).toBe(200);
  });

  it("answers one more than the process takes with 503, whosever it is", async () => {
    await start({CATTLE_MAX_IN_FLIGHT: "2"});
    const first = await fill(2);
    const refused = await ask(other.key);
    expect([refused.status, refused.json()["type"]]).toEqual([503, "/problems/overloaded"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(5);
    letGo();
    await Promise.all(first);
  });
});

describe("the delay of the event loop", () => {
  it("is overload only in three seconds in a row", () => {
    const seconds = new LastSeconds();
    const least = [500, 900, 3, 300, 400, 250, 2].map((delayMs) => {
      seconds.add(delayMs);
      return seconds.least();
    });
    expect(least).toEqual([0, 0, 3, 3, 3, 250, 2]);
  });
});
