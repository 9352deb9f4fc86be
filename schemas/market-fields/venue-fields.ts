import {z} from "zod";
import {Provenance} from "../vocabulary/parcel-provenance.ts";
import {LocationBasis, ScheduleRule, VenueSchedule, VenueType} from "../vocabulary/venue.ts";
import {
  count,
  date,
  decimal,
  fieldsOf,
  instant,
  integer,
  oneOf,
  orNull,
  structure,
  text,
  texts,
} from "./market-field.ts";
import {shared} from "./shared.ts";

const zone = "IANA name; null if a time-zone boundary runs through the county";
const nextSale = "Next sale by the schedule, not confirmed unless its basis says so";

export const nextSaleBases = ["projected", "published", "inferred", "projected_holiday_unconfirmed"] as const;

/** The schedule of a venue, with the next date that its rules give. */
export const BarnSchedule = z
  .looseObject({
    timezone: z.string().nullable().describe(zone),
    rules: z
      .array(
        ScheduleRule.required({usual_head: true, report_slug: true}).extend({
          next_sale_date: z.iso.date().nullable().describe("Next date of this rule"),
        }),
      )
      .describe("Regular sale days, and the days of special sales that are announced"),
    exceptions: VenueSchedule.shape.exceptions.describe("Single days that differ from the rules"),
    next_sale_date: z.iso.date().nullable().describe(nextSale),
    next_sale_basis: z.enum(nextSaleBases).nullable().describe("What the next date is based on"),
    holiday_conflict: z.string().nullable().describe("Holiday on which the next date falls"),
    verified_at: z.iso.date().nullable().describe("Last check"),
    verified_by: z.string().nullable().describe("Who or what checked it"),
  })
  .meta({id: "BarnSchedule"});
export type BarnSchedule = z.infer<typeof BarnSchedule>;

/** The parcel on which a yard lies: public facts of the land, never its owner. */
export const ParcelContext = z
  .looseObject({
    parcel_uid: z.string().describe("Id of the parcel in the parcel lookups"),
    parcel_id: z.string().nullable().describe("Parcel number, as the county publishes it"),
    acres: z.number().positive().nullable().describe("Acres"),
    land_use_code: z.string().nullable().describe("Use code of the county"),
    land_use_description: z.string().nullable().describe("Use as the county states it"),
    land_use_category: z.string().nullable().describe("Use as a category of this service"),
    source_id: z.literal("open-map-parcel-context").describe("Registry id"),
    provenance: Provenance.describe("Source, vintage and retrieval of these facts, as in parcel lookups"),
  })
  .meta({id: "ParcelContext"});
export type ParcelContext = z.infer<typeof ParcelContext>;

export const venueStatuses = ["active", "seasonal", "inactive", "closed", "unverified"] as const;

const field = fieldsOf(["directory", "barn"]);
const fixed = {revises: true} as const;
const barn = {in: ["barn"]} as const;
/** Members that the server sets if a query has a place. */
const perQuery = {perQuery: true, sql: "NULL"} as const;

/**
 * The fields of venue records, in column order. `revises` marks facts that outlast a single sale; the rules and exceptions of the schedule
 * also count as such.
 */
export const venueFields = {
  venue_id: field(...shared.venue_id, fixed),
  venue_name: field(...shared.venue_name, {...fixed, header: "barn"}),
  aliases: field(texts, "Other names; sorted", fixed),
  venue_type: field(oneOf(VenueType.options), "How cattle are sold there", fixed),
  street_address: field(orNull(text), "As published", fixed),
  city: field(...shared.city, {...fixed, header: "town"}),
  state: field(...shared.state, {...fixed, header: "state"}),
  zip: field(orNull(text), "5 digits", fixed),
  county_fips: field(...shared.county_fips, fixed),
  county_name: field(...shared.county_name, {...fixed, header: "county"}),
  phone: field(orNull(text), "E.164", {...fixed, header: "phone"}),
  website: field(orNull(text), "https URL", {...fixed, header: "website"}),
  sale_days: field(texts, "Weekdays of regular sales, lower case; sorted", {...fixed, header: "sale days"}),
  sale_time_local: field(orNull(text), "`HH:MM` in `timezone`", fixed),
  timezone: field(orNull(text), zone, fixed),
  schedule_text: field(orNull(text), "Schedule as its source states it", fixed),
  next_sale_date: field(orNull(date), nextSale, {header: "next sale"}),
  reported_by: field(orNull(text), "Who publishes the venue's prices", fixed),
  last_verified_at: field(orNull(instant), "UTC instant of the last check"),
  status: field(oneOf(venueStatuses), "Whether sales are held there; `status_reason` gives the reason", {
    ...fixed,
    header: "status",
  }),
  lat: field(orNull(decimal), "WGS 84 degrees, at most 5 decimals", {...fixed, ...barn}),
  lon: field(orNull(decimal), "WGS 84 degrees, at most 5 decimals", {...fixed, ...barn}),
  location_basis: field(
    oneOf(LocationBasis.options),
    "What the point represents; only `yard` and `city_centroid` count as located",
    {...fixed, ...barn},
  ),
  location_accuracy_m: field(orNull(integer), "Metres", {...barn, unit: "m"}),
  county_vintage: field(...shared.county_vintage, barn),
  schedule: field(
    orNull(structure(BarnSchedule)),
    "Sale calendar with the next date by its rules; null without one",
    barn,
  ),
  status_reason: field(
    oneOf([
      "reported_sale",
      "verified_schedule",
      "off_season",
      "statement",
      "failed_verification",
      "no_evidence",
    ]),
    "Why the venue has its status",
    barn,
  ),
  status_since: field(orNull(date), "When the status began; null if no build saw the change", barn),
  first_reported_sale_date: field(orNull(date), "First sale in the reports of this build", barn),
  last_reported_sale_date: field(orNull(date), "Last sale in the reports of this build", {
    ...barn,
    header: "last reported",
  }),
  reports_last_365_days: field(count, "Reported sale dates within 365 days", barn),
  median_receipts_last_12_sales: field(orNull(count), "Head; null without receipts", {...barn, unit: "head"}),
  classes_reported: field(texts, "Classes sold within 365 days; sorted", barn),
  report_slugs: field(texts, "Market reports of the venue; sorted", barn),
  parcel_context: field(
    orNull(structure(ParcelContext)),
    "Location anchor only: the parcel that contains the yard; null if none is known, if the point is a town's, and for a key without the `parcel` scope",
    {...barn, ...perQuery},
  ),
  distance_mi: field(...shared.distance_mi, {...perQuery, unit: "miles", header: "miles"}),
  distance_method: field(...shared.distance_method, perQuery),
  change_status: field(...shared.change_status),
  evidence_id: field(...shared.evidence_id),
};
