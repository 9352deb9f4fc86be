import {z} from "zod";
import {limitations, weightlessLimitation} from "../../lib/limitations.ts";
import {venueStatuses} from "../../schemas/market-fields/venue-fields.ts";
import {CattleClass, Commodity} from "../../schemas/vocabulary/price-row.ts";
import {
  codeParameter,
  countyParameter as countyOf,
  decimalParameter,
  degreesParameter,
  limitParameter,
  stateCodes,
  textParameter,
  wholeNumberParameter,
  wordsParameter,
  zipParameter as zipOf,
} from "../http/parameter-kinds.ts";
import type {KindTest} from "../tables/record-tables.ts";
import type {SellingCosts} from "./net-at-venue.ts";

/** Orders of compared barns. */
export const barnOrders = ["price", "distance"] as const;

/** Maximum page size. */
const MAX_RECORDS = 500;
/** Default page size. */
const DEFAULT_RECORDS = 25;
/** Maximum offset. */
const MAX_OFFSET = 10_000;

const limit = limitParameter(MAX_RECORDS)
  .optional()
  .describe(
    `Maximum number of records on a page, 1 to ${MAX_RECORDS}, ${DEFAULT_RECORDS} by default; larger values are reduced to ${MAX_RECORDS}`,
  );

const offset = wholeNumberParameter({min: 0, max: MAX_OFFSET, what: "an offset"})
  .optional()
  .describe(`Records to skip, 0 to ${MAX_OFFSET}`);

/** `none` omits the evidence from the answer. */
const evidence = z
  .enum(["full", "none"], {error: "is neither full nor none"})
  .optional()
  .describe("`none` omits the array `evidence` from the answer; `full` by default");

/** Parameters of every list: paging, and whether to include evidence. */
export const pageParameters = {limit, offset, evidence};

/** What an endpoint with these parameters is asked. */
export type QueryOf<Parameters extends z.ZodRawShape> = z.output<z.ZodObject<Parameters>>;
export type PageQuery = QueryOf<typeof pageParameters>;

/** A page of a list: its size, its offset, and whether it includes evidence. */
export type Page = {readonly limit: number; readonly offset: number; readonly evidence: boolean};

/** Limits for a weight in pounds, and for the weeks of a history. */
const weights = {min: 50, max: 3000};
const MAX_WEEKS = 156;

/** Width of a weight bin in pounds. */
const BIN_LB = 50;

const weightParameter = wholeNumberParameter({...weights, what: "a weight", unit: "pounds"})
  .optional()
  .describe(`Pounds, ${weights.min} to ${weights.max}: its 50-lb bin; cows have none`);

/** Accepts a number of weeks of history. */
export const historyParameter = wholeNumberParameter({
  min: 1,
  max: MAX_WEEKS,
  what: "a number of weeks",
  unit: "weeks",
})
  .optional()
  .describe(`Weeks of history of each record, 1 to ${MAX_WEEKS}`);

/** `full` adds the curve behind each figure to the summaries. */
export const curveParameter = z
  .enum(["full", "none"], {error: "is neither full nor none"})
  .optional()
  .describe(
    "`full` adds to a summary of feeders the points of its weight curve and the pens behind it; `none` by default",
  );

/** Parameters that select kinds of cattle. */
export const kindParameters = {
  commodity: wordsParameter(Commodity.options, "commodity", "Commodities, comma-separated"),
  class: wordsParameter(CattleClass.options, "class of cattle", "Classes, comma-separated"),
  weight: weightParameter,
};

/** The kinds of cattle of a question. */
export type AskedKinds = {
  readonly commodity?: readonly string[] | undefined;
  readonly class?: readonly string[] | undefined;
  readonly weight?: number | undefined;
};

const cost = (what: string, about: string, whole = 7) =>
  decimalParameter({what, whole, decimals: 6}).optional().describe(about);
/** What selling costs the caller; `net_per_head` of `barns` needs all of them. */
export const costParameters = {
  rate_per_mile: cost("USD per mile", "USD per loaded mile"),
  load_lb: cost("pounds of a load", "Pounds on a truck"),
  head: cost("a number of head", "Head to sell"),
  shrink_pct: cost("percent of shrink", "Percent of weight lost on the way", 2),
  commission_pct: cost("percent of commission", "Percent of the price that the barn keeps", 2),
};

/** The costs of a question; null unless it states all of them. */
export function costsOf({
  rate_per_mile: ratePerMile,
  load_lb: loadLb,
  head,
  shrink_pct: shrinkPct,
  commission_pct: commissionPct,
}: QueryOf<typeof costParameters>): SellingCosts | null {
  const all = {ratePerMile, loadLb, head, shrinkPct, commissionPct};
  return Object.values(all).includes(undefined) ? null : (all as SellingCosts);
}

/** How barns are ordered. */
export const barnOrderParameter = z
  .enum(barnOrders, {error: "is neither price nor distance"})
  .optional()
  .describe("Order of `barns`: best price (with costs, net) first, or nearest; `price` by default");

export const stateParameter = codeParameter(stateCodes, "a state, DC or a territory");

export const zipParameter = zipOf("ZIP code or ZIP+4: nearest county and barn context");

export const countyParameter = countyOf([5], {
  error: "is neither a county name nor a 5-digit FIPS code",
  about: "County name, or 5-digit FIPS code",
});

/** Accepts a barn's id, or words from its name and town. */
export const venueParameter = textParameter(80)
  .optional()
  .describe("Id of a barn, or words from its name and town");

