import {expect, test} from "vitest";
import {openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {writeMarketFixture} from "./market-fixture.ts";

test("opens a build that was made before summaries and before the shares of ZIP areas", async () => {
  const folder = temporaryFolder();
  await writeMarketFixture(folder, ["sums", "counties"]);
  const market = openMarketArtifacts(folder);
  expect(market.counties.keys.map(({row}) => market.counties.sums(row))).toEqual(
    market.counties.keys.map(() => null),
  );
  expect(market.zip("73101")).toMatchObject({countyFips: "40109", counties: []});
});
