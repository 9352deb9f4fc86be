import {afterAll, beforeAll, describe, expect, it} from "vitest";
import type {MarketArtifacts} from "../../../server/tables/market-set.ts";
import {countyAsker, layerEntry} from "./county-fixture.ts";
import {type FakeArcgis, type FakeRow, startFakeArcgis} from "./fake-arcgis.ts";

/** ZIP 22902 has most of its land in Albemarle County; the city is a county of its own. All parcels are invented. */
const albemarle = "51003";
const city = "51540";
const counties = [
  {county_fips: albemarle, share: 0.8},
  {county_fips: city, share: 0.2},
];
const market = {zip: (zip: string) => ({zip, point: null, countyFips: null, method: "", counties})};

const row = (APN: string, SITUS: string, west: number): FakeRow => ({
  attributes: {OBJECTID: 1, APN, SITUS, ACRES: 2.5, LASTUPDATE: Date.parse("2026-09-01T00:00:00Z")},
  west,
  south: 38.03,
});

describe("an address whose ZIP lies in two counties", () => {
  let fakes: FakeArcgis[];
  let asked: ReturnType<typeof countyAsker>;
  beforeAll(async () => {
    fakes = await Promise.all([
      startFakeArcgis([row("A-1", "600 OAKVALE RD", -78.6), row("A-2", "12 QUELL LN", -78.61)]),
      startFakeArcgis([row("33-12", "600 MARDEN ST", -78.478)]),
    ]);
    const entry = (id: string, county: string, {url}: FakeArcgis) =>
      layerEntry(url, {id, coverage: {country: "US", state: "VA", counties: [county]}});
    asked = countyAsker(
      [entry("us-va-albemarle", albemarle, fakes[0]!), entry("us-va-charlottesville", city, fakes[1]!)],
      {generation: {market: market as unknown as MarketArtifacts}},
    );
  });
  afterAll(async () => {
    await asked.close();
    await Promise.all(fakes.map((fake) => fake.close()));
  });

  const place = "Charlottesville, VA 22902";
  const ask = async (address: string, county?: string) =>
    (await asked.ask("address", {address: `${address}, ${place}`, ...(county && {county})})).json;
  const notThere = {
    type: "/problems/parcel-not-covered",
    error:
      "No such parcel in the dataset or at the service of the county that was asked. It may also lie in Charlottesville city (51540): add county.",
    lookup: {origin: "dataset", cadastreStatus: "county_unknown"},
  };

  it("is found in the county with most of the ZIP's land", async () => {
    expect((await ask("12 Quell Ln")).property.parcelUid).toBe("51003-A-2");
  });

  it("is not said to be nowhere where that county has no row of its number, or one of another street", async () => {
    expect(await ask("14 Marden St")).toMatchObject(notThere);
    expect(await ask("600 Marden St")).toMatchObject(notThere);
    expect((await ask("600 Marden St", "Charlottesville city")).property.parcelUid).toBe("51540-33-12");
  });

  it("is nowhere where the county of the question has none", async () => {
    expect(await ask("14 Marden St", "Albemarle")).toMatchObject({
      type: "/problems/parcel-not-found",
      lookup: {cadastreStatus: "empty"},
    });
    // The county is not asked again, and still its answer proves nothing for the whole ZIP.
    const before = fakes[0]!.queries().length;
    expect(await ask("14 Marden St")).toMatchObject(notThere);
    expect(fakes[0]!.queries()).toHaveLength(before);
  });
});

it("names the counties that a name fits, where a parcel number is missing", async () => {
  const asked = countyAsker([]);
  const {json} = await asked.ask("parcel", {parcelId: "R-1", state: "MD", county: "Baltimore"});
  expect(json).toMatchObject({
    type: "/problems/parcel-not-covered",
    error:
      "No such parcel in the dataset. It may lie in Baltimore County (24005) or Baltimore city (24510): add county, so that the service of one can be asked.",
    lookup: {cadastreStatus: "county_unknown"},
  });
  await asked.close();
});
