import {
  codeParameter,
  countyParameter as countyOf,
  degreesParameter,
  stateCodes,
  textParameter,
  wholeNumberParameter,
  wordsParameter,
  zipParameter as zipOf,
} from "../http/parameter-kinds.ts";

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
