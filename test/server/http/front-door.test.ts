import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {plainTarget} from "../../../server/http/request-target.ts";
import {openMarketArtifacts} from "../../../server/market/artifacts.ts";
import {marketEndpoints} from "../../../server/market/routes.ts";
import {writeMarketFixture} from "../market/market-fixture.ts";
import {generationOf, type Reply, type TestServer, temporaryFolder, testServer} from "../server-fixture.ts";

const folder = temporaryFolder();
let server: TestServer;

beforeAll(async () => {
  await writeMarketFixture(folder.path);
  const generation = generationOf(openMarketArtifacts(folder.path));
  server = await testServer({generation: () => generation});
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

type Asking = {method?: string; headers?: Record<string, string>; body?: string};

/** What must be equal however a request comes in: all but its own id, the time, and what is left of the limit. */
function comparable({status, headers, raw}: Reply) {
  const {"x-request-id": id, date, ratelimit, ...others} = headers;
  const given = [id, date, ratelimit].map((value) => value !== undefined);
  return {status, others, given, body: raw.toString("base64").replaceAll(id as string, "")};
}

/** A path goes to the steps at once, the same in absolute form through Express. */
async function bothWays(path: string, {headers = {}, ...rest}: Asking = {}) {
  const asking = {...rest, headers: {"X-API-Key": server.key, "X-Request-Id": "one-id", ...headers}};
  const direct = comparable(await server.get(path, asking));
  const throughExpress = comparable(await server.get(`http://localhost:${server.port}${path}`, asking));
  return {direct, throughExpress};
}

const queries = [
  "",
  "?",
  "?state=OK",
  "?state=ok&limit=3",
  "?limit=3&state=%20oK",
  "?state=OK&state=TX",
  "?state=ZZ",
  "?zip=73101&unknown=1&also=",
  "?county=Comanche+County&state=OK",
  "?county=%E4%BA%AC%ff%zz",
  "?__proto__=1&constructor=2",
  "?a?b=c&&=&x",
  "?lat=35.4&lon=-97.5",
];

const askings: readonly [string, Asking][] = [
  ["GET", {}],
  ["HEAD", {method: "HEAD"}],
  ["POST", {method: "POST", body: "{}"}],
  ["gzip", {headers: {"Accept-Encoding": "gzip"}}],
  ["brotli before gzip", {headers: {"Accept-Encoding": "gzip;q=0.5, br"}}],
  ["no coding at all", {headers: {"Accept-Encoding": "identity;q=0, *;q=0"}}],
  ["any tag held", {headers: {"If-None-Match": "*"}}],
  ["another tag held", {headers: {"If-None-Match": '"other", W/"x"'}}],
  ["a wrong key", {headers: {"X-API-Key": "cattle_wrong"}}],
  ["a body", {body: "x"}],
];

describe("a request that goes to the steps at once", () => {
  for (const [name, asking] of askings) {
    it(`gets what it gets through Express, byte for byte: ${name}`, async () => {
      for (const {path} of marketEndpoints) {
        for (const query of queries) {
          const {direct, throughExpress} = await bothWays(path + query, asking);
          expect({path, query, ...direct}).toEqual({path, query, ...throughExpress});
        }
      }
    });
  }

  it("is any request line with a path: those of no route, health, the document, and what is too long", async () => {
    const paths = [
      "/",
      "/nowhere",
      "/barns/",
      "/barns//",
      "//barns",
      "/BARNS",
      "/openapi.json",
      "/openapi.json/",
    ];
    for (const path of [...paths, "/healthz", "/readyz", `/barns?county=${"x".repeat(4100)}`]) {
      const {direct, throughExpress} = await bothWays(path);
      expect({path, ...direct}).toEqual({path, ...throughExpress});
    }
  });
});

describe("a request target", () => {
  it("is divided at its first question mark", () => {
    expect(plainTarget("/")).toEqual({path: "/", query: ""});
    expect(plainTarget("/a/b?")).toEqual({path: "/a/b", query: ""});
    expect(plainTarget("/a?b=c?d&e")).toEqual({path: "/a", query: "b=c?d&e"});
    expect(plainTarget("//host/a?b")).toEqual({path: "//host/a", query: "b"});
  });

  it("is left to Express in any other form", () => {
    const others = [
      "",
      "*",
      "a",
      "http://host/a",
      "/a#b",
      "/a?b#c",
      "/a b",
      "/a\tb",
      "/a?b\u00a0",
      "/\ufeff",
    ];
    expect(others.map(plainTarget)).toEqual(others.map(() => null));
  });
});
