import {z} from "zod";
import {limitations} from "../../lib/limitations.ts";
import {limitParameter, wholeNumberParameter} from "../http/parameter-kinds.ts";

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