/** Accepts comma-separated barn statuses. */
export const statusParameter = wordsParameter(
  venueStatuses,
  "barn status",
  "Barn statuses, comma-separated; all but closed by default",
);

/** Default radius in miles, and the limits of the parameter. */
export const defaultMiles = 150;
const miles = {min: 10, max: 300};

/** Accepts whole miles around a place. */
export const radiusParameter = wholeNumberParameter({...miles, what: "a number of miles", unit: "miles"})
  .optional()
  .describe(`Miles around the place, ${miles.min} to ${miles.max}; ${defaultMiles} by default`);

/** A point; both coordinates or neither must be given. */
export const pointParameters = {
  lat: degreesParameter(90).optional().describe("Latitude in decimal degrees, WGS 84; with `lon`"),
  lon: degreesParameter(180).optional().describe("Longitude in decimal degrees, WGS 84; with `lat`"),
};

/** Parameters of a question about the surroundings of a ZIP or a point. */
export const placeParameters = {zip: zipParameter, ...pointParameters, radius: radiusParameter};

/** Where a validation puts its faults. */
export type FaultContext = {addIssue(issue: {code: "custom"; path: string[]; message: string}): void};

/** Validation of the place: half a point, two places, or a radius without a place. */
export function checkPlace(
  {zip, lat, lon, radius}: QueryOf<typeof placeParameters>,
  context: FaultContext,
): void {
  const fault = (name: string, message: string) => context.addIssue({code: "custom", path: [name], message});
  if ((lat === undefined) !== (lon === undefined))
    fault(lat === undefined ? "lat" : "lon", "is required with the other coordinate");
  else if (zip !== undefined && lat !== undefined) fault("zip", "is a second place beside lat and lon");
  if (radius !== undefined && zip === undefined && lat === undefined && lon === undefined)
    fault("radius", "needs a place to measure from");
}

/** Returns the kind test of a question, or null if it names no kind. */
export function kindTest({
  commodity,
  class: classes,
  weight,
}: QueryOf<typeof kindParameters>): KindTest | null {
  if (commodity === undefined && classes === undefined && weight === undefined) return null;
  return (kind) =>
    (commodity === undefined || commodity.some((word) => word === kind.commodity)) &&
    (classes === undefined || classes.some((word) => word === kind.class)) &&
    (weight === undefined ||
      (kind.binLow === null
        ? isOfAnyWeight(kind, {commodity, class: classes, weight})
        : kind.binLow <= weight && weight < kind.binLow + BIN_LB));
}

const cowsAndPairs: readonly string[] = [
  "cows",
  ...["bred_cows", "bred_heifers", "stock_cows", "dairy_cows", "cow_calf_pairs", "heifer_pairs"],
];
/** Classes that are sold as feeders too: a light weight asks for these. */
const feederClasses: readonly string[] = ["steers", "heifers", "bulls", "dairy_steers", "dairy_heifers"];
/** Pounds from which cattle are no feeders. */
const GROWN_LB = 1000;

/**
 * True where a row without a bin of weight answers a question with a weight, which then leaves none out: for grown cattle, for classes that
 * are never feeders, and where feeders are not asked for. A row of feeders without a bin has no known weight.
 */
function isOfAnyWeight(
  {commodity: ofRow, class: kind}: Pick<Parameters<KindTest>[0], "commodity" | "class">,
  {commodity, class: classes, weight = 0}: AskedKinds,
): boolean {
  const isGrown = weight >= GROWN_LB;
  if (ofRow === "feeder_cattle")
    return classes !== undefined && (cowsAndPairs.includes(kind) || (isGrown && /bulls$/.test(kind)));
  if (isGrown || commodity?.includes("feeder_cattle") === false) return true;
  return classes !== undefined && !feederClasses.includes(kind);
}

/** True for cows and pairs, and bulls that are no feeders, alone: the figure of their cell is of all weights. */
export function isSoldWithoutBins({class: classes = [], weight = 0}: AskedKinds): boolean {
  const isHeavyBull = (each: string) => weight >= GROWN_LB && /bulls$/.test(each);
  return classes.length > 0 && classes.every((each) => cowsAndPairs.includes(each) || isHeavyBull(each));
}

/** True where rows without bins answer a question with a weight. */
function hasRowsOfAnyWeight(asked: AskedKinds): boolean {
  const {commodity = ["slaughter_cattle"], class: classes = [""], weight} = asked;
  const isAnswered = (ofRow: string) =>
    classes.some((kind) => isOfAnyWeight({commodity: ofRow, class: kind}, asked));
  return weight !== undefined && commodity.some(isAnswered);
}

/** Returns the requested page. */
export function pageOf({limit, offset, evidence}: PageQuery): Page {
  return {limit: limit?.records ?? DEFAULT_RECORDS, offset: offset ?? 0, evidence: evidence !== "none"};
}

/** Returns the parameters as applied; the limit is always included. */
export function appliedParameters<Query extends PageQuery>(query: Query): Record<string, unknown> {
  return {...query, limit: pageOf(query).limit};
}

/** Returns L10 if the limit was capped, and says so where a weight leaves rows without bins in. */
export function pageLimitations({limit, ...asked}: PageQuery & AskedKinds): string[] {
  return [
    ...(limit?.reduced === true ? [limitations.L10] : []),
    ...(hasRowsOfAnyWeight(asked) ? [weightlessLimitation] : []),
  ];
}
