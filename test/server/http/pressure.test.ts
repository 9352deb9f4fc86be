import fc from "fast-check";
import {afterEach, describe, expect, it} from "vitest";
import {z} from "zod";
import {readSettings} from "../../../lib/read-settings.ts";
import {defineEndpoint} from "../../../server/http/endpoint.ts";
import {KeysInFlight, KeysPerSecond, LastSeconds} from "../../../server/http/shedding.ts";
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
    const first = [...(await fill(1)), ...(await fill(1, other.key))];
    const refused = await ask(other.key);
    expect([refused.status, refused.json()["type"]]).toEqual([503, "/problems/overloaded"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(5);
    letGo();
    await Promise.all(first);
  });

  it("answers the key that fills the process with 503, and others with what they ask for", async () => {
    await start({CATTLE_MAX_IN_FLIGHT: "8"});
    const first = await fill(4);
    expect((await ask(server.key)).json()["type"]).toBe("/problems/overloaded");
    const others = await fill(1, other.key);
    letGo();
    const statuses = (await Promise.all([...first, ...others])).map(({status}) => status);
    expect(statuses).toEqual(Array(5).fill(200));
  });

  it("of keys that ask without end leave room for one that has none, soon after they began", () => {
    const most = 64;
    const ends = fc.array(fc.nat({max: most - 1}), {minLength: 1_000, maxLength: 1_000});
    fc.assert(
      fc.property(fc.integer({min: 1, max: 20}), ends, (greedy, ended) => {
        const keys = new KeysInFlight(most);
        const inFlight: string[] = [];
        for (const [turn, end] of ended.entries()) {
          if (turn > 500) expect(keys.hasRoom("none")).toBe(true);
          for (let key = 0; key < greedy; key++) {
            for (; keys.hasRoom(`${key}`); inFlight.push(`${key}`)) keys.enter(`${key}`);
          }
          expect(keys.all()).toBeLessThanOrEqual(most);
          for (const keyId of inFlight.splice(end % inFlight.length, 1)) keys.leave(keyId);
        }
      }),
      {numRuns: 20},
    );
  });
});

describe("O2: requests in a second while the event loop is slow", () => {
  it("are refused to those who ask for most, until what is left can be done, and to nobody soon afterwards", () => {
    const demands = fc.array(fc.integer({min: 1, max: 500}), {minLength: 1, maxLength: 10});
    fc.assert(
      fc.property(demands, fc.integer({min: 40, max: 1_000}), (wanted, most) => {
        const shares = new KeysPerSecond();
        let isSlow = false;
        /** Requests of each key in this second that are let through. */
        const pass = (second: number, counts: readonly number[]) =>
          counts.map((count, key) => {
            const asked = Array.from({length: count}, () => shares.admits(`${key}`, {second, isSlow}));
            return asked.filter((admitted) => admitted).length;
          });
        const fair = Math.floor(most / wanted.length / 2);
        let slow = 0;
        for (let second = 1; second <= 30; second++) {
          const admitted = pass(second, wanted);
          isSlow = admitted.reduce((sum, count) => sum + count, 0) > most;
          slow = isSlow ? slow + 1 : 0;
          expect(slow).toBeLessThanOrEqual(14);
          for (const [key, count] of wanted.entries()) if (count <= fair) expect(admitted[key]).toBe(count);
        }
        isSlow = false;
        const calm = wanted.map(() => 1);
        pass(31, calm);
        expect(pass(32, calm)).toEqual(calm);
      }),
      {numRuns: 50},
    );
  });

  it("are let through again five seconds later, whatever was asked meanwhile", () => {
    const shares = new KeysPerSecond();
    const ask = (second: number, isSlow: boolean) =>
      Array.from({length: 900}, () => shares.admits("key", {second, isSlow})).filter((one) => !one).length;
    for (let second = 1; second <= 30; second++) ask(second, second > 1);
    expect([ask(31, true), ask(36, false)]).toEqual([896, 0]);
  });

  it("are never refused to a key that asks for four, though another asks without end and the loop stays slow", () => {
    const shares = new KeysPerSecond();
    const ask = (keyId: string, count: number, second: number) =>
      Array.from({length: count}, () => shares.admits(keyId, {second, isSlow: true})).filter((one) => one)
        .length;
    const last = Array.from({length: 60}, (_, second) => [
      ask("greedy", 500, second),
      ask("honest", 4, second),
    ]);
    expect(last.map(([, honest]) => honest)).toEqual(Array(60).fill(4));
    expect(last.at(-1)).toEqual([4, 4]);
  });
});

describe("the delay of the event loop", () => {
  it("is overload only in three seconds in a row", () => {
    const seconds = new LastSeconds();
    const least = [500, 900, 3, 300, 400, 250, 2].map((delayMs) => {
      seconds.add(delayMs);
      return seconds.minimum();
    });
    expect(least).toEqual([0, 0, 3, 3, 3, 250, 2]);
  });
});
