import {z} from "zod";

/** One tool: the endpoint that answers it, what an agent may say, and the records of a page when it does not say that. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly input: z.ZodRawShape;
  readonly usualLimit?: number;
};

/** A parameter that may be absent. */
const word = (about: string) => z.string().optional().describe(about);
const whole = (least: number, most: number, about: string) =>
  z.int().min(least).max(most).optional().describe(about);

const stateCode = "Two letters, such as KS";
const state = z.string().describe(stateCode);
const anyState = word(stateCode);
const county = word("Name or five-digit FIPS code");
const use = word("agriculture, residential, commercial, industrial, vacant, mineral, utility_exempt");
const radius = z.number().optional().describe("Miles, 1 when absent");
const marketRadius = whole(10, 300, "Miles, 150 when absent");
const venue = word("Id of a barn, or words of its name and town");
const around = {
  zip: word("Five digits"),
  lat: z.number().optional().describe("Degrees, with lon"),
  lon: z.number().optional().describe("Degrees, west negative, with lat"),
  radius: marketRadius,
};
const acres = (about: string) => z.number().min(0).optional().describe(about);
const size = {
  minAcres: acres("Least acres"),
  maxAcres: acres("Most acres"),
  sort: z
    .enum(["acres", "value"])
    .optional()
    .describe("acres or value (market value): the largest first; by distance or score when absent"),
};
const cattle = {
  class: word("steers, heifers, bulls, cows, bred_cows … ; several with commas"),
  weight: whole(50, 3000, "Pounds, such as 550: the 50-lb class that holds it"),
  commodity: word("feeder_cattle, slaughter_cattle, replacement_cattle or dairy_calves"),
};
const history = whole(1, 156, "Weeks of past prices, such as 12; then one record when limit is absent");

/** Gives the schema of what an agent may say to a tool, and nothing else; pages have `limit` and `offset`. */
export function inputSchema({input, usualLimit}: Pick<Tool, "input" | "usualLimit">): z.ZodObject {
  if (usualLimit === undefined) return z.strictObject(input);
  const limit = whole(1, 500, `Most records, ${usualLimit} when absent`);
  const offset = whole(0, 10_000, "Records to leave out: the next page");
  return z.strictObject({...input, limit, offset});
}

const lookups = "/public/land-agent/property";
const notTitle = "Assessor context: not survey, title, ownership or boundary evidence.";

/** The tools for agents, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  {
    name: "coverage",
    title: "What is covered",
    description:
      "States with their parcels, barns and priced counties, sources with age and terms; with a state, its counties. Ask it first where an " +
      "answer may be missing.",
    path: "/coverage",
    input: {state: anyState},
  },
  {
    name: "prices_near_zip",
    title: "Cattle prices near a ZIP code",
    description:
      "Reported auction prices of the ZIP's county and the counties around it, nearest first, with the weeks before on demand. " +
      "Say class and weight: the answer is then one sentence, and its records are short.",
    path: "/price-by-county",
    input: {zip: z.string().describe("Five digits"), radius: marketRadius, ...cattle, history},
    usualLimit: 3,
  },
  {
    name: "county_prices",
    title: "Cattle prices of a county",
    description:
      "Reported auction prices of one county, or estimates for it, with the weeks before on demand.",
    path: "/price-by-county",
    input: {county: z.string().describe("Name or five-digit FIPS code"), state: anyState, ...cattle, history},
    usualLimit: 3,
  },
  {
    name: "state_prices",
    title: "Cattle prices of a state",
    description: "Official weekly summary or rollup of a state's auctions, with the weeks before on demand.",
    path: "/price-by-state",
    input: {state, ...cattle, history},
    usualLimit: 5,
  },
  {
    name: "latest_sales",
    title: "Latest sales",
    description:
      "Rows of the latest reported sale of each barn: of one barn by name, of a county or state, or around a ZIP or point, nearest first.",
    path: "/latest-prices",
    input: {venue, state: anyState, county, ...around, ...cattle},
    usualLimit: 8,
  },
  {
    name: "sale_barns",
    title: "Sale barns",
    description:
      "Sale barns by name, state or county, or around a ZIP or point: town, sale days, next sale, status, phone.",
    path: "/barns",
    input: {
      state: anyState,
      county,
      venue,
      status: word("active, seasonal, inactive, closed, unverified; several with commas"),
      ...around,
    },
    usualLimit: 10,
  },
  {
    name: "licensed_dealers",
    title: "Licensed dealers",
    description:
      "Counts of licensed livestock dealers and markets by state, from the states' published lists.",
    path: "/dealers/stats",
    input: {},
  },
  {
    name: "parcel_by_address",
    title: "Parcel at an address",
    description: `Owner, acres, use and values of the land parcel at a street address. ${notTitle}`,
    path: `${lookups}/address-lookup`,
    input: {
      address: z.string().describe("Street line, or the whole address on one line"),
      state: anyState,
      county,
      city: word("Postal city"),
      zipCode: word("Five digits"),
    },
  },
  {
    name: "parcel_by_number",
    title: "Parcel by its number",
    description: `The land parcel with an assessor's parcel number (APN). ${notTitle}`,
    path: `${lookups}/parcel-id-lookup`,
    input: {
      parcelId: z.string().describe("As the county prints it, or FIPS-number such as 48453-0241101058"),
      state: anyState,
      county,
    },
  },
  {
    name: "parcels_near",
    title: "Parcels around a point",
    description: `Land parcels within a radius of a point, nearest first. ${notTitle}`,
    path: `${lookups}/location-search`,
    input: {
      latitude: z.number().describe("Degrees"),
      longitude: z.number().describe("Degrees, west negative"),
      radius,
      use,
      ...size,
    },
    usualLimit: 5,
  },
  {
    name: "parcels_of_owner",
    title: "Parcels of an owner",
    description: `Land parcels by owner name, where the source publishes owners, with acres summed over all hits. ${notTitle}`,
    path: `${lookups}/owner-search`,
    input: {
      owner: z.string().describe("Name, in either order"),
      state: anyState,
      county,
      use,
      ...size,
      exact: z.boolean().optional().describe("true for equal names alone, no near spellings"),
    },
    usualLimit: 5,
  },
];
