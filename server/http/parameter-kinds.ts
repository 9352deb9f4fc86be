import {z} from "zod";
import {states} from "../../lib/geography/states.ts";

/**
 * The kinds of parameters that several endpoints take. Each is one zod schema: it checks the trimmed value of a request, and the
 * OpenAPI document says of it what the check does. Letter case is folded before the check, so the document shows the folded form.
 * A schema that ends in a pipe to a number or a boolean makes the parameter one for agents, too.
 */

/** Codes of the states, DC and the territories. */
export const stateCodes: readonly string[] = states.map(({state}) => state);

/** Any state that an endpoint takes, for the OpenAPI document; Manitoba has parcels and no market. */
export const State = z
  .enum(["MB", ...stateCodes])
  .meta({id: "State", description: "Two-letter code of a state, DC, a territory or Manitoba, in any case"});

const LONGEST_COUNTY = 60;
/** Text with another character than digits. */
const someName =
  "([^\\s0-9\\u0000-\\u001f\\u007f]|[0-9]+[^0-9\\u0000-\\u001f\\u007f])[^\\u0000-\\u001f\\u007f]*";

/** Accepts the two letters of one of the codes in any case and gives them in upper case. */
export function codeParameter(codes: readonly string[], whose: string) {
  const error = ({input}: {input?: unknown}) =>
    /^[A-Z]{2}$/.test(String(input)) ? `is not the code of ${whose}` : "is not a two-letter state code";
  return z
    .preprocess(inCapitals, z.enum(codes as [string, ...string[]], {error}))
    .optional()
    .describe(`Two-letter code of ${whose}, in any case`);
}

/** Accepts a ZIP code and cuts off a `+4`. */
export function zipParameter(about: string) {
  return z
    .string()
    .max(10, {error: "is not a ZIP code", abort: true})
    .regex(/^[0-9]{5}(-[0-9]{4})?$/, {
      error: "is not a ZIP code (five digits, or five and four)",
      abort: true,
    })
    .transform((text) => text.slice(0, 5))
    .optional()
    .describe(about);
}

const degreePatterns = {
  90: /^[+-]?(0?[0-8]?[0-9](\.[0-9]{1,20})?|0?90(\.0{1,20})?)$/,
  180: /^[+-]?((0?[0-9]?[0-9]|1[0-7][0-9])(\.[0-9]{1,20})?|180(\.0{1,20})?)$/,
} as const;

/** Accepts decimal degrees between two bounds, without exponent. */
export function degreesParameter(most: keyof typeof degreePatterns) {
  const error = ({input}: {input?: unknown}) =>
    /^[+-]?[0-9]+(\.[0-9]+)?$/.test(String(input))
      ? `is not between -${most} and ${most}, with at most 20 decimals`
      : "is not a number of decimal degrees";
  return z
    .string()
    .max(24, {error: "is too long for decimal degrees", abort: true})
    .regex(degreePatterns[most], {error, abort: true})
    .transform((text) => Number(text) + 0)
    .pipe(z.number());
}

/** Accepts a whole number in decimal digits that fits a pattern; the bounds are those that the pattern keeps. */
export function wholeNumberParameter(pattern: RegExp, {what, bounds}: {what: string; bounds: string}) {
  const error = ({input}: {input?: unknown}) =>
    /^[0-9]+$/.test(String(input)) ? `is not ${bounds}` : "is not a whole number in decimal digits";
  return z
    .string()
    .max(20, {error: `is too long for ${what}`, abort: true})
    .regex(pattern, {error, abort: true})
    .transform(Number)
    .pipe(z.number());
}

/** Accepts a decimal number from 0 with at most so many digits before and after the point. */
export function decimalParameter({what, whole, decimals}: {what: string; whole: number; decimals: number}) {
  return z
    .string()
    .max(whole + decimals + 1, {error: `is too long for ${what}`, abort: true})
    .regex(new RegExp(`^[0-9]{1,${whole}}(\\.[0-9]{1,${decimals}})?$`), {
      error: `is not ${what}, with at most ${decimals} decimals`,
      abort: true,
    })
    .transform(Number)
    .pipe(z.number());
}

/** Accepts a whole number of records from 1; one above the maximum is reduced and marked, because the answer says so. */
export function limitParameter(most: number) {
  return wholeNumberParameter(/^0*[1-9][0-9]*$/, {
    what: "a row limit",
    bounds: `between 1 and ${most}`,
  }).transform((records) => ({records: Math.min(records, most), reduced: records > most}));
}

