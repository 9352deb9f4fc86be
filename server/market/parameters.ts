import {z} from "zod";
import {stateOf} from "../../lib/geography/states.ts";

const barnStatuses = ["active", "seasonal", "inactive", "closed", "unverified"] as const;

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

/** Accepts words of a list, comma-separated and in any case, and gives them sorted and without repetitions. */
export function wordsParameter<Word extends string>(words: readonly Word[], what: string, about: string) {
  return z
    .string()
    .max(300, {error: `is too long for a list of words`, abort: true})
    .transform((text, context) => {
      const given = new Set(text.split(",").map((word) => word.trim().toLowerCase()));
      const known = words.filter((word) => given.has(word));
      if (known.length === given.size) return known.toSorted();
      context.addIssue({
        code: "custom",
        message: `holds a word that is no ${what}`,
        params: {allowed: [...words]},
      });
      return z.NEVER;
    })
    .optional()
    .describe(`${about}. Words, in any case: ${words.join(", ")}`);
}

/** Accepts comma-separated barn statuses. */
export const statusParameter = wordsParameter(
  barnStatuses,
  "barn status",
  "Statuses of barns, comma-separated; all but closed when absent",
);
