import {z} from "zod";
import type {Endpoint} from "../http/endpoint.ts";

/**
 * One tool: the endpoint that answers it, those of its parameters that an agent has to say and may say, and the records of a page when
 * it does not say that.
 */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly needs?: readonly string[];
  readonly takes?: readonly string[];
  readonly usualLimit?: number;
};

/** Parameters that are numbers. */
const numbers = /^(radius|lat|lon|latitude|longitude|weight|history|minAcres|maxAcres)$/;

/**
 * Gives the schema of what an agent may say to a tool, and nothing else, in the words of its endpoint, which checks the values; pages
 * have `limit` and `offset`.
 */
export function inputSchema(
  {path, needs = [], takes = [], usualLimit}: Tool,
  endpoints: readonly Endpoint[],
): z.ZodObject {
  const {shape} = endpoints.find((endpoint) => endpoint.path === path)!.parameters;
  const argument = (name: string) => {
    const kind = numbers.test(name) ? z.number() : name === "exact" ? z.boolean() : z.string();
    return (needs.includes(name) ? kind : kind.optional()).describe(shape[name].description);
  };
  const input = Object.fromEntries([...needs, ...takes].map((name) => [name, argument(name)]));
  if (usualLimit === undefined) return z.strictObject(input);
  const withWeeks = takes.includes("history") ? ", 1 with history" : "";
  const most = `Most records, ${usualLimit} when absent${withWeeks}`;
  const limit = z.int().min(1).max(500).optional().describe(most);
  const offset = z.int().min(0).max(10_000).optional().describe("Records to leave out: the next page");
  return z.strictObject({...input, limit, offset});
}

const cattle = ["class", "weight", "commodity"];
const around = ["zip", "lat", "lon", "radius"];
const size = ["use", "minAcres", "maxAcres", "sort"];
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
    takes: ["state"],
  },
  {
    name: "prices_near_zip",
    title: "Cattle prices near a ZIP code",
    description:
      "Reported auction prices of the ZIP's county and the counties around it, nearest first, with the weeks before on demand. " +
      "Say class and weight: the answer is then one sentence, and its records are short.",
    path: "/price-by-county",
    needs: ["zip"],
    takes: ["radius", ...cattle, "history"],
    usualLimit: 3,
  },
  {
    name: "county_prices",
    title: "Cattle prices of a county",
    description:
      "Reported auction prices of one county, or estimates for it, with the weeks before on demand.",
    path: "/price-by-county",
    needs: ["county"],
    takes: ["state", ...cattle, "history"],
    usualLimit: 3,
  },
  {
    name: "state_prices",
    title: "Cattle prices of a state",
    description: "Official weekly summary or rollup of a state's auctions, with the weeks before on demand.",
    path: "/price-by-state",
    needs: ["state"],
    takes: [...cattle, "history"],
    usualLimit: 5,
  },
  {
    name: "latest_sales",
    title: "Latest sales",
    description:
      "Rows of the latest reported sale of each barn: of one barn by name, of a county or state, or around a ZIP or point, nearest first.",
    path: "/latest-prices",
    takes: ["venue", "state", "county", ...around, ...cattle],
    usualLimit: 8,
  },
  {
    name: "sale_barns",
    title: "Sale barns",
    description:
      "Sale barns by name, state or county, or around a ZIP or point: town, sale days, next sale, status, phone.",
    path: "/barns",
    takes: ["state", "county", "venue", "status", ...around],
    usualLimit: 10,
  },
  {
    name: "licensed_dealers",
    title: "Licensed dealers",
    description:
      "Counts of licensed livestock dealers and markets by state, from the states' published lists.",
    path: "/dealers/stats",
  },
  {
    name: "parcel_by_address",
    title: "Parcel at an address",
    description: `Owner, acres, use and values of the land parcel at a street address. ${notTitle}`,
    path: `${lookups}/address-lookup`,
    needs: ["address"],
    takes: ["state", "county", "city", "zipCode"],
  },
  {
    name: "parcel_by_number",
    title: "Parcel by its number",
    description: `The land parcel with an assessor's parcel number (APN). ${notTitle}`,
    path: `${lookups}/parcel-id-lookup`,
    needs: ["parcelId"],
    takes: ["state", "county"],
  },
  {
    name: "parcels_near",
    title: "Parcels around a point",
    description: `Land parcels within a radius of a point, nearest first. ${notTitle}`,
    path: `${lookups}/location-search`,
    needs: ["latitude", "longitude"],
    takes: ["radius", ...size],
    usualLimit: 5,
  },
  {
    name: "parcels_of_owner",
    title: "Parcels of an owner",
    description: `Land parcels by owner name, where the source publishes owners, with acres summed over all hits. ${notTitle}`,
    path: `${lookups}/owner-search`,
    needs: ["owner"],
    takes: ["state", "county", ...size, "exact"],
    usualLimit: 5,
  },
];
