import {z} from "zod";

/** Where a venue's coordinates come from; only `yard` and `city_centroid` count as located. */
export const LocationBasis = z.enum(["yard", "city_centroid", "mailing_address", "unknown"]);

/** Kind of place of a venue. */
export const VenueType = z.enum(["auction", "video_internet", "buying_station", "special_sale_site"]);

/** Weekday names as used in records. */
export const Weekday = z.enum(["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]);
export type Weekday = z.infer<typeof Weekday>;

const monthDay = z.string().regex(/^\d{2}-\d{2}$/);
const timeOfDay = z.string().regex(/^\d{2}:\d{2}$/);

/** One regular or special sale pattern of a venue. */
export const ScheduleRule = z.strictObject({
  kind: z.enum(["regular", "special"]).describe("Regular or special sale"),
  classes: z.array(z.string()).describe("Kinds of cattle sold; empty = all"),
  frequency: z.enum(["weekly", "biweekly", "monthly_nth", "dates"]).describe("How often"),
  weekday: Weekday.nullable().describe("Day of the week"),
  nth: z.array(z.int().min(1).max(5)).describe("`monthly_nth`: which weekdays of the month"),
  anchor_date: z.iso.date().nullable().describe("`biweekly`: one known sale date"),
  dates: z.array(z.iso.date()).default([]).describe("`dates`: the dates of a published calendar"),
  start_time_local: timeOfDay.nullable().describe("`HH:MM` in the time zone of the venue"),
  season: z
    .strictObject({from: monthDay.describe("`MM-DD`"), to: monthDay.describe("`MM-DD`")})
    .nullable()
    .describe("First and last day of the season; may span the new year"),
  usual_head: z
    .int()
    .nullable()
    .optional()
    .describe("Median receipts of the known sales of the rule in the last 100 days; null without receipts"),
  report_slug: z.string().nullable().optional().describe("Market report from whose sales the rule follows"),
});
export type ScheduleRule = z.infer<typeof ScheduleRule>;

/** A dated exception to the rules. */
export const ScheduleException = z.strictObject({
  date: z.iso.date().describe("The day"),
  kind: z.enum(["no_sale", "moved", "added"]).describe("What is different"),
  note: z.string().nullable().describe("In words"),
  source: z.string().describe("Registry id of the source"),
});
export type ScheduleException = z.infer<typeof ScheduleException>;

/** The sale calendar of a venue as published. */
export const VenueSchedule = z.strictObject({
  rules: z.array(ScheduleRule),
  exceptions: z.array(ScheduleException),
  text: z.string().nullable().describe("The schedule as its source states it"),
  verifiedAt: z.iso.date().nullable().describe("When the schedule was last checked with its source"),
  verifiedBy: z.string().nullable(),
});
export type VenueSchedule = z.infer<typeof VenueSchedule>;

/** Source of facts of a venue. Every public fact has one. */
const VenueFact = z.strictObject({
  fields: z.array(z.string()).min(1),
  source: z.string().describe("Registry id of the source"),
  publisher: z.string(),
  sourceUrl: z.url().optional(),
  note: z.string().optional(),
  date: z.iso.date().describe("When the source was read"),
});

/** A dated statement about the existence of a venue, by the venue, its regulator or its owner. */
const VenueStatement = z.strictObject({
  status: z.enum(["closed", "open", "failed_verification"]),
  date: z.iso.date(),
  by: z.string(),
  source: z.string(),
  sourceUrl: z.url().optional(),
});

/** One sale barn of `data/reference/venues.json`: business facts only, no names of persons. */
export const Venue = z.strictObject({
  venueId: z
    .string()
    .regex(/^[a-z]{2}-[a-z0-9]+(-[a-z0-9]+)*$/)
    .describe("`<state>-<slug>`, stable for life"),
  name: z.string().min(1),
  aliases: z.array(z.string()),
  venueType: VenueType,
  city: z.string().nullable(),
  state: z.string().regex(/^[A-Z]{2}$/),
  zip: z
    .string()
    .regex(/^\d{5}$/)
    .nullable(),
  streetAddress: z.string().nullable(),
  phone: z
    .string()
    .regex(/^\+\d{8,15}$/)
    .nullable(),
  website: z.url().nullable(),
  countyFips: z
    .string()
    .regex(/^\d{5}$/)
    .nullable(),
  lat: z.number().min(-90).max(90).nullable(),
  lon: z.number().min(-180).max(180).nullable(),
  locationBasis: LocationBasis,
  locationAccuracyM: z.int().positive().nullable(),
  reportSlugs: z.array(z.string()).describe("Market reports of this venue, such as `ams-1889`; sorted"),
  schedule: VenueSchedule.nullable(),
  statements: z.array(VenueStatement),
  facts: z.array(VenueFact).min(1),
});
export type Venue = z.infer<typeof Venue>;

/** The file `data/reference/venues.json`: sorted by `venueId`, with unique ids and report slugs. */
export const VenueFile = z.array(Venue);
