import type {Point} from "../../lib/geography/distance.ts";

/** An invented sale barn in a real county, so that county questions have something to find. */
export type SampleBarn = {
  readonly slug: number;
  readonly name: string;
  readonly city: string;
  readonly state: string;
  readonly countyFips: string;
  /** Its pens, in one of the sample's parcels; without it, the barn stands at the point of its county. */
  readonly yard?: Point;
  /** 0 = Sunday. */
  readonly saleWeekday: number;
  readonly feed: "ams-text" | "mars";
};

/** The barns of the sample. No barn or town of these names exists, and report numbers from 99001 on are not given out. */
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
