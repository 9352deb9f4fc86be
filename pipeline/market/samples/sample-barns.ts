import type {Point} from "@open-cattle/parcel-outlines";
import {countyOf} from "../../../lib/geography/counties.ts";
import {type Venue, VenueFile, Weekday} from "../../../schemas/vocabulary/venue.ts";
import {bareVenue, venueIdFrom} from "../reference/venues.ts";
import {seededBy} from "./lots.ts";

const types = ["Livestock Dealer", "Livestock Auction Market", "Order Buyer"] as const;
const licences = 24;

/** An invented sale barn in a real county, so that questions by county find something. */
export type SampleBarn = {
  readonly slug: number;
  readonly name: string;
  readonly city: string;
  readonly state: string;
  readonly countyFips: string;
  /** Its pens, inside one of the sample's parcels; otherwise the barn is at its county's internal point. */
  readonly yard?: Point;
  /** 0 = Sunday. */
  readonly saleWeekday: number;
  readonly feed: "ams-text" | "mars";
};

/** The sample's barns. No barn or town has these names, and report numbers from 99001 on are unused. */
export const sampleBarns: readonly SampleBarn[] = [
  {
    slug: 99001,
    name: "Crooked Gate Livestock",
    city: "Sample Springs",
    state: "TX",
    countyFips: "48143",
    yard: {lat: 32.2254, lon: -98.2893},
    saleWeekday: 4,
    feed: "ams-text",
  },
  {
    slug: 99002,
    name: "Two Windmills Cattle Auction",
    city: "Sample Flats",
    state: "TX",
    countyFips: "48117",
    saleWeekday: 2,
    feed: "ams-text",
  },
  {
    slug: 99003,
    name: "Saguaro Pens Livestock",
    city: "Sample Wells",
    state: "AZ",
    countyFips: "04013",
    saleWeekday: 3,
    feed: "ams-text",
  },
  {
    slug: 99004,
    name: "Red Bluff Stockyards",
    city: "Sample Junction",
    state: "OK",
    countyFips: "40139",
    saleWeekday: 5,
    feed: "mars",
  },
  {
    slug: 99005,
    name: "Blue Heeler Livestock Market",
    city: "Sample Crossing",
    state: "AZ",
    countyFips: "04025",
    saleWeekday: 1,
    feed: "mars",
  },
];

/** Returns the invented barns as a venue file, each located at its yard or at its county's internal point. */
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

/** Generates a state's licence list as CSV; all licences are active, and no name is that of a real business. */
export function sampleLicences(state: string, listAsOf: string): string {
  const random = seededBy(`licences ${state}`);
  const lines = Array.from({length: licences}, (_, i) => {
    const bonded = random.int(0, 3) === 0 ? "No" : "Yes";
    return `Sample Licensee ${i + 1},${random.pick(types)},${state},${bonded},Active,${listAsOf}\n`;
  });
  return `Licensee,License Type,State,Bonded,Status,List As Of\n${lines.join("")}`;
}
