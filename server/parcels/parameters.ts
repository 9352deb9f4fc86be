import {z} from "zod";
import {LandUseCategory} from "../../schemas/land-use.ts";
import {
  codeParameter,
  countyParameter as countyOf,
  decimalParameter,
  limitParameter as limitOf,
  milesParameter,
  State,
  wholeNumberParameter,
  wordsParameter,
  zipParameter as zipOf,
} from "../http/parameter-kinds.ts";
import {invalidParameters} from "../http/problem.ts";

/** Most records of a page, and how many come unasked. */
const MOST_RECORDS = 100;
export const USUAL_RECORDS = 10;
/** Most records that can be paged through. */
export const MOST_PAGED = 10_000;
export const USUAL_RADIUS_MILES = 1;

export const stateParameter = codeParameter(State.options, "a state, DC, a territory or Manitoba");

/** County name, 5 digits, 3 digits with a state, or `MB` and 3 digits. */
export const countyParameter = countyOf([3, 5], {
  error: "is neither a county name nor 5 digits (3 with state)",
  about: 'County name, with or without "County", 5 digits, or 3 with `state`',
});

export const zipParameter = zipOf("ZIP code of the parcel, five digits or ZIP+4");

/** Miles up to the maximum of the deployment. */
export function radiusParameter(mostMiles: number) {
  return milesParameter(mostMiles)
    .optional()
    .describe(
      `Miles around the point, 0 to ${mostMiles} in this deployment; ${Math.min(USUAL_RADIUS_MILES, mostMiles)} when absent; with 0 only parcels whose outline holds the point`,
    );
}

export const limitParameter = limitOf(MOST_RECORDS)
  .optional()
  .describe(
    `Records of a page, 1 to ${MOST_RECORDS}; ${USUAL_RECORDS} when absent, and what is above ${MOST_RECORDS} is reduced to it`,
  );

export const offsetParameter = wholeNumberParameter(/^0*[0-9]{1,4}$/, {
  what: "an offset",
  bounds: `between 0 and ${MOST_PAGED - 1}`,
})
  .optional()
  .describe(
    `Records to leave out before the page, 0 when absent; offset and limit together at most ${MOST_PAGED}`,
  );

const acresParameter = decimalParameter({what: "a number of acres", whole: 8, decimals: 4}).optional();

/** Bounds of the acres of a search. */
export const acresParameters = {
  minAcres: acresParameter.describe("Least acres. Parcels without acres are left out"),
  maxAcres: acresParameter.describe("Most acres. Parcels without acres are left out"),
};

/** Accepts the order of a search: its own, or by size. */
export function sortParameter<const Own extends string>(own: Own) {
  const words = [own, "acres", "value"] as const;
  return z
    .enum(words, {error: `is none of ${words.join(", ")}`})
    .optional()
    .describe(
      `Order: \`${own}\` when absent; \`acres\` or \`value\` (market value), the largest first and parcels without it last`,
    );
}

/** Throws the 400 of bounds of acres between which nothing lies. */
export function checkAcres({
  minAcres = 0,
  maxAcres,
}: {
  minAcres?: number | undefined;
  maxAcres?: number | undefined;
}) {
  if (maxAcres !== undefined && maxAcres < minAcres)
    throw invalidParameters([{name: "maxAcres", reason: "is less than minAcres"}]);
}

/** Accepts one or more categories, and gives them in the contract's order without repetitions. */
export const useParameter = wordsParameter(
  LandUseCategory.options,
  "land-use category",
  "Land-use categories, comma-separated. Parcels without a category are left out",
);
