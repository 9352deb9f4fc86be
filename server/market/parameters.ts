import {
  codeParameter,
  countyParameter as countyOf,
  stateCodes,
  textParameter,
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
