import {z} from "zod";
import {stateOf} from "../../lib/geography/states.ts";
import {LandUseCategory} from "../../schemas/land-use.ts";

/** Most records of a page, and how many come unasked. */
export const MOST_RECORDS = 100;
export const USUAL_RECORDS = 10;
/** Most records that can be paged through. */
export const MOST_PAGED = 10_000;
export const USUAL_RADIUS_MILES = 1;

/** Text as a caller types it: at most `most` characters, no control characters. */
export function textParameter(most: number, about: string) {
  return (
    z
      .string()
      .max(most, {error: `is longer than ${most} characters`, abort: true})
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
      .regex(/^[^\u0000-\u001f\u007f]*$/, {error: "holds control characters", abort: true})
      .describe(about)
  );
}

/** Two letters in any case, of a state, DC, a territory or Manitoba; comes out in upper case. */
export const stateParameter = z
  .string()
  .regex(/^[A-Za-z]{2}$/, {error: "is not a two-letter state code", abort: true})
  .toUpperCase()
  .refine((code) => code === "MB" || stateOf(code) !== undefined, {
    error: "is not the code of a state, DC, a territory or Manitoba",
  })
  .optional()
  .describe("Two-letter code of a state, DC, a territory or Manitoba (MB), in any case");

/** County name, 5 digits, 3 digits with a state, or `MB` and 3 digits. */
export const countyParameter = textParameter(
  60,
  'County name, with or without "County", 5 digits, or 3 with `state`',
)
  .refine((text) => !/^\d+$/.test(text) || text.length === 3 || text.length === 5, {
    error: "is neither a county name nor 5 digits (3 with state)",
  })
  .optional();

/** Five digits; a `+4` is cut off. */
export const zipParameter = z
  .string()
  .max(10, {error: "is not a ZIP code", abort: true})
  .regex(/^\d{5}(-\d{4})?$/, {error: "is not a ZIP code (five digits, or five and four)", abort: true})
  .transform((text) => text.slice(0, 5))
  .optional()
  .describe("ZIP code of the parcel, five digits or ZIP+4");

/** Decimal degrees between two bounds, without exponent. */
export function degreesParameter(most: 90 | 180, about: string) {
  return z
    .string()
    .max(24, {error: "is too long for decimal degrees", abort: true})
    .regex(/^[+-]?\d{1,3}(\.\d{1,20})?$/, {error: "is not a number of decimal degrees", abort: true})
    .refine((text) => Math.abs(Number(text)) <= most, {
      error: `is not between -${most} and ${most}`,
      abort: true,
    })
    .transform((text) => Number(text) + 0)
    .describe(about);
}

/** Miles; the deployment's maximum is checked by the endpoint. */
export const radiusParameter = z
  .string()
  .max(20, {error: "is too long for a number of miles", abort: true})
  .regex(/^\d{1,4}(\.\d{1,10})?$/, {error: "is not a number of miles", abort: true})
  .transform(Number)
  .optional()
  .describe(
    `Miles around the point, ${USUAL_RADIUS_MILES} when absent; with 0 only parcels whose outline holds the point. The maximum is a setting of the deployment, 2 unless set`,
  );

/** Whole number of records; what is over the maximum is reduced and marked, because the answer says so. */
export const limitParameter = wholeNumber("row limit")
  .refine((text) => Number(text) >= 1, {error: `is not between 1 and ${MOST_RECORDS}`})
  .transform((text) => ({
    records: Math.min(Number(text), MOST_RECORDS),
    reduced: Number(text) > MOST_RECORDS,
  }))
  .optional()
  .describe(`Records of a page, 1 to ${MOST_RECORDS}; ${USUAL_RECORDS} when absent`);

export const offsetParameter = wholeNumber("offset")
  .transform(Number)
  .optional()
  .describe(
    `Records to leave out before the page, 0 when absent; offset and limit together at most ${MOST_PAGED}`,
  );

/** One or more categories, comma-separated, any case; comes out in the contract's order, each once. */
export const useParameter = z
  .string()
  .max(200, {error: "is too long for a list of categories", abort: true})
  .transform((text, context) => {
    const words = new Set(text.split(",").map((word) => word.trim().toLowerCase()));
    const wanted = LandUseCategory.options.filter((category) => words.has(category));
    if (wanted.length === words.size) return wanted;
    context.addIssue({
      code: "custom",
      message: "holds a word that is no land-use category",
      params: {allowed: [...LandUseCategory.options]},
    });
    return z.NEVER;
  })
  .optional()
  .describe(
    `Land-use categories, comma-separated: ${LandUseCategory.options.join(", ")}. Parcels without a category are left out`,
  );

/** `true` or `false`, any case. */
export function yesNoParameter(about: string) {
  return z
    .string()
    .max(5, {error: "is neither true nor false", abort: true})
    .toLowerCase()
    .pipe(z.enum(["true", "false"]))
    .transform((word) => word === "true")
    .optional()
    .describe(about);
}

function wholeNumber(what: string) {
  return z
    .string()
    .max(12, {error: `is too long for a ${what}`, abort: true})
    .regex(/^\d+$/, {error: "is not a whole number in decimal digits", abort: true});
}
