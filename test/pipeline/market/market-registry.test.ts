import {expect, it} from "vitest";
import {countyAt, countyOf} from "../../../lib/geography/counties.ts";
import {legalBoundary} from "../../../lib/market/evidence.ts";
import {loadFeedFetches, loadMarketSources} from "../../../pipeline/market/reference/market-sources.ts";
import {loadVenues, venueIdFrom, venueOfReport} from "../../../pipeline/market/reference/venues.ts";
import type {FeedOf} from "../../../schemas/fetch-source.ts";
import {type MarketSourceId, marketSourceIds} from "../../../schemas/market-source.ts";

it("registers the contract's fourteen sources with a boundary each, joined in registry order", () => {
  const sources = loadMarketSources();
  expect(sources.map(({id}) => id)).toEqual([...marketSourceIds]);
  const both = legalBoundary(sources, ["mars", "ams-lmr-datamart"]);
  expect(both.indexOf("A price reported for one report date")).toBe(0);
  expect(both).toContain("Market-news detail for one report window.");
});

it("keeps venues in order, with a registered source and a date of every fact", () => {
  const venues = loadVenues();
  const ids = venues.map(({venueId}) => venueId);
  expect(ids).toEqual([...ids].sort());
  const sources = venues.flatMap(({facts}) => facts.map(({source}) => source));
  expect(sources.every((source) => marketSourceIds.includes(source as MarketSourceId))).toBe(true);
});

it("puts each located venue into the county that holds its coordinates, in its own state", () => {
  for (const venue of loadVenues()) {
    if (venue.lat === null || venue.lon === null) continue;
    const county = countyAt({lat: venue.lat, lon: venue.lon});
    expect([venue.venueId, county?.fips, county?.state]).toEqual([
      venue.venueId,
      venue.countyFips,
      venue.state,
    ]);
    expect(countyOf(venue.countyFips!)).toBeDefined();
  }
});

it("finds a venue by its report, with or without the agency's prefix", () => {
  const venues = loadVenues();
  expect(venueOfReport(venues, "1889")?.venueId).toBe("ks-dodge-city");
  expect(venueOfReport(venues, "AMS-1891")?.venueId).toBe("ks-pratt");
  expect(venueOfReport(venues, "1")).toBeUndefined();
  expect(venueIdFrom("MO", "St. Joseph's Saint-Étienne")).toBe("mo-st-josephs-saint-etienne");
});

it("fetches printed reports as PDFs, the only format the publisher still serves without a key", () => {
  const texts = loadFeedFetches().find(({protocol}) => protocol === "ams-text") as FeedOf<"ams-text">;
  expect(texts.url).toBe("https://marsapi.ams.usda.gov/services/v1.1/public");
  expect(texts.files).toBe("https://www.ams.usda.gov/mnreports/ams_{slug}.pdf");
  expect(texts.jsonList).toMatch(/\/v3\.1\/public\/listPublishedReports\/14\?format=json$/);
});
