import {afterAll, beforeAll} from "vitest";
import {type MarketArtifacts, openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server-fixture.ts";
import {writeMarketFixture} from "./market-fixture.ts";

type Served = {market: MarketArtifacts; server: TestServer};

/** Serves the invented market to the tests of the calling file; the members are there once a test runs. */
export function servedMarket(): Served {
  const folder = temporaryFolder();
  const served = {} as Served;
  beforeAll(async () => {
    await writeMarketFixture(folder.path);
    served.market = openMarketArtifacts(folder.path);
    served.server = await testServer({generation: () => generationOf(served.market)});
  });
  afterAll(async () => {
    await served.server.close();
    folder.remove();
  });
  return served;
}
