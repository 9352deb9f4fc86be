import {states} from "@open-cattle/us-address";
import {z} from "zod";
import {stateCodeOf} from "../../lib/geography/states.ts";

/**
 * Parameter kinds shared by several endpoints. Each is one zod schema that validates the trimmed value and also describes itself in the
 * OpenAPI document. Case is folded before validation, so the document shows the folded form. If a schema ends in a pipe to a number or a
 * boolean, agents pass the parameter as that type.
 */

/** Codes of the states, DC and the territories. */
export const stateCodes: readonly string[] = states.map(({state}) => state);

/** The states of operations without Manitoba, for the OpenAPI document. */
export const StateCode = z
  .enum(stateCodes as [string, ...string[]])
  .meta({id: "StateCode", description: "Two-letter code of a state, DC or a territory"});

/** The states of operations that take Manitoba, too, for the OpenAPI document: it has parcels but no market data. */
export const StateOrProvince = z.enum(["MB", ...stateCodes]).meta({
  id: "StateOrProvince",
  description: "Two-letter code of a state, DC, a territory or Manitoba",
});

const MAX_COUNTY_LENGTH = 60;
/** Text with at least one non-digit. */
const someName =
  "([^\\s0-9\\u0000-\\u001f\\u007f]|[0-9]+[^0-9\\u0000-\\u001f\\u007f])[^\\u0000-\\u001f\\u007f]*";

/** Accepts a two-letter code from the list, in any case; outputs upper case. */
export function codeParameter(codes: readonly string[], owner: string) {
  const error = ({input}: {input?: unknown}) => {
    if (/^[A-Z]{2}$/.test(String(input))) return `is not the code of ${owner}`;
    const code = stateCodeOf(String(input));
    return `is not a two-letter state code${code === undefined ? "" : `; did you mean ${code}?`}`;
  };
  return z
    .preprocess(upperCased, z.enum(codes as [string, ...string[]], {error}))
    .optional()
    .describe(`Two-letter code of ${owner}`);
}

/** Accepts a ZIP code and strips a `+4`. */
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

/** Accepts decimal degrees between -max and max, without exponent. */
export function degreesParameter(max: keyof typeof degreePatterns) {
  const error = ({input}: {input?: unknown}) =>
    /^[+-]?[0-9]+(\.[0-9]+)?$/.test(String(input))
      ? `is not between -${max} and ${max}, with at most 20 decimals`
      : "is not a number of decimal degrees";
  return z
    .string()
    .max(24, {error: "is too long for decimal degrees", abort: true})
    .regex(degreePatterns[max], {error, abort: true})
    .transform((text) => Number(text) + 0)
    .pipe(z.number());
}

/** Accepts a whole number from `min` to `max`, with leading zeros; `what` and `unit` name it in messages. */
export function wholeNumberParameter({min, max, what, unit}: WholeNumber) {
  const bounds = unit === undefined ? `between ${min} and ${max}` : `from ${min} to ${max} ${unit}`;
  return wholeNumberLike(new RegExp(`^0*(${wholeNumbersPattern(min, max)})$`), {what, bounds});
}

type WholeNumber = {
  readonly min: number;
  readonly max: number;
  readonly what: string;
  readonly unit?: string;
};

function wholeNumberLike(pattern: RegExp, {what, bounds}: {what: string; bounds: string}) {
  const error = ({input}: {input?: unknown}) =>
    /^[0-9]+$/.test(String(input)) ? `is not ${bounds}` : "is not a whole number in decimal digits";
  return z
    .string()
    .max(20, {error: `is too long for ${what}`, abort: true})
    .regex(pattern, {error, abort: true})
    .transform(Number)
    .pipe(z.number());
}

/** Pattern of the whole numbers from `min` to `max` without leading zeros, so that OpenAPI states the bounds of a parameter exactly. */
export function wholeNumbersPattern(min: number, max: number): string {
  const lengths = Array.from(
    {length: String(max).length - String(min).length + 1},
    (_, more) => String(min).length + more,
  );
  return lengths
    .map((length) =>
      digitsBetween(
        String(Math.max(min, length === 1 ? 0 : 10 ** (length - 1))),
        String(Math.min(max, 10 ** length - 1)),
      ),
    )
    .join("|");
}

/** Pattern of the digits from `low` to `high`, which are equally long. */
function digitsBetween(low: string, high: string): string {
  if (low === "" || low === high) return low;
  const rest = low.length - 1;
  const [first, last] = [Number(low[0]), Number(high[0])];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (first === last) return `${first}${digitsBetween(lowRest, highRest)}`;
  const [zeros, nines] = ["0".repeat(rest), "9".repeat(rest)];
  const from = lowRest === zeros ? first : first + 1;
  const to = highRest === nines ? last : last - 1;
  const any = rest === 0 ? "" : rest === 1 ? "[0-9]" : `[0-9]{${rest}}`;
  const parts = [
    ...(from > first ? [`${first}${digitsBetween(lowRest, nines)}`] : []),
    ...(from < to ? [`[${from}-${to}]${any}`] : from === to ? [`${from}${any}`] : []),
    ...(to < last ? [`${last}${digitsBetween(zeros, highRest)}`] : []),
  ];
  return parts.length === 1 ? parts[0]! : `(${parts.join("|")})`;
}

