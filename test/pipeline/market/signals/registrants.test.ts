import {afterAll, beforeAll, expect, test} from "vitest";
import {bareVenue} from "../../../../pipeline/market/reference/venues.ts";
import {openMarketArtifacts} from "../../../../server/tables/market-set.ts";
import {type SignalBuild, signalBuild} from "./signal-build.ts";

/** An invented list in the layout of the federal one: a title, a header, rows of firms with their bonds. */
const list = [
  "Registered and Bonded Market Agencies Selling on Commission,,,,,,,",
  "Business Name,DBA,Street Address,City,State,Zip,Phone,Bond Amount",
  'Opal Cattle Inc.,Opal Livestock Auction,12 Yard Rd,Opal,NE,68801,(402) 555-0101,"$50,000"',
  'Creek Yards L.L.C.,,PO Box 7,Creek,NE,68802,402-555-0102,"$25,000"',
  'CREEK YARDS LLC,,PO Box 7,Creek,NE,68802,402-555-0102,"$25,000"',
  'Far Hill Holdings dba Far Hill Stockyards,,3 Hill St,Far Hill,KS,67001,620-555-0103,"$10,000"',
  'Far Hill Stockyards Inc,,3 Hill St,Far Hill,KS,67001,620-555-0103,"$10,000"',
  'Jane Q. Examplename,,9 Home Ln,Elm,KS,67002,620-555-0104,"$10,000"',
].join("\n");
const known = (venueId: string, name: string, city: string) => ({
  ...bareVenue({venueId, name, city, state: "NE"}),
  facts: [{fields: ["name"], source: "ams-lmr-datamart" as const, publisher: "invented", date: "2026-01-01"}],
});
const venues = [
  {...known("ne-opal", "Opal Livestock Commission Co", "Opal City"), zip: "68801"},
  known("ne-creek", "Creek Yards", "Creek"),
];

let build: SignalBuild;
beforeAll(async () => {
  const dealers = list.replace("Selling on Commission", "Buying on Commission and Dealers");
  const files = {
    "psd/agencies_2026-11-01.csv": list,
    "psd/buyers_2026-11-01.csv": dealers,
    "dealers/buyers_2026-11-01.csv": dealers,
    "dealers/ne_dealers_2026.csv": "Business Name,License Type\nOpal Buyers,Dealer\n",
  };
  build = await signalBuild({venues, files});
});
afterAll(() => build.close());

test("fills streets and phones, joins registrants to barns by ZIP or town, and makes no barn twice", async () => {
  const barns = await build.table(
    "barns",
    "venue_id, venue_name, street_address, zip, phone, status, venue_type",
  );
  expect(barns).toEqual([
    expect.objectContaining({
      ...{venue_id: "ks-far-hill", venue_name: "Far Hill Stockyards", street_address: "3 Hill St"},
      ...{zip: "67001", phone: "+16205550103", status: "unverified", venue_type: "auction"},
    }),
    expect.objectContaining({venue_id: "ne-creek", street_address: "PO Box 7", phone: "+14025550102"}),
    expect.objectContaining({venue_id: "ne-opal", street_address: "12 Yard Rd", phone: "+14025550101"}),
  ]);
});

test("takes no person's name, keeps none in the quarantine, and reads no dealers as barns", async () => {
  expect(build.report("psd/agencies_2026-11-01.csv")).toMatchObject({
    status: "read",
    rejected: {no_business_name: 1},
  });
  expect(build.report("psd/buyers_2026-11-01.csv").status).toBe("failed");
  const kept = await build.table("quarantine", "CAST(raw AS VARCHAR) AS raw, detail");
  expect(JSON.stringify(kept)).not.toMatch(/Examplename|Home Ln/);
});

test("counts federal dealers by state, outside the sums of state lists, and names the federal page", async () => {
  const rows = await build.table(
    "dealers",
    "state, list_scope, licensed_dealers, bonded, states_with_list, url",
  );
  const federal = {
    list_scope: "federal_psd",
    states_with_list: 1,
    url: expect.stringContaining("ams.usda.gov"),
  };
  expect(rows).toEqual([
    {state: "KS", licensed_dealers: 3, bonded: 3, ...federal},
    {state: "NE", licensed_dealers: 1, bonded: null, list_scope: "dealers", states_with_list: 1, url: null},
    {state: "NE", licensed_dealers: 2, bonded: 2, ...federal},
  ]);
  const market = openMarketArtifacts(build.serving);
  expect(market.dealers.keys.map(({state, scope, total}) => [state, scope, total])).toEqual([
    ["KS", "federal_psd", 3],
    ["NE", "dealers", 1],
    ["NE", "federal_psd", 2],
  ]);
  const claims = market.dealers.keys.map(({row}) => {
    const {text} = market.evidence(market.dealers.evidenceId(row)!)!;
    return (JSON.parse(text) as {claim: string}).claim;
  });
  expect(claims[1]).toContain("(1 with a dealer's licence)");
  expect(claims[2]).toMatch(/federal list of registrants in NE .* 2 entities \(2 registered as dealers\)/);
});
