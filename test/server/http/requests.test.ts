import fc from "fast-check";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {marketEndpoints} from "../../../server/market/market-endpoints.ts";
import {openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {writeMarketFixture} from "../market/market-fixture.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server-fixture.ts";

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

const names = ["zip", "state", "limit", "lat", "lon", "county", "status", "__proto__", "constructor", "x"];
const value = fc.oneof(
  fc.constantFrom(
    "OK",
    "ok",
    "73101",
    "40017",
    "50",
    "35.4",
    "-97.5",
    "active,closed",
    "",
    " ",
    "0",
    "ZZ",
    "%00",
  ),
  fc.string({maxLength: 40, unit: "binary"}),
  fc.double().map(String),
);
const query = fc.array(fc.tuple(fc.constantFrom(...names), value), {maxLength: 5});
const path = fc.constantFrom(...marketEndpoints.map((endpoint) => endpoint.path));

describe("S1: requests of every kind", () => {
  it("S1: get 200 or 400 and a body of the stated kind, never a 5xx", async () => {
    const seed = Number(process.env["SEED"] ?? 20261121);
    await fc.assert(
      fc.asyncProperty(path, query, async (route, pairs) => {
        const text = pairs
          .map(([name, word]) => `${name}=${encodeURIComponent(word.toWellFormed())}`)
          .join("&");
        const reply = await server.get(`${route}?${text}`);
        expect([200, 400]).toContain(reply.status);
        const body = reply.json();
        if (reply.status === 400)
          expect(body).toMatchObject({type: "/problems/invalid-parameter", status: 400});
        else expect(body).toMatchObject({build_id: "20261121-3f9c1a", page: {returned: body.records.length}});
      }),
      {numRuns: 400, seed},
    );
  });

  it("S1: the same question gives the same bytes and the same tag", async () => {
    await fc.assert(
      fc.asyncProperty(path, query, async (route, pairs) => {
        const text = pairs
          .map(([name, word]) => `${name}=${encodeURIComponent(word.toWellFormed())}`)
          .join("&");
        const [one, two] = [await server.get(`${route}?${text}`), await server.get(`${route}?${text}`)];
        if (one.status === 200) expect([two.text, two.headers.etag]).toEqual([one.text, one.headers.etag]);
      }),
      {numRuns: 100, seed: 7},
    );
  });
});
