// Calls all ten endpoints with the TypeScript client of openapi-generator; arguments are address and key.
import {Configuration, MarketApi, ParcelApi} from "./generated/index.js";

const [address, key] = process.argv.slice(2);
/** Prints the endpoint that answered, with something of its answer. */
const say = (...words: unknown[]) => process.stdout.write(`${words.join(" ")}\n`);
const configuration = new Configuration({basePath: address, headers: {"X-API-Key": key!}});
const market = new MarketApi(configuration);
const parcel = new ParcelApi(configuration);

const {records} = await market.priceByCounty({zip: "85326", _class: "steers", history: "4", limit: "1"});
say("priceByCounty", records[0]?.priceAvg, records[0]?.history?.length);
say("priceByState", (await market.priceByState({state: "TX"})).records.length);
say("latestPrices", (await market.latestPrices({lat: "33.33", lon: "-112.65"})).records.length);
say("cattleSaleBarnDirectory", (await market.cattleSaleBarnDirectory({state: "TX"})).records[0]?.venueName);
say("barns", (await market.barns({state: "AZ", status: "active"})).records[0]?.lat);
say("dealersStats", (await market.dealersStats()).summary.totalIsLowerBound);
const {property} = await parcel.addressLookup({address: "116 W Bluestem Rd", state: "TX"});
say("addressLookup", property.parcelUid);
say("parcelIdLookup", (await parcel.parcelIdLookup({parcelId: property.parcelUid})).property.county);
const near = await parcel.locationSearch({
  latitude: "33.33",
  longitude: "-112.93",
  radius: "0.5",
  includeUnassignedAddress: "true",
});
say("locationSearch", near.properties.length);
say("ownerSearch", (await parcel.ownerSearch({owner: "ranch"})).metadata.total);
