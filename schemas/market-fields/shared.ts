import {z} from "zod";
import {decimal, oneOf, orNull, text} from "./market-field.ts";

/** Kind and description of fields that several tables have. */
export const shared = {
  state: [text, "USPS letters, upper case"],
  county_fips: [
    orNull({...text, shape: z.string().regex(/^\d{5}$/)}),
    "5-digit county FIPS code; null when the venue is not located",
  ],
  county_name: [orNull(text), "County with its suffix"],
  county_vintage: [orNull(text), "`2020` or `2022` if county-equivalents changed (Connecticut), else null"],
  city: [orNull(text), "As published"],
  venue_id: [text, "`<state>-<slug>`, stable for life"],
  venue_name: [orNull(text), "As published"],
  distance_mi: [orNull(decimal), "Great-circle miles from the requested place; null without one"],
  distance_method: [
    {...orNull(text), shape: z.literal("great_circle").nullable()},
    "How distances were measured; null without one",
  ],
  change_status: [
    oneOf(["new", "unchanged", "revised", "withdrawn", "stale"]),
    "The record compared with that of the previous build",
  ],
  evidence_id: [text, "Points into `evidence`"],
} as const;
