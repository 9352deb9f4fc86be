import {z} from "zod";
import {stateOf} from "../../lib/geography/states.ts";

/** Most records of a page. */
const MOST_RECORDS = 500;
/** Records of a page without a `limit`. */
export const USUAL_RECORDS = 50;

const barnStatuses = ["active", "seasonal", "inactive", "closed", "unverified"] as const;
type BarnStatus = (typeof barnStatuses)[number];

/** Accepts two letters in any case of a state, DC or a territory and gives them in upper case. */
export const stateParameter = z
  .string()
  .regex(/^[A-Za-z]{2}$/, {error: "is not a two-letter state code", abort: true})
  .toUpperCase()
  .refine((code) => stateOf(code) !== undefined, {error: "is not the code of a state, DC or a territory"})
  .optional()
  .describe("Two-letter code of a state, DC or a territory, in any case");

/** Accepts a ZIP code and cuts off a `+4`. */
export const zipParameter = z
  .string()
  .max(10, {error: "is not a ZIP code", abort: true})
  .regex(/^\d{5}(-\d{4})?$/, {error: "is not a ZIP code (five digits, or five and four)", abort: true})
  .transform((text) => text.slice(0, 5))
  .optional()
  .describe("ZIP code, five digits or ZIP+4: nearest county and barn context");

/** Accepts a whole number of records; one above the maximum is reduced and marked, because the answer says so. */
export const limitParameter = z
  .string()
  .max(20, {error: "is too long for a row limit", abort: true})
  .regex(/^\d+$/, {error: "is not a whole number in decimal digits", abort: true})
  .refine((text) => Number(text) >= 1, {error: `is not between 1 and ${MOST_RECORDS}`})
  .transform((text) => ({
    records: Math.min(Number(text), MOST_RECORDS),
    reduced: Number(text) > MOST_RECORDS,
  }))
  .optional()
  .describe(`Most records of the answer, 1 to ${MOST_RECORDS}; ${USUAL_RECORDS} when absent`);

/** Accepts decimal degrees between two bounds, without exponent. */
export function degreesParameter(most: 90 | 180, sentence: string) {
  return z
    .string()
    .max(24, {error: "is too long for decimal degrees", abort: true})
    .regex(/^[+-]?\d{1,3}(\.\d{1,20})?$/, {error: "is not a number of decimal degrees", abort: true})
    .refine((text) => Math.abs(Number(text)) <= most, {error: `is not between -${most} and ${most}`})
    .transform((text) => Number(text) + 0)
    .optional()
    .describe(sentence);
}

/** Accepts a five-digit FIPS code or a county name and refuses other numbers of digits. */
export const countyParameter = z
  .string()
  .max(60, {error: "is too long for a county", abort: true})
  .refine((text) => !/^\d+$/.test(text) || text.length === 5, {
    error: "is neither a county name nor a 5-digit FIPS code",
  })
  .optional()
  .describe('5-digit county FIPS code, or county name in any case, with or without "County" and the like');

/** Accepts comma-separated barn statuses in any case and gives them sorted and without repetitions. */
export const statusParameter = z
  .string()
  .max(100, {error: "is too long for a list of statuses", abort: true})
  .transform((text, context) => {
    const words = text.split(",").map((word) => word.trim().toLowerCase());
    if (words.every(isBarnStatus)) return [...new Set(words)].sort();
    context.addIssue({
      code: "custom",
      message: "holds a word that is no barn status",
      params: {allowed: [...barnStatuses]},
    });
    return z.NEVER;
  })
  .optional()
  .describe(`Statuses of barns, comma-separated: ${barnStatuses.join(", ")}; all but closed when absent`);

function isBarnStatus(word: string): word is BarnStatus {
  return (barnStatuses as readonly string[]).includes(word);
}
