// Asks every example question with openapi-fetch over the types of openapi-typescript, and prints one field of each answer; arguments
// are address and key.
import createClient from "openapi-fetch";
import type {paths} from "./types.js";

const [address, key] = process.argv.slice(2);
/** Prints the operation that answered, with the field of its answer. */
const say = (operation: string, field: unknown) => process.stdout.write(`${operation} ${field}\n`);
const {GET} = createClient<paths>({baseUrl: address, headers: {"X-API-Key": key}});

/** Gives the data of a reply, and throws its problem. */
function dataOf<Data>({data, error}: {data?: Data; error?: unknown}): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const county = {zip: "85326", limit: "1", class: "steers", weight: "550", history: "4"};
say("priceByCounty", dataOf(await GET("/price-by-county", {params: {query: county}})).records[0]?.price_avg);
const texas = {state: "TX", limit: "1"} as const;
say("priceByState", dataOf(await GET("/price-by-state", {params: {query: texas}})).records[0]?.price_avg);
const point = {lat: "33.33", lon: "-112.65", limit: "1"};
say("latestPrices", dataOf(await GET("/latest-prices", {params: {query: point}})).records[0]?.venue_name);
const directory = dataOf(await GET("/cattle-sale-barn-directory", {params: {query: texas}}));
say("cattleSaleBarnDirectory", directory.records[0]?.venue_name);
const arizona = {state: "AZ", status: "active", limit: "1"} as const;
say("barns", dataOf(await GET("/barns", {params: {query: arizona}})).records[0]?.lat);
const dealers = dataOf(await GET("/dealers/stats", {params: {query: {limit: "1"}}}));
say("dealersStats", dealers.summary.total_entities);
const {property} = dataOf(
  await GET("/public/land-agent/property/address-lookup", {
    params: {query: {address: "116 W Bluestem Rd", state: "TX"}},
  }),
);
say("addressLookup", property.parcelUid);
const byNumber = dataOf(
  await GET("/public/land-agent/property/parcel-id-lookup", {
    params: {query: {parcelId: "48143-R000990003"}},
  }),
);
say("parcelIdLookup", byNumber.property.county);
const near = {latitude: "33.33", longitude: "-112.93", radius: "0.5", use: "agriculture", limit: "1"};
const found = dataOf(await GET("/public/land-agent/property/location-search", {params: {query: near}}));
say("locationSearch", found.metadata.total);
const owner = {owner: "ranch", state: "AZ", limit: "1"} as const;
const owned = dataOf(await GET("/public/land-agent/property/owner-search", {params: {query: owner}}));
say("ownerSearch", owned.metadata.total);
say("coverage", dataOf(await GET("/coverage", {params: {query: {state: "TX"}}})).states[0]?.parcels);
