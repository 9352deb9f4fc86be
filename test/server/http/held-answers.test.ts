import {setTimeout as sleep} from "node:timers/promises";
import {pino} from "pino";
import {afterAll, beforeAll, expect, it} from "vitest";
import {z} from "zod";
import {type Call, defineEndpoint} from "../../../server/http/endpoint.ts";
import {BUILT_AT, generationOf, type TestServer, testServer} from "../server-fixture.ts";

/** How often the endpoint was asked; its answers tell them apart, so that one given again is known. */
let made = 0;
let position = "1";
let generation = generationOf(null);
let now = BUILT_AT;
const lines: string[] = [];
let server: TestServer;

const endpoint = defineEndpoint({
  path: "/public/land-agent/counted",
  operationId: "counted",
  summary: "for the test",
  family: "parcel",
  scope: "parcel",
  parameters: z.strictObject({a: z.string().optional(), b: z.string().optional()}),
  response: z.unknown(),
  position: () => position,
  answer: ({query}: Call<{a?: string | undefined; b?: string | undefined}>) => {
    made++;
    return {body: JSON.stringify({made, ...query}), lookup: "dataset", countyFips: "48001"};
  },
});

beforeAll(async () => {
  server = await testServer({
    endpoints: [endpoint],
    generation: () => generation,
    now: () => new Date(now),
    log: pino({level: "info"}, {write: (line: string) => void lines.push(line)}),
  });
});
afterAll(() => server.close());

async function ask(query: string, headers: Record<string, string> = {}, method = "GET") {
  lines.length = 0;
  const reply = await server.get(endpoint.path + query, {
    headers: {"X-API-Key": server.key, ...headers},
    method,
  });
  for (let turn = 0; turn < 50 && lines.length === 0; turn++) await sleep(2);
  const {parameters, lookup, countyFips, buildId, status, bytes} = JSON.parse(lines[0]!) as Record<
    string,
    unknown
  >;
  const {etag, vary} = reply.headers;
  const kept = [reply.headers["cache-control"], reply.headers["last-modified"]];
  return {
    reply,
    text: reply.text,
    etag,
    vary,
    kept,
    logged: {parameters, lookup, countyFips, buildId, status, bytes},
  };
}

it("gives the same words the same answer again, with its headers and its log line, and makes nothing", async () => {
  const {reply: _, ...first} = await ask("?a=1&b=2");
  const before = made;
  const {reply: __, ...second} = await ask("?a=1&b=2");
  expect(second).toEqual(first);
  expect(second.logged).toMatchObject({
    parameters: ["a", "b"],
    lookup: "dataset",
    countyFips: "48001",
    status: 200,
  });
  expect(made).toBe(before);
  const held = await ask("?a=1&b=2", {"If-None-Match": first.etag!});
  expect([held.reply.status, held.etag, held.kept]).toEqual([304, first.etag, first.kept]);
  const head = await ask("?a=1&b=2", {}, "HEAD");
  expect([head.reply.status, head.etag, head.text]).toEqual([200, first.etag, ""]);
  expect(made).toBe(before);
});

it("gives the same question in other words the same tag", async () => {
  const [one, two] = [await ask("?a=x&b=y"), await ask("?b=%20y&a=x")];
  expect(two.etag).toBe(one.etag);
});

it("makes the answer anew after a find, for a new build, and when the build becomes old", async () => {
  const texts = [(await ask("?a=1")).text];
  position = "2";
  texts.push((await ask("?a=1")).text);
  generation = generationOf(null, {buildId: "20261122-000000"});
  texts.push((await ask("?a=1")).text);
  now = new Date(Date.parse(BUILT_AT) + 37 * 3_600_000).toISOString();
  texts.push((await ask("?a=1")).text);
  expect(new Set(texts).size).toBe(4);
  expect((await ask("?a=1")).text).toBe(texts[3]);
});

it("refuses wrong parameters each time", async () => {
  for (const turn of [1, 2]) expect([turn, (await ask("?a=1&a=2")).reply.status]).toEqual([turn, 400]);
});
