import {readFileSync} from "node:fs";
import {join} from "node:path";
import {referenceDir} from "../../lib/paths.ts";

/** One question per endpoint, by operation id. The answer over the generated sample is the example in the OpenAPI document. */
export const exampleQuestions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  priceByCounty: {zip: "85326", limit: "1", class: "steers", weight: "550", history: "4"},
  priceByState: {state: "TX", limit: "1"},
  latestPrices: {lat: "33.33", lon: "-112.65", limit: "1"},
  cattleSaleBarnDirectory: {state: "TX", limit: "1"},
  barns: {state: "AZ", status: "active", limit: "1"},
  dealersStats: {limit: "1"},
  addressLookup: {address: "116 W Bluestem Rd", state: "TX"},
  parcelIdLookup: {parcelId: "48143-R000990003"},
  locationSearch: {
    latitude: "33.33",
    longitude: "-112.93",
    radius: "0.5",
    use: "agriculture",
    limit: "1",
  },
  coverage: {state: "TX"},
  ownerSearch: {owner: "ranch", state: "AZ", limit: "1"},
};

/** The stored answers to the example questions; a test regenerates them from a build of the sample. */
export const exampleAnswersFile = join(referenceDir, "answer-examples.json");

/** Reads the answers to the example questions, by operation id. */
export function readExampleAnswers(): Record<string, unknown> {
  return JSON.parse(readFileSync(exampleAnswersFile, "utf8")) as Record<string, unknown>;
}
