import {join} from "node:path";
import {afterAll, beforeAll, expect, it} from "vitest";
import {listRawFiles} from "../../lib/raw-files.ts";
import {marketStage} from "../../pipeline/market-stage.ts";
import {writeSample} from "../../pipeline/sample/write-sample.ts";
import {openMarketArtifacts} from "../../server/market/artifacts.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server/server-fixture.ts";
import {chosen, servedBy} from "./recomputed/answers.ts";
import {evidenceFaults} from "./recomputed/evidence-faults.ts";
import type {Served} from "./recomputed/expected.ts";
import {openPublished, type Published} from "./recomputed/published.ts";
import {wrongMembers} from "./recomputed/wrong-members.ts";

const asOf = "2026-11-21";
const seed = 20261121;
const folder = temporaryFolder();
let server: TestServer;
let published: Published;
let picked: Served[];

const questions = [
  ...["76401", "79045", "73942"].map((zip) => `/price-by-county?zip=${zip}&limit=500`),
  "/price-by-county?limit=500",
  ...["TX", "OK", "AZ"].map((state) => `/price-by-state?state=${state}`),
  "/latest-prices?lat=34.8&lon=-101.5",
  "/cattle-sale-barn-directory",
  "/barns",
  "/dealers/stats",
];

beforeAll(async () => {
  const raw = join(folder.path, "raw");
  await writeSample(raw, asOf);
  const files = (await listRawFiles(raw)).filter(({side}) => side === "market");
  const outDir = join(folder.path, "market");
  const tempDir = join(folder.path, "temp");
  await marketStage({files, outDir, asOf, previousMarketDir: null, sample: true, tempDir});
  const generation = generationOf(openMarketArtifacts(outDir), {asOf, sample: true});
  server = await testServer({generation: () => generation});
  published = await openPublished(outDir, asOf);
  picked = chosen(await servedBy(server, questions), 200, seed);
});
afterAll(async () => {
  published.db.close();
  await server.close();
  folder.remove();
});

it(`recomputes every number of 200 records at random (seed ${seed}) of a generated market from its published files`, async () => {
  const {wrong, compared} = await wrongMembers(published, picked);
  expect(wrong).toEqual([]);
  expect([picked.length, compared > 2000]).toEqual([200, true]);
});

it("finds the fourteen evidence fields of those records present and valid, and their claims covered", () => {
  expect(picked.flatMap((served) => evidenceFaults(served))).toEqual([]);
});
