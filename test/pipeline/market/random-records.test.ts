import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {afterAll, beforeAll, expect, it} from "vitest";
import {marketServing} from "../../../lib/storage/build-layout.ts";
import {marketStage} from "../../../pipeline/parts/project-stages.ts";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";
import {writeSample} from "../../../pipeline/sample/write-sample.ts";
import {dealerFields} from "../../../schemas/market-fields/dealer.ts";
import {priceFields} from "../../../schemas/market-fields/price.ts";
import {venueFields} from "../../../schemas/market-fields/venue-fields.ts";
import {openMarketArtifacts} from "../../../server/tables/market-set.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../../server/server-fixture.ts";
import {chosen, servedBy} from "./recomputed/answers.ts";
import {evidenceFaults} from "./recomputed/evidence-faults.ts";
import type {Served} from "./recomputed/figures.ts";
import {openPublished, type Published} from "./recomputed/published.ts";
import {wrongSummaries} from "./recomputed/summaries.ts";
import {wrongMembers} from "./recomputed/wrong-members.ts";

/** Invented licence lists with hand-made counts: a name counts once per kind of licence. */
const dealerLists = {
  OK: {
    lines: [
      "Plain Cattle LLC,Livestock Dealer",
      "PLAIN CATTLE L.L.C.,Livestock Dealer",
      "Creek Yard,Livestock Auction Market",
    ],
    counts: {licensed_dealers: 1, licensed_market_agencies: null, licensed_markets: 1, total_entities: 2},
  },
  KS: {
    lines: ["Flint Buyers,Order Buyer", "Hill Buyers,Order Buyer", "Flint Buyers,Livestock Dealer"],
    counts: {licensed_dealers: 1, licensed_market_agencies: 2, licensed_markets: null, total_entities: 2},
  },
};
/** Land of one of the sample's ZIP areas: 48 % in its own county, the rest over two others. */
const relationship = [
  "OID_ZCTA5_20|GEOID_ZCTA5_20|NAMELSAD_ZCTA5_20|AREALAND_ZCTA5_20|GEOID_COUNTY_20|NAMELSAD_COUNTY_20|AREALAND_PART|AREAWATER_PART",
  "1|79045|ZCTA5 79045|100|48117|Deaf Smith County|48|0",
  "1|79045|ZCTA5 79045|100|48359|Oldham County|30|0",
  "1|79045|ZCTA5 79045|100|48369|Parmer County|22|0",
].join("\n");

/** Fields without a value in the sample: video and direct trades, estimates, a year before, an earlier build, contacts, parcels, comments on lots. */
const notInSample = [
  ...["offspring_weight", "contributing_head", "change_year", "change_year_from", "nearest_distance_mi"],
  ...["county_vintage", "previous_sale", "previous", "delivery", "freight", "region", "shrink", "slide"],
  ...["receipts_prior", "receipts_year_ago", "report_slug", "special_sale_name"],
  ...["report_url", "document_url", "history", "year_sales", "completeness", "newer_sales", "official"],
  "lot_description",
  ...["street_address", "zip", "phone", "website", "location_accuracy_m", "status_since", "parcel_context"],
  ...["list_authority", "other", "url"],
];

const asOf = "2026-11-21";
const seed = 20261121;
const folder = temporaryFolder();
let server: TestServer;
let published: Published;
let served: Served[];
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
  for (const [state, {lines}] of Object.entries(dealerLists)) {
    const list = [
      "Business Name,License Type,State,Status,As Of",
      ...lines.map((line) => `${line},${state},Active,07/01/2026`),
    ];
    addRaw(raw, `dealers/${state.toLowerCase()}_livestock_licences_2026.csv`, list.join("\n"));
  }
  addRaw(raw, "geo/tab20_zcta520_county20_natl.txt", relationship);
  const files = (await listRawFiles(raw)).filter(({kind}) => kind === "market");
  const outDir = join(folder.path, "build");
  const tempDir = join(folder.path, "temp");
  await marketStage({files, outDir, asOf, previousDir: null, sample: true, tempDir});
  const generation = generationOf(openMarketArtifacts(join(outDir, marketServing)), {asOf, sample: true});
  server = await testServer({generation: () => generation});
  published = await openPublished(outDir, asOf);
  served = await servedBy(server, questions);
  picked = chosen(served, 200, seed);
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

it("gives every field a value in some record, because one that no query fills is null without an error", () => {
  const fields = Object.keys({...priceFields, ...venueFields, ...dealerFields});
  const filled = new Set(
    served.flatMap(({record}) => Object.keys(record).filter((name) => record[name] !== null)),
  );
  expect(fields.filter((name) => !filled.has(name))).toEqual(notInSample);
});

it("recomputes the summaries of questions with a class and a weight from their records and the published rows", async () => {
  const places = [
    "zip=76401",
    "zip=79045",
    "zip=73942",
    "zip=85326&radius=300",
    "zip=85326&radius=10",
    "state=TX",
    "state=AZ",
  ];
  const asked = places.flatMap((place) =>
    ["steers", "heifers", "bulls"].flatMap((kind) =>
      [425, 550, 775].map((weight) => `/price-by-county?${place}&class=${kind}&weight=${weight}`),
    ),
  );
  const {wrong, compared} = await wrongSummaries(published, server, asked);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(20);
});

it("finds all fourteen evidence fields of those records valid, and every number of their claims in the record", () => {
  expect(picked.flatMap((served) => evidenceFaults(served))).toEqual([]);
});

it("serves the counts of the licence lists, as counted by hand", async () => {
  for (const [state, {counts}] of Object.entries(dealerLists)) {
    const {records} = (await server.get("/dealers/stats")).json();
    expect(records.find((record) => record["state"] === state)).toMatchObject(counts);
  }
});

it("gives the counties of a ZIP with their shares, and says that none has half of it", async () => {
  const answer = (await server.get("/price-by-county?zip=79045&limit=5")).json();
  const {resolution} = answer["query"] as {resolution: {zip: Record<string, unknown>}};
  expect(resolution.zip).toMatchObject({
    primary_county_fips: "48117",
    zip_counties: [
      {county_fips: "48117", share: 0.48},
      {county_fips: "48359", share: 0.3},
      {county_fips: "48369", share: 0.22},
    ],
  });
  expect(answer.limitations).toEqual(
    expect.arrayContaining([
      "ZIP spans several counties.",
      "ZIP 79045 is split over counties by land area: 48117 0.48, 48359 0.3, 48369 0.22.",
    ]),
  );
});

function addRaw(raw: string, path: string, content: string): void {
  const target = join(raw, "market", path);
  mkdirSync(dirname(target), {recursive: true});
  writeFileSync(target, content);
  writeFileSync(`${target}.meta.json`, JSON.stringify({retrieved_at: `${asOf}T04:00:00Z`}));
}
