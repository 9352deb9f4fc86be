import {z} from "zod";
import {LandUseCategory} from "../../schemas/vocabulary/land-use.ts";
import {
  codeParameter,
  countyParameter as countyOf,
  decimalParameter,
  limitParameter as limitOf,
  milesParameter,
  StateOrProvince,
  wholeNumberParameter,
  wordsParameter,
  yesNoParameter,
  zipParameter as zipOf,
} from "../http/parameter-kinds.ts";
import {invalidParameters} from "../http/problem-document.ts";

/** Maximum and default page size. */
const MAX_RECORDS = 100;
export const DEFAULT_RECORDS = 10;
/** Paging limit: maximum of offset plus limit. */
export const MAX_PAGED = 10_000;
export const DEFAULT_RADIUS_MILES = 1;

export const stateParameter = codeParameter(StateOrProvince.options, "a state, DC, a territory or Manitoba");

/** County name, 5 digits, 3 digits with a state, or `MB` and 3 digits. */
export const countyParameter = countyOf([3, 5], {
  error: "is neither a county name nor 5 digits (3 with state)",
  about: 'County name, with or without "County", 5 digits, or 3 with `state`',
});

export const zipParameter = zipOf("ZIP code of the parcel, five digits or ZIP+4");

/** Accepts miles up to the deployment's maximum. */
export function radiusParameter(maxMiles: number) {
  return milesParameter(maxMiles)
    .optional()
    .describe(
      `Radius in miles around the point, 0 to ${maxMiles} in this deployment; ${Math.min(DEFAULT_RADIUS_MILES, maxMiles)} by default; with 0 only parcels whose outline contains the point`,
    );
}

export const limitParameter = limitOf(MAX_RECORDS)
  .optional()
  .describe(
    `Maximum number of records on a page, 1 to ${MAX_RECORDS}, ${DEFAULT_RECORDS} by default; larger values are reduced to ${MAX_RECORDS}`,
  );

export const offsetParameter = wholeNumberParameter({min: 0, max: MAX_PAGED - 1, what: "an offset"})
  .optional()
  .describe(`Records to skip, 0 by default; offset plus limit is at most ${MAX_PAGED}`);

const acresParameter = decimalParameter({what: "a number of acres", whole: 8, decimals: 4}).optional();

/** Acreage limits of a search. */
export const acresParameters = {
  minAcres: acresParameter.describe("Minimum acres. Parcels without acres are left out"),
  maxAcres: acresParameter.describe("Maximum acres, likewise"),
};

/** Accepts a sort order: the search's own, or by size. */
export function sortParameter<const Own extends string>(own: Own) {
  const words = [own, "acres", "value"] as const;
  return z
    .enum(words, {error: `is none of ${words.join(", ")}`})
    .optional()
    .describe(
      `Sort order: \`${own}\` by default; \`acres\` or \`value\` (market value) sorts the largest first`,
    );
}

/** Throws a 400 if the acreage limits exclude everything. */
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

/** Accepts one or more categories; outputs them in contract order without duplicates. */
export const useParameter = wordsParameter(
  LandUseCategory.options,
  "land-use category",
  "Land-use categories, comma-separated. Parcels without a category are left out",
);

/** Whether `use` with agriculture also takes vacant land that may be open range. */
export const openRangeParameter = yesNoParameter("`true` adds possible open range to agriculture");
