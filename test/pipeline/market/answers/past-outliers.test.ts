import {expect, test} from "vitest";
import {price_history} from "../../../../pipeline/market/answers/price-history.ts";
import {answersOf, venueSaid} from "./answer-build.ts";

const dodge = {countyFips: "20057", lat: 37.73, lon: -100.06, locationBasis: "yard"} as const;

// Rows of a past week, and how many of them its mean is of.
test.each([
  ["just 20 % below its median", [349, 350, 351, 350, 349, 351, 350, 280, 210], 8],
  ["more than 20 % below its median", [349, 350, 351, 350, 349, 351, 350, 279.99, 210], 7],
  ["just six deviations from its median", [300, 300, 286.51, 313.49, 313.49, 286.51, 420], 7],
  ["more than six deviations from its median", [300, 300, 286.51, 313.49, 313.49, 286.51, 420.01], 6],
])("V7: a price of a past week that is %s", async (_, prices, kept) => {
  const rows = prices.map((price) => ({state: "KS", venue: "ks-dodge", end: "2024-03-05", head: 20, price}));
  const {db, run} = await answersOf(rows, [venueSaid({venueId: "ks-dodge", ...dodge})]);
  await run.make(price_history);
  expect(await db.rows("SELECT DISTINCT rows FROM price_history")).toEqual([{rows: kept}]);
});