/** Accepts a decimal number of at least 0 with limited digits before and after the point. */
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

/** Accepts a record count from 1. One above the maximum is capped and marked, because the answer mentions it. */
export function limitParameter(max: number) {
  return wholeNumberLike(/^0*[1-9][0-9]*$/, {
    what: "a row limit",
    bounds: `between 1 and ${max}`,
  }).transform((records) => ({records: Math.min(records, max), reduced: records > max}));
}

/** Accepts miles from 0 to a maximum, with at most ten decimals. */
export function milesParameter(max: number) {
  const error = ({input}: {input?: unknown}) =>
    /^[0-9]+(\.[0-9]+)?$/.test(String(input))
      ? `is not between 0 and ${max} miles, with at most 10 decimals`
      : "is not a number of miles";
  return z
    .string()
    .max(20, {error: "is too long for a number of miles", abort: true})
    .regex(new RegExp(`^0*(${decimalsUpTo(max)})$`), {error, abort: true})
    .transform(Number)
    .pipe(z.number());
}

/** Pattern for decimals from 0 to a maximum with two decimals; values may have up to ten. */
function decimalsUpTo(max: number): string {
  const [whole, tenths, hundredths] = [Math.floor(max), ...max.toFixed(2).slice(-2)].map(Number) as [
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

/** Accepts free text of at most `max` characters without control characters. */
export function textParameter(max: number) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  return patternParameter(max, /^[^\s\u0000-\u001f\u007f][^\u0000-\u001f\u007f]*$/);
}

/** Accepts text as `textParameter` does, and line feeds and tabs, because addresses are pasted with them. */
export function linesParameter(max: number) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  return patternParameter(max, /^[^\s\u0000-\u001f\u007f][^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/);
}

/** A blank, comma, quote, number sign, ampersand or slash that is still percent-encoded. */
const encodedMark = /%(?:20|2C|27|22|23|26|2F)/i;

function patternParameter(max: number, pattern: RegExp) {
  return z
    .string()
    .max(max, {error: `is longer than ${max} characters`, abort: true})
    .regex(pattern, {error: "contains control characters", abort: true})
    .refine((text) => !encodedMark.test(text), {error: "is percent-encoded twice"});
}

/** Accepts a county name, or a code with one of these numbers of digits. */
export function countyParameter(digits: readonly number[], {error, about}: {error: string; about: string}) {
  return textParameter(MAX_COUNTY_LENGTH)
    .refine((text) => !/^[0-9]+$/.test(text) || digits.includes(text.length), {error})
    .optional()
    .describe(about);
}

/** Any county that an endpoint accepts, for the OpenAPI document; some endpoints accept fewer spellings. */
export const County = z
  .string()
  .max(MAX_COUNTY_LENGTH)
  .meta({
    id: "County",
    pattern: `^([0-9]{3}|[0-9]{5}|${someName})$`,
    description: "County name, or FIPS code: 5 digits, or 3 where an endpoint takes them",
  });

/** The words that a list parameter accepts. */
export const listedWords = z.registry<{words: readonly string[]}>();

/** Accepts comma-separated words in any case; outputs them without duplicates in the order of the list. */
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
          error: `has an unknown ${what}`,
          abort: true,
          params: {allowed: [...words], listOf: what},
        })
        .meta({pattern: pattern.source}),
    )
    .transform((text) => {
      const given = new Set(text.split(","));
      return words.filter((each) => given.has(each));
    })
    .optional()
    .describe(`${about}. Words: ${words.join(", ")}`)
    .register(listedWords, {words});
}

/** Accepts `true` or `false`, in any case. */
export function yesNoParameter(about: string) {
  return z
    .preprocess(lowerCased, z.enum(["true", "false"], {error: "is neither true nor false"}))
    .transform((word) => word === "true")
    .pipe(z.boolean())
    .optional()
    .describe(about);
}

function upperCased(value: unknown): unknown {
  return typeof value === "string" ? value.toUpperCase() : value;
}

function lowerCased(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : value;
}

function foldedList(value: unknown): unknown {
  return typeof value === "string" ? foldedWords(value).join(",") : value;
}

/** The words of a comma-separated list, folded. */
export function foldedWords(list: string): string[] {
  return list.split(",").map((word) => word.trim().toLowerCase());
}
