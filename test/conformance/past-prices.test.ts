import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {marketServing} from "../../lib/storage/build-layout.ts";
import {buildMarket} from "../../pipeline/market/build-market.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {comparedWindows} from "../server/market/past-windows.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";

/** Days of builds, the last two without the official summary of Kansas, and how many records each compares at least. */
const builds = [
  {asOf: "2026-08-24", left: "none", counties: 100, weeks: 0},
  {asOf: "2026-08-14", left: "ams_1895", counties: 100, weeks: 100},
  {asOf: "2018-10-06", left: "ams_1895", counties: 30, weeks: 30},
];

describe.skipIf(corpus === null).each(builds)(
  "prices of past days over the market of the corpus as of $asOf",
  ({asOf, left, ...least}) => {
    const folder = temporaryFolder();
    let server: TestServer;
    beforeAll(async () => {
      const files = (await listRawFiles(corpus ?? "")).filter(
        ({kind, path}) => kind === "market" && !path.includes(left),
      );
      const outDir = join(folder.path, "build");
      const tempDir = join(folder.path, "temp");
      await buildMarket({files, outDir, asOf, previousDir: null, sample: false, tempDir});
      const generation = generationOf(openMarketArtifacts(join(outDir, marketServing)), {asOf});
      server = await testServer({generation: () => generation});
    }, 300_000);
    afterAll(async () => {
      await server.close();
      folder.remove();
    });

    it("V36 are those of the build for its own windows, member by member, with their evidence", async () => {
      const states = ["KS", "MT", "NM"];
      const found = await comparedWindows({build: server, past: server}, {asOf, states});
      process.stderr.write(
        `${asOf}: compared ${found.counties} county records and ${found.weeks} of weeks\n`,
      );
      expect(found.wrong.slice(0, 40)).toEqual([]);
      expect(found.missing).toEqual([]);
      expect(found.counties).toBeGreaterThan(least.counties);
      expect(found.weeks).toBeGreaterThan(least.weeks - 1);
    }, 120_000);
  },
);
