import {countyOf} from "../../lib/geography/counties.ts";
import {type Venue, VenueFile, Weekday} from "../../schemas/venue.ts";
import {bareVenue, venueIdFrom} from "../market/venues.ts";
import type {SampleBarn} from "./barns.ts";
import {seededBy} from "./random.ts";

const types = ["Livestock Dealer", "Livestock Auction Market", "Order Buyer"] as const;
const licences = 24;

/** Gives the invented barns as a venue file; the place of each is its yard, or the internal point of its county. */
export function sampleVenues(barns: readonly SampleBarn[], asOf: string): Venue[] {
  const venues = barns.map((barn) => sampleVenue(barn, asOf));
  return VenueFile.parse(venues.sort((a, b) => (a.venueId < b.venueId ? -1 : 1)));
}

function sampleVenue(barn: SampleBarn, asOf: string): Venue {
  const {slug, name, city, state, countyFips, saleWeekday, yard} = barn;
  const {lat, lon} = yard ?? countyOf(countyFips)!.point;
  const weekday = Weekday.options[saleWeekday]!;
  return {
    ...bareVenue({venueId: venueIdFrom(state, `${city} ${name}`), name, city, state}),
    countyFips,
    lat: Math.round(lat * 1e4) / 1e4,
    lon: Math.round(lon * 1e4) / 1e4,
    locationBasis: yard === undefined ? "city_centroid" : "yard",
    reportSlugs: [`ams-${slug}`],
    schedule: {
      rules: [
        {
          kind: "regular",
          classes: [],
          frequency: "weekly",
          weekday,
          nth: [],
          anchor_date: null,
          dates: [],
          start_time_local: "10:00",
          season: null,
        },
      ],
      exceptions: [],
      text: `Every ${weekday.charAt(0).toUpperCase()}${weekday.slice(1)}, 10:00 (generated sample)`,
      verifiedAt: asOf,
      verifiedBy: "generated sample",
    },
    facts: [
      {
        fields: ["name", "city", "state", "reportSlugs", "lat", "lon", "countyFips", "schedule"],
        source: "editorial-market-reference-sources",
        publisher: "Generated sample data",
        date: asOf,
      },
    ],
  };
}

/** Gives an invented licence list of a state as CSV; every licence is active, and no name is that of a business. */
export function sampleLicences(state: string, listAsOf: string): string {
  const random = seededBy(`licences ${state}`);
  const lines = Array.from({length: licences}, (_, i) => {
    const bonded = random.int(0, 3) === 0 ? "No" : "Yes";
    return `Sample Licensee ${i + 1},${random.pick(types)},${state},${bonded},Active,${listAsOf}\n`;
  });
  return `Licensee,License Type,State,Bonded,Status,List As Of\n${lines.join("")}`;
}
