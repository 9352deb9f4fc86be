import {z} from "zod";
import {limitations} from "../../lib/limitations.ts";

/** Most records of a page. */
const MOST_RECORDS = 500;
/** Records of a page without a `limit`. */
const USUAL_RECORDS = 25;
/** Most records that can be left out before a page. */
const MOST_LEFT_OUT = 10_000;

/** Accepts a whole number of records; one above the maximum is reduced and marked, because the answer says so. */
const limitParameter = z
  .string()
  .max(20, {error: "is too long for a row limit", abort: true})
  .regex(/^\d+$/, {error: "is not a whole number in decimal digits", abort: true})
  .regex(/^0*[1-9]\d*$/, {error: `is not between 1 and ${MOST_RECORDS}`})
  .transform((text) => ({
    records: Math.min(Number(text), MOST_RECORDS),
    reduced: Number(text) > MOST_RECORDS,
  }))
  .optional()
  .describe(
    `Most records of a page, 1 to ${MOST_RECORDS}; ${USUAL_RECORDS} when absent, and what is above ${MOST_RECORDS} is reduced to it`,
  );

/** Accepts a whole number of records up to the maximum. */
const offsetParameter = z
  .string()
  .max(20, {error: "is too long for an offset", abort: true})
  .regex(/^\d+$/, {error: "is not a whole number in decimal digits", abort: true})
  .regex(/^0*(\d{1,4}|10000)$/, {error: `is not between 0 and ${MOST_LEFT_OUT}`, abort: true})
  .transform(Number)
  .optional()
  .describe(`Records to leave out before the page, 0 to ${MOST_LEFT_OUT}; 0 when absent`);

/** `none` leaves the evidence out of the answer. */
const evidenceParameter = z
  .enum(["full", "none"], {error: "is neither full nor none"})
  .optional()
  .describe("`none` leaves the array `evidence` out of the answer; `full` when absent");

/** The parameters of every list: which page, and whether with its evidence. */
export const pageParameters = {
  limit: limitParameter,
  offset: offsetParameter,
  evidence: evidenceParameter,
};

type PageQuery = {
  limit?: {records: number; reduced: boolean} | undefined;
  offset?: number | undefined;
  evidence?: "full" | "none" | undefined;
};

/** A page of a list: how many records it has at most, and after how many it begins. */
export type Page = {readonly limit: number; readonly offset: number; readonly evidence: boolean};

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
