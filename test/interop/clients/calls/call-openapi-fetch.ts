// Calls all ten endpoints with openapi-fetch over the types of openapi-typescript; arguments are address and key.
import createClient from "openapi-fetch";
import type {paths} from "./types.js";

const [address, key] = process.argv.slice(2);
/** Prints the endpoint that answered, with something of its answer. */
const say = (...words: unknown[]) => process.stdout.write(`${words.join(" ")}\n`);
const {GET} = createClient<paths>({baseUrl: address, headers: {"X-API-Key": key}});

/** Gives the data of a reply, and throws its problem. */
function dataOf<Data>({data, error}: {data?: Data; error?: unknown}): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const county = dataOf(
  await GET("/price-by-county", {params: {query: {zip: "85326", class: "steers", history: "4"}}}),
);
say("priceByCounty", county.records[0]?.price_avg, county.records[0]?.history?.length);
const state = dataOf(await GET("/price-by-state", {params: {query: {state: "TX", evidence: "none"}}}));
say("priceByState", state.records[0]?.week_end_date);
const latest = dataOf(
  await GET("/latest-prices", {params: {query: {lat: "33.33", lon: "-112.65", limit: "2"}}}),
);
say("latestPrices", latest.records[0]?.sale_date);
const directory = dataOf(await GET("/cattle-sale-barn-directory", {params: {query: {state: "TX"}}}));
say("cattleSaleBarnDirectory", directory.records[0]?.venue_name);
say("barns", dataOf(await GET("/barns", {params: {query: {state: "AZ"}}})).records[0]?.lat);
say("dealersStats", dataOf(await GET("/dealers/stats")).summary.total_is_lower_bound);
const {property} = dataOf(
  await GET("/public/land-agent/property/address-lookup", {
    params: {query: {address: "116 W Bluestem Rd", state: "TX"}},
  }),
);
say("addressLookup", property.parcelUid);
const byNumber = dataOf(
  await GET("/public/land-agent/property/parcel-id-lookup", {
    params: {query: {parcelId: property.parcelUid}},
  }),
);
say("parcelIdLookup", byNumber.property.county);
const near = dataOf(
  await GET("/public/land-agent/property/location-search", {
    params: {query: {latitude: "33.33", longitude: "-112.93", radius: "0.5", use: "agriculture"}},
  }),
);
say("locationSearch", near.properties.length);
const owner = dataOf(
  await GET("/public/land-agent/property/owner-search", {params: {query: {owner: "ranch"}}}),
);
say("ownerSearch", owner.metadata.total);
