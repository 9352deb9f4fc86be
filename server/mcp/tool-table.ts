import {z} from "zod";
import type {Endpoint} from "../http/endpoint.ts";
import {givenBy} from "../text/describe-answer.ts";

/**
 * One tool: the endpoint that answers it, with all its parameters but those of `leaves`; the one that an agent has to say where the
 * endpoint has another way of asking; and the records of a page when it does not say that.
 */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly needs?: string;
  readonly leaves?: readonly string[];
  readonly usualLimit?: number;
};

/**
 * Gives the schema of what an agent may say to a tool, and nothing else: the parameters of its endpoint in its words, as text, number or
 * true and false. The endpoint checks the values.
 */
export function inputSchema({needs, leaves = [], usualLimit}: Tool, {parameters}: Endpoint): z.ZodObject {
  const withWeeks = "history" in parameters.shape ? ", 1 with history" : "";
  const usual = usualLimit && `Most records of a page, ${usualLimit} when absent${withWeeks}`;
  const argument = (name: string, parameter: z.ZodType) => {
    const isOptional = parameter instanceof z.ZodOptional;
    const kind = name === "limit" ? z.number() : valueKind(isOptional ? parameter.unwrap() : parameter);
    const about = (name === "limit" && usual) || (parameter.description ?? name);
    return (isOptional && name !== needs ? kind.optional() : kind).describe(about);
  };
  const taken = Object.entries(parameters.shape as Record<string, z.ZodType>)
    // A description tells what the evidence says.
    .filter(([name]) => name !== "evidence" && !leaves.includes(name))
    .map(([name, parameter]) => [name, argument(name, parameter)]);
  return z.strictObject(Object.fromEntries(taken));
}

/** Gives the kind of a parameter's value once it is read from text; words and what is made of them are text. */
function valueKind(parameter: unknown): z.ZodNumber | z.ZodBoolean | z.ZodString {
  const read = parameter instanceof z.ZodPipe ? parameter.out : parameter;
  return read instanceof z.ZodNumber || read instanceof z.ZodBoolean ? read : z.string();
}

/**
 * Gives the schema of a tool's structured content: what programs get of the answer of its endpoint and of the records. What is not
 * known of a record is left out.
 */
export function outputSchema(endpoint: Endpoint): z.ZodObject {
  const {facts, row} = givenBy(endpoint);
  return z.looseObject({
    ...facts,
    rows: z.array(z.looseObject(row).partial()).describe("The records of the page, in order"),
    total: z.int().describe("Records that fit; `offset` turns the page"),
    limitations: z.array(z.string()).describe("Caveats for the answer"),
  });
}

const lookups = "/public/land-agent/property";
const notTitle = "Assessor context: not survey, title, ownership or boundary evidence.";

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
      "Reported auction prices of the ZIP's county and the counties around it, nearest first, with the weeks before on demand. " +
      "Say class and weight: the answer is then one sentence, and its records are short.",
    needs: "zip",
    leaves: ["county"],
    usualLimit: 3,
  },
  {
    name: "county_prices",
    path: "/price-by-county",
    description:
      "Reported auction prices of one county, or estimates for it, with the weeks before on demand.",
    needs: "county",
    leaves: ["zip", "radius"],
    usualLimit: 3,
  },
  {
    name: "state_prices",
    path: "/price-by-state",
    description: "Official weekly summary or rollup of a state's auctions, with the weeks before on demand.",
    usualLimit: 5,
  },
  {
    name: "latest_sales",
    path: "/latest-prices",
    description:
      "Rows of the latest reported sale of each barn: of one barn by name, of a county or state, or around a ZIP or point, nearest first.",
    usualLimit: 8,
  },
  {
    name: "sale_barns",
    path: "/barns",
    description:
      "Sale barns by name, state or county, or around a ZIP or point: town, sale days, next sale, status, phone.",
    usualLimit: 10,
  },
  {
    name: "licensed_dealers",
    path: "/dealers/stats",
    description:
      "Counts of licensed livestock dealers and markets by state, from the states' published lists.",
  },
  {
    name: "parcel_by_address",
    path: `${lookups}/address-lookup`,
    description: `Owner, acres, use and values of the land parcel at a street address. ${notTitle}`,
  },
  {
    name: "parcel_by_number",
    path: `${lookups}/parcel-id-lookup`,
    description: `The land parcel with an assessor's parcel number (APN). ${notTitle}`,
  },
  {
    name: "parcels_near",
    path: `${lookups}/location-search`,
    description: `Land parcels within a radius of a point, nearest first. ${notTitle}`,
    usualLimit: 5,
  },
  {
    name: "parcels_of_owner",
    path: `${lookups}/owner-search`,
    description: `Land parcels by owner name, where the source publishes owners, with acres summed over all hits. ${notTitle}`,
    usualLimit: 5,
  },
];
