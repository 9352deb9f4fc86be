import {z} from "zod";
import {limitations} from "../../lib/limitations.ts";
import {CattleClass, Commodity} from "../../schemas/price-row.ts";
import {
  codeParameter,
  countyParameter as countyOf,
  degreesParameter,
  limitParameter,
  stateCodes,
  textParameter,
  wholeNumberParameter,
  wordsParameter,
  zipParameter as zipOf,
} from "../http/parameter-kinds.ts";

/** Most records of a page. */
const MOST_RECORDS = 500;
/** Records of a page without a `limit`. */
const USUAL_RECORDS = 25;
/** Most records that can be left out before a page. */
const MOST_LEFT_OUT = 10_000;

const limit = limitParameter(MOST_RECORDS)
  .optional()
  .describe(
    `Most records of a page, 1 to ${MOST_RECORDS}; ${USUAL_RECORDS} when absent, and what is above ${MOST_RECORDS} is reduced to it`,
  );

const offset = wholeNumberParameter(/^0*([0-9]{1,4}|10000)$/, {
  what: "an offset",
  bounds: `between 0 and ${MOST_LEFT_OUT}`,
})
  .optional()
  .describe(`Records to leave out before the page, 0 to ${MOST_LEFT_OUT}; 0 when absent`);

/** `none` leaves the evidence out of the answer. */
const evidence = z
  .enum(["full", "none"], {error: "is neither full nor none"})
  .optional()
  .describe("`none` leaves the array `evidence` out of the answer; `full` when absent");

/** The parameters of every list: which page, and whether with its evidence. */
export const pageParameters = {limit, offset, evidence};

type PageQuery = {
  limit?: {records: number; reduced: boolean} | undefined;
  offset?: number | undefined;
  evidence?: "full" | "none" | undefined;
};

/** A page of a list: how many records it has at most, and after how many it begins. */
export type Page = {readonly limit: number; readonly offset: number; readonly evidence: boolean};

/** Bounds of a weight in pounds, and of the weeks of a history. */
const weights = {least: 50, most: 3000};
const MOST_WEEKS = 156;

/** Pounds that one weight bin spans. */
const BIN_LB = 50;

const weightParameter = wholeNumberParameter(/^0*([5-9][0-9]|[1-9][0-9]{2}|[12][0-9]{3}|3000)$/, {
  what: "a weight",
  bounds: `from ${weights.least} to ${weights.most} pounds`,
})
  .optional()
  .describe(
    `Weight in pounds, ${weights.least} to ${weights.most}: only cells of the 50-lb bin that holds it`,
  );

/** Accepts a number of weeks of history. */
export const historyParameter = wholeNumberParameter(/^0*([1-9][0-9]?|1[0-4][0-9]|15[0-6])$/, {
  what: "a number of weeks",
  bounds: `from 1 to ${MOST_WEEKS} weeks`,
})
  .optional()
  .describe(
    `Weeks of history of each record, 1 to ${MOST_WEEKS}, up to the week of its last sale; no history when absent`,
  );

/** The parameters that choose kinds of cattle. */
export const kindParameters = {
  commodity: wordsParameter(Commodity.options, "commodity", "Commodities, comma-separated; all when absent"),
  class: wordsParameter(CattleClass.options, "class of cattle", "Classes, comma-separated; all when absent"),
  weight: weightParameter,
};

type KindQuery = {
  commodity?: readonly string[] | undefined;
  class?: readonly string[] | undefined;
  weight?: number | undefined;
};

/** The facts of a price record that say which kind of cattle it is about; `binLow` is null for cells without a weight bin. */
export type Kind = {readonly commodity: string; readonly class: string; readonly binLow: number | null};

/** A test of a record's kind. */
export type KindTest = (kind: Kind) => boolean;

const barnStatuses = ["active", "seasonal", "inactive", "closed", "unverified"] as const;

export const stateParameter = codeParameter(stateCodes, "a state, DC or a territory");

export const zipParameter = zipOf("ZIP code, five digits or ZIP+4: nearest county and barn context");

export const countyParameter = countyOf([5], {
  error: "is neither a county name nor a 5-digit FIPS code",
  about: '5-digit county FIPS code, or county name in any case, with or without "County" and the like',
});

/** Accepts the id of a barn, or words of its name and town. */
export const venueParameter = textParameter(80)
  .optional()
  .describe("Id of a barn, or words of its name and town");

/** Accepts comma-separated barn statuses. */
export const statusParameter = wordsParameter(
  barnStatuses,
  "barn status",
  "Statuses of barns, comma-separated; all but closed when absent",
);

/** Miles around a place when a question names none, and the bounds of those that it may name. */
export const usualMiles = 150;
const miles = {least: 10, most: 300};

/** Accepts whole miles around the place of a question. */
export const radiusParameter = wholeNumberParameter(/^0*([1-9][0-9]|[12][0-9]{2}|300)$/, {
  what: "a number of miles",
  bounds: `from ${miles.least} to ${miles.most} miles`,
})
  .optional()
  .describe(
    `Miles around the place of the question, ${miles.least} to ${miles.most}; ${usualMiles} when absent`,
  );

/** A point, of which both coordinates or neither are given. */
export const pointParameters = {
  lat: degreesParameter(90).optional().describe("Latitude in decimal degrees, WGS 84; with `lon`"),
  lon: degreesParameter(180).optional().describe("Longitude in decimal degrees, WGS 84; with `lat`"),
};

type PlaceQuery = {
  zip?: string | undefined;
  lat?: number | undefined;
  lon?: number | undefined;
  radius?: number | undefined;
};

/** Adds the faults of a place to a check: half a point, two places, and miles around none. */
export function checkPlace(
  {zip, lat, lon, radius}: PlaceQuery,
  context: {addIssue(issue: {code: "custom"; path: string[]; message: string}): void},
): void {
  const fault = (name: string, message: string) => context.addIssue({code: "custom", path: [name], message});
  if ((lat === undefined) !== (lon === undefined))
    fault(lat === undefined ? "lat" : "lon", "is required with the other coordinate");
  else if (zip !== undefined && lat !== undefined) fault("zip", "is a second place beside lat and lon");
  if (radius !== undefined && zip === undefined && lat === undefined && lon === undefined)
    fault("radius", "needs a place to measure from");
}

/** Makes the test of a question's kinds; null for a question that names none. */
export function kindTest({commodity, class: classes, weight}: KindQuery): KindTest | null {
  if (commodity === undefined && classes === undefined && weight === undefined) return null;
  return (kind) =>
    (commodity === undefined || commodity.includes(kind.commodity)) &&
    (classes === undefined || classes.includes(kind.class)) &&
    (weight === undefined ||
      (kind.binLow !== null && kind.binLow <= weight && weight < kind.binLow + BIN_LB));
}

/** Reads the page that a question wants. */
export function pageOf({limit, offset, evidence}: PageQuery): Page {
  return {limit: limit?.records ?? USUAL_RECORDS, offset: offset ?? 0, evidence: evidence !== "none"};
}

/** Gives the parameters as they were applied, the limit always. */
export function appliedParameters<Query extends PageQuery>(query: Query): Record<string, unknown> {
  return {...query, limit: pageOf(query).limit};
}

/** Gives L10 where the limit was reduced. */
export function pageLimitations({limit}: PageQuery): string[] {
  return limit?.reduced === true ? [limitations.L10] : [];
}