/** Accepts miles from 0 to a maximum, with at most ten decimals. */
export function milesParameter(most: number) {
  const error = ({input}: {input?: unknown}) =>
    /^[0-9]+(\.[0-9]+)?$/.test(String(input))
      ? `is not between 0 and ${most} miles, with at most 10 decimals`
      : "is not a number of miles";
  return z
    .string()
    .max(20, {error: "is too long for a number of miles", abort: true})
    .regex(new RegExp(`^0*(${decimalsUpTo(most)})$`), {error, abort: true})
    .transform(Number)
    .pipe(z.number());
}

/** Gives the pattern of the decimal numbers from 0 to a maximum of two decimals, with at most ten decimals. */
function decimalsUpTo(most: number): string {
  const [whole, tenths, hundredths] = [Math.floor(most), ...most.toFixed(2).slice(-2)].map(Number) as [
    number,
    number,
    number,
  ];
  const below = Array.from({length: whole}, (_, number) => number);
  const fractions = [
    ...(tenths > 0 ? [`[0-${tenths - 1}][0-9]{0,9}`] : []),
    ...(hundredths > 0 ? [`${tenths}([0-${hundredths - 1}][0-9]{0,8})?`] : []),
    hundredths > 0 ? `${tenths}${hundredths}0{0,8}` : `${tenths}0{0,9}`,
  ];
  const anyFraction = "(\\.[0-9]{1,10})?";
  const lower = below.length > 0 ? `(${below.join("|")})${anyFraction}|` : "";
  return `${lower}${whole}(\\.(${fractions.join("|")}))?`;
}

/** Accepts text as a caller types it: at most `most` characters, no control characters. */
export function textParameter(most: number) {
  return (
    z
      .string()
      .max(most, {error: `is longer than ${most} characters`, abort: true})
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
      .regex(/^[^\s\u0000-\u001f\u007f][^\u0000-\u001f\u007f]*$/, {
        error: "holds control characters",
        abort: true,
      })
  );
}

/** Accepts a county name, or one of some numbers of digits. */
export function countyParameter(digits: readonly number[], {error, about}: {error: string; about: string}) {
  return textParameter(LONGEST_COUNTY)
    .refine((text) => !/^[0-9]+$/.test(text) || digits.includes(text.length), {error})
    .optional()
    .describe(about);
}

/** Any county that an endpoint takes, for the OpenAPI document; an endpoint may take fewer forms of it. */
export const County = z
  .string()
  .max(LONGEST_COUNTY)
  .meta({
    id: "County",
    pattern: `^([0-9]{3}|[0-9]{5}|${someName})$`,
    description:
      'County name in any case, with or without "County" and the like, or FIPS code: 5 digits, or 3 where an endpoint takes them',
  });

/** The words that a parameter of a list takes. */
export const listedWords = z.registry<{words: readonly string[]}>();

/** Accepts words of a list, comma-separated and in any case, and gives them in the order of the list and without repetitions. */
export function wordsParameter<Word extends string>(words: readonly Word[], what: string, about: string) {
  const word = `(${words.join("|")})`;
  const pattern = new RegExp(`^${word}(,${word})*$`);
  return z
    .preprocess(
      foldedList,
      z
        .string()
        .max(300, {error: "is too long for a list of words", abort: true})
        .refine((text) => pattern.test(text), {
          error: `holds a word that is no ${what}`,
          abort: true,
          params: {allowed: [...words]},
        })
        .meta({pattern: pattern.source}),
    )
    .transform((text) => {
      const given = new Set(text.split(","));
      return words.filter((each) => given.has(each));
    })
    .optional()
    .describe(`${about}. Words, in any case: ${words.join(", ")}`)
    .register(listedWords, {words});
}

/** Accepts `true` or `false`, in any case. */
export function yesNoParameter(about: string) {
  return z
    .preprocess(inSmallLetters, z.enum(["true", "false"], {error: "is neither true nor false"}))
    .transform((word) => word === "true")
    .pipe(z.boolean())
    .optional()
    .describe(about);
}

function inCapitals(value: unknown): unknown {
  return typeof value === "string" ? value.toUpperCase() : value;
}

function inSmallLetters(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : value;
}

function foldedList(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .join(",");
}
