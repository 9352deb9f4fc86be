import {afterAll, beforeAll, expect, it} from "vitest";
import {z} from "zod";
import {type Call, defineEndpoint} from "../../../server/http/endpoint.ts";
import {BUILT_AT, generationOf, type TestServer, testServer} from "../server-fixture.ts";

let made = 0;
let position = "1";
let generation = generationOf(null);
let now = BUILT_AT;
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
    return {body: JSON.stringify(query), lookup: "dataset", countyFips: "48001"};
  },
});

beforeAll(async () => {
  server = await testServer({
    endpoints: [endpoint],
    generation: () => generation,
    now: () => new Date(now),
  });
});
afterAll(() => server.close());

const ask = (query: string, headers: Record<string, string> = {}) =>
  server.get(endpoint.path + query, {headers: {"X-API-Key": server.key, ...headers}});
const tagFor = async (query: string) => (await ask(query)).headers.etag;

it("gives equal questions equal tags, in whatever words", async () => {
  const tag = await tagFor("?a=x&b=y");
  expect(tag).toMatch(/^"[\w-]{27}"$/);
  expect(await tagFor("?b=%20y&a=x")).toBe(tag);
  expect(await tagFor("?a=x&b=z")).not.toBe(tag);
});

it("gives another tag after a find, for a new build, and when the build becomes old", async () => {
  const tags = [await tagFor("?a=1")];
  position = "2";
  tags.push(await tagFor("?a=1"));
  generation = generationOf(null, {buildId: "20261122-000000"});
  tags.push(await tagFor("?a=1"));
  now = new Date(Date.parse(BUILT_AT) + 37 * 3_600_000).toISOString();
  tags.push(await tagFor("?a=1"));
  expect(new Set(tags).size).toBe(4);
});

it("makes no answer for a caller who holds its tag", async () => {
  const tag = await tagFor("?a=held");
  const before = made;
  const held = await ask("?a=held", {"If-None-Match": tag!});
  expect([held.status, held.headers.etag, made]).toEqual([304, tag, before]);
});

it("sends no date that it would not honour: If-Modified-Since changes nothing", async () => {
  const reply = await ask("?a=1", {"If-Modified-Since": new Date("2999-01-01").toUTCString()});
  expect([reply.status, reply.headers["last-modified"]]).toEqual([200, undefined]);
});
