import {z} from "zod";

/** One tool: the endpoint that answers it, what an agent may say, and what is added when it does not say it. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly input: z.ZodObject;
  readonly usual: Readonly<Record<string, string>>;
};

const state = z.string().describe("Two letters, such as KS");
const kind = z
  .string()
  .optional()
  .describe("steers, heifers, bulls, cows, bred_cows … ; several with commas");
const commodity = z
  .string()
  .optional()
  .describe("feeder_cattle, slaughter_cattle, replacement_cattle or dairy_calves");
const weight = z
  .int()
  .min(50)
  .max(3000)
  .optional()
  .describe("Pounds, such as 550: the 50-lb class that holds it");
const history = z
  .int()
  .min(1)
  .max(156)
  .optional()
  .describe("Weeks of past prices, such as 12; then one record when limit is absent");
const limit = (usual: number) =>
  z.int().min(1).max(500).optional().describe(`Most records, ${usual} when absent`);
const offset = z.int().min(0).max(10_000).optional().describe("Records to leave out: the next page");
const use = z
  .string()
  .optional()
  .describe("agriculture, residential, commercial, industrial, vacant, mineral, utility_exempt");

const lookups = "/public/land-agent/property";
const notTitle = "Assessor context: not survey, title, ownership or boundary evidence.";

/** The tools for agents, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  {
    name: "prices_near_zip",
    title: "Cattle prices near a ZIP code",
    description:
      "Reported auction prices of the ZIP's county and the counties around it, nearest first, with the weeks before on demand. " +
      "Say class and weight: the answer is then short.",
    path: "/price-by-county",
    input: z.object({
      zip: z.string().describe("Five digits"),
      class: kind,
      weight,
      commodity,
      history,
      limit: limit(3),
      offset,
    }),
    usual: {limit: "3"},
  },
  {
    name: "state_prices",
    title: "Cattle prices of a state",
    description: "Official weekly summary or rollup of a state's auctions, with the weeks before on demand.",
    path: "/price-by-state",
    input: z.object({state, class: kind, weight, commodity, history, limit: limit(5), offset}),
    usual: {limit: "5"},
  },
  {
    name: "latest_sales",
    title: "Latest sales near a point",
    description: "Rows of the latest reported sale of each barn within 300 miles, nearest first.",
    path: "/latest-prices",
    input: z.object({
      lat: z.number().describe("Degrees"),
      lon: z.number().describe("Degrees, west negative"),
      class: kind,
      weight,
      commodity,
      limit: limit(8),
      offset,
    }),
    usual: {limit: "8"},
  },
  {
    name: "sale_barns",
    title: "Sale barns",
    description: "Sale barns of a state or county: town, sale days, next sale, status, phone.",
    path: "/barns",
    input: z.object({
      state: state.optional(),
      county: z.string().optional().describe("Name or five-digit FIPS code"),
      status: z
        .string()
        .optional()
        .describe("active, seasonal, inactive, closed, unverified; several with commas"),
      limit: limit(10),
      offset,
    }),
    usual: {limit: "10"},
  },
  {
    name: "licensed_dealers",
    title: "Licensed dealers",
    description:
      "Counts of licensed livestock dealers and markets by state, from the states' published lists.",
    path: "/dealers/stats",
    input: z.object({}),
    usual: {},
  },
  {
    name: "parcel_by_address",
    title: "Parcel at an address",
    description: `Owner, acres, use and values of the land parcel at a street address. ${notTitle}`,
    path: `${lookups}/address-lookup`,
    input: z.object({
      address: z.string().describe("Street line, or the whole address on one line"),
      state: state.optional(),
      county: z.string().optional(),
      city: z.string().optional(),
      zipCode: z.string().optional(),
    }),
    usual: {},
  },
  {
    name: "parcel_by_number",
    title: "Parcel by its number",
    description: `The land parcel with an assessor's parcel number (APN). ${notTitle}`,
    path: `${lookups}/parcel-id-lookup`,
    input: z.object({
      parcelId: z.string().describe("As the county prints it, or FIPS-number such as 48453-0241101058"),
      state: state.optional(),
      county: z.string().optional(),
    }),
    usual: {},
  },
  {
    name: "parcels_near",
    title: "Parcels around a point",
    description: `Land parcels within a radius of a point, nearest first. ${notTitle}`,
    path: `${lookups}/location-search`,
    input: z.object({
      latitude: z.number(),
      longitude: z.number(),
      radius: z.number().optional().describe("Miles, 1 when absent"),
      use,
      limit: limit(5),
      offset,
    }),
    usual: {limit: "5"},
  },
  {
    name: "parcels_of_owner",
    title: "Parcels of an owner",
    description: `Land parcels by owner name, where the source publishes owners. ${notTitle}`,
    path: `${lookups}/owner-search`,
    input: z.object({
      owner: z.string().describe("Name, in either order"),
      state: state.optional(),
      county: z.string().optional(),
      use,
      limit: limit(5),
      offset,
    }),
    usual: {limit: "5"},
  },
];
