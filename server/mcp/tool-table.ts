/**
 * One tool: the endpoint that answers it, minus the parameters in `omits`; the parameter that is mandatory here though optional at the
 * endpoint; and the default page size.
 */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly requires?: string;
  readonly omits?: readonly string[];
  readonly defaultLimit?: number;
};

const lookups = "/public/land-agent/property";

/** The tools for agents, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  {
    name: "coverage",
    path: "/coverage",
    description:
      "States with their parcels, barns and priced counties, sources with age and terms; with a state, its counties. Ask it first where an " +
      "answer may be missing.",
  },
  {
    name: "prices_near_zip",
    path: "/price-by-county",
    description:
      "Reported auction prices of the ZIP's county and the counties around it, nearest first. " +
      "Say class and weight: the answer then begins with one sentence.",
    requires: "zip",
    omits: ["county", "curve", "cursor"],
    defaultLimit: 3,
  },
  {
    name: "county_prices",
    path: "/price-by-county",
    description: "Reported auction prices of one county (or estimates), or of all counties of a state.",
    omits: ["zip", "radius", "curve", "cursor"],
    defaultLimit: 3,
  },
  {
    name: "state_prices",
    path: "/price-by-state",
    description: "Official weekly summary or rollup of a state's auctions.",
    omits: ["curve", "cursor"],
    defaultLimit: 5,
  },
  {
    name: "latest_sales",
    path: "/latest-prices",
    description:
      "Rows of the latest reported sale of each barn: by name, county or state, or around a ZIP or point. With place, class and weight: which barn pays most; with all costs, net per head.",
    omits: ["order"],
    defaultLimit: 8,
  },
  {
    name: "sale_barns",
    path: "/barns",
    description:
      "Sale barns by name, state or county, or around a ZIP or point: town, sale days, next sale, status, phone.",
    defaultLimit: 10,
  },
  {
    name: "licensed_dealers",
    path: "/dealers/stats",
    description:
      "Counts of licensed livestock dealers and markets of a state or of all, from the states' published lists.",
  },
  {
    name: "parcel_by_address",
    path: `${lookups}/address-lookup`,
    description: "Owner, acres, use and values of the land parcel at a street address.",
  },
  {
    name: "parcel_by_number",
    path: `${lookups}/parcel-id-lookup`,
    description: "The land parcel with an assessor's parcel number (APN).",
  },
  {
    name: "parcels_near",
    path: `${lookups}/location-search`,
    description: "Land parcels within a radius of a point, nearest first.",
    defaultLimit: 5,
  },
  {
    name: "parcels_of_owner",
    path: `${lookups}/owner-search`,
    description:
      "Land parcels by owner name, where the source publishes owners, with acres summed over all hits.",
    defaultLimit: 5,
  },
];
