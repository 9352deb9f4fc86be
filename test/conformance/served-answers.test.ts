import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {marketServing} from "../../lib/storage/build-layout.ts";
import {buildMarket} from "../../pipeline/market/build-market.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {marketEndpoints} from "../../server/market/market-endpoints.ts";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";

const questions = [
  "/price-by-county",
  "/price-by-county?zip=53916&limit=500",
  "/price-by-county?state=WI",
  "/price-by-state",
  "/price-by-state?state=WI",
  "/latest-prices",
  "/latest-prices?lat=43.5&lon=-89.5",
  "/cattle-sale-barn-directory",
  "/barns",
  "/barns?state=MO&status=active,unverified",
  "/dealers/stats",
];

describe.skipIf(corpus === null)("answers over the market of the corpus", () => {
  const folder = temporaryFolder();
  let server: TestServer;

  beforeAll(async () => {
    const files = (await listRawFiles(corpus ?? "")).filter(({kind}) => kind === "market");
    const outDir = join(folder.path, "build");
    const tempDir = join(folder.path, "temp");
    await buildMarket({files, outDir, asOf: "2026-08-24", previousDir: null, sample: false, tempDir});
    const generation = generationOf(openMarketArtifacts(join(outDir, marketServing)));
    server = await testServer({generation: () => generation});
  });
  afterAll(async () => {
    await server.close();
    folder.remove();
  });

  it.each(questions)(
    "%s has the shape that the OpenAPI document states, evidence and lineage included",
    async (question) => {
      const reply = await server.get(question);
      expect(reply.status).toBe(200);
      const answer = reply.json();
      const endpoint = marketEndpoints.find(({path}) => path === question.split("?")[0]);
      expect(endpoint?.response.safeParse(answer).error?.issues ?? []).toEqual([]);
      const named = new Set((answer["evidence"] as {evidence_id: string}[]).map((item) => item.evidence_id));
      expect(answer.records.filter((record) => !named.has(String(record["evidence_id"])))).toEqual([]);
      expect(answer.limitations.length).toBeGreaterThan(0);
    },
  );

  it("has prices at all: counties, states and venues of the weekly reports", async () => {
    for (const path of ["/price-by-county", "/price-by-state", "/latest-prices", "/barns"]) {
      expect((await server.get(path)).json().records.length).toBeGreaterThan(5);
    }
  });
});
