// Asks every example question with the TypeScript client of openapi-generator, and prints one field of each answer; arguments are
// address and key.
import {Configuration, CoverageApi, MarketApi, ParcelApi} from "./generated/index.js";

const [address, key] = process.argv.slice(2);
/** Prints the operation that answered, with the field of its answer. */
const say = (operation: string, field: unknown) => process.stdout.write(`${operation} ${field}\n`);
const configuration = new Configuration({basePath: address, headers: {"X-API-Key": key!}});
const market = new MarketApi(configuration);
const parcel = new ParcelApi(configuration);

const county = {zip: "85326", limit: "1", _class: "steers", weight: "550", history: "4"};
say("priceByCounty", (await market.priceByCounty(county)).records[0]?.priceAvg);
const texas = {state: "TX", limit: "1"} as const;
say("priceByState", (await market.priceByState(texas)).records[0]?.priceAvg);
const point = {lat: "33.33", lon: "-112.65", limit: "1"};
say("latestPrices", (await market.latestPrices(point)).records[0]?.venueName);
say("cattleSaleBarnDirectory", (await market.cattleSaleBarnDirectory(texas)).records[0]?.venueName);
say("barns", (await market.barns({state: "AZ", status: "active", limit: "1"})).records[0]?.lat);
say("dealersStats", (await market.dealersStats({limit: "1"})).summary.totalEntities);
const {property} = await parcel.addressLookup({address: "116 W Bluestem Rd", state: "TX"});
say("addressLookup", property.parcelUid);
say("parcelIdLookup", (await parcel.parcelIdLookup({parcelId: "48143-R000990003"})).property.county);
const near = {latitude: "33.33", longitude: "-112.93", radius: "0.5", use: "agriculture", limit: "1"};
say("locationSearch", (await parcel.locationSearch(near)).metadata.total);
const owned = await parcel.ownerSearch({owner: "ranch", state: "AZ", limit: "1"});
say("ownerSearch", owned.metadata.total);
const covered = await new CoverageApi(configuration).coverage({state: "TX"});
say("coverage", covered.states[0]?.parcels);
