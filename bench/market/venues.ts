import type {Venue} from "../../schemas/vocabulary/venue.ts";

/** An invented Kansas sale barn on a grid over the state; its number matches the generated rows. */
export function inventedVenue(number: number, asOf: string): Venue {
  return {
    venueId: `ks-bench-${number}`,
    name: `Bench Livestock ${number}`,
    aliases: [],
    venueType: "auction",
    city: `Town ${number}`,
    state: "KS",
    zip: null,
    streetAddress: null,
    phone: null,
    website: null,
    countyFips: null,
    lat: 37.1 + (number % 20) * 0.14,
    lon: -101.9 + Math.floor(number / 20) * 0.7,
    locationBasis: "yard",
    locationAccuracyM: 100,
    reportSlugs: [`ams-${90_000 + number}`],
    schedule: null,
    statements: [],
    facts: [{fields: ["name"], source: "ams-lmr-datamart", publisher: "bench", date: asOf}],
  };
}
