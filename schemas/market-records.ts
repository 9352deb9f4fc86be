import {z} from "zod";
import {field} from "./market-fields.ts";
import {VenueSchedule} from "./venue.ts";

/** Members of all three price records, in the order in which answers show them. */
const priceFields = {
  county_fips: field.county_fips,
  county_name: field.county_name,
  state: field.state,
  cell_id: field.cell_id,
  commodity: field.commodity,
  class: field.class,
  frame: field.frame,
  muscle_grade: field.muscle_grade,
  quality_grade: field.quality_grade,
  dressing: field.dressing,
  age_class: field.age_class,
  pregnancy_stage: field.pregnancy_stage,
  weight_bin: field.weight_bin,
  lot_descriptors: field.lot_descriptors,
  price_unit: field.price_unit,
  price_basis: field.price_basis,
  price_avg: field.price_avg,
  price_low: field.price_low,
  price_high: field.price_high,
  weighting: field.weighting,
  head_count: field.head_count,
  contributing_head: field.contributing_head,
  rows: field.rows,
  rows_excluded: field.rows_excluded,
  weight_imputed_rows: field.weight_imputed_rows,
  weight_spans_bins: field.weight_spans_bins,
  venues_reporting: field.venues_reporting,
  avg_weight_lb: field.avg_weight_lb,
  value_per_head: field.value_per_head,
  described_head: field.described_head,
  window_days: field.window_days,
  window_widened: field.window_widened,
  first_sale_date: field.first_sale_date,
  last_sale_date: field.last_sale_date,
  age_days: field.age_days,
  freshness: field.freshness,
  thin: field.thin,
  change_week: field.change_week,
  change_week_from: field.change_week_from,
  change_year: field.change_year,
  change_year_from: field.change_year_from,
  matched_cells: field.matched_cells,
  contributing_venues: field.contributing_venues,
  nearest_distance_mi: field.nearest_distance_mi,
  distance_band: field.distance_band,
  distance_mi: field.distance_mi,
  distance_method: field.distance_method,
  county_vintage: field.county_vintage,
  upstream: field.upstream,
  change_status: field.change_status,
  previous: field.previous,
  evidence_id: field.evidence_id,
};

/** One (county, cell) of `/price-by-county`. */
export const CountyPrice = z.looseObject({...priceFields, history: field.history}).meta({id: "CountyPrice"});
export type CountyPrice = z.infer<typeof CountyPrice>;

/** One (state, cell) of `/price-by-state`. */
export const StatePrice = z
  .looseObject({
    ...priceFields,
    week_begin_date: field.week_begin_date,
    week_end_date: field.week_end_date,
    venues_known: field.venues_known,
    receipts: field.receipts,
    receipts_prior: field.receipts_prior,
    receipts_year_ago: field.receipts_year_ago,
    report_slug: field.report_slug,
    history: field.history,
  })
  .meta({id: "StatePrice"});
export type StatePrice = z.infer<typeof StatePrice>;

/** One reported row of a venue's latest sale, of `/latest-prices`. */
export const LatestPrice = z
  .looseObject({
    ...priceFields,
    venue_id: field.venue_id,
    venue_name: field.venue_name,
    city: field.city,
    sale_date: field.sale_date,
    report_end_date: field.report_end_date,
    row_ordinal: z.int().positive().describe("Number of the row within the venue's sale"),
    price_min: field.price_min,
    price_max: field.price_max,
    weight_min_lb: field.weight_min_lb,
    weight_max_lb: field.weight_max_lb,
    issue_status: field.issue_status,
    published_at_source: field.published_at_source,
    receipts: field.receipts,
    special_sale_name: field.special_sale_name,
    outlier: field.outlier,
  })
  .meta({id: "LatestPrice"});
export type LatestPrice = z.infer<typeof LatestPrice>;

/** Fields of a directory row, in the order in which answers show them. */
const directoryFields = {
  venue_id: field.venue_id,
  venue_name: field.venue_name,
  aliases: field.aliases,
  venue_type: field.venue_type,
  street_address: field.street_address,
  city: field.city,
  state: field.state,
  zip: field.zip,
  county_fips: field.county_fips,
  county_name: field.county_name,
  phone: field.phone,
  website: field.website,
  sale_days: field.sale_days,
  sale_time_local: field.sale_time_local,
  timezone: field.timezone,
  schedule_text: field.schedule_text,
  next_sale_date: field.next_sale_date,
  reported_by: field.reported_by,
  last_verified_at: field.last_verified_at,
  status: field.status,
};

/** One venue of `/cattle-sale-barn-directory`. */
export const DirectoryRow = z
  .looseObject({...directoryFields, change_status: field.change_status, evidence_id: field.evidence_id})
  .meta({id: "DirectoryRow"});
export type DirectoryRow = z.infer<typeof DirectoryRow>;

/** The schedule of a venue with its next date by the rules. */
export const BarnSchedule = z
  .looseObject({
    timezone: field.timezone,
    rules: VenueSchedule.shape.rules,
    exceptions: VenueSchedule.shape.exceptions,
    next_sale_date: field.next_sale_date,
    next_sale_basis: z
      .enum(["projected", "published", "inferred", "projected_holiday_unconfirmed"])
      .nullable(),
    holiday_conflict: z.string().nullable().describe("Holiday on which the next date falls"),
    verified_at: z.iso.date().nullable(),
    verified_by: z.string().nullable(),
  })
  .meta({id: "BarnSchedule"});
export type BarnSchedule = z.infer<typeof BarnSchedule>;

/** One venue of `/barns`. */
export const Barn = z
  .looseObject({
    ...directoryFields,
    lat: field.lat,
    lon: field.lon,
    location_basis: field.location_basis,
    location_accuracy_m: field.location_accuracy_m,
    county_vintage: field.county_vintage,
    schedule: BarnSchedule.nullable().describe(
      "Sale calendar with the next date by its rules; null without one",
    ),
    status_reason: field.status_reason,
    status_since: field.status_since,
    first_reported_sale_date: field.first_reported_sale_date,
    last_reported_sale_date: field.last_reported_sale_date,
    reports_last_365_days: field.reports_last_365_days,
    median_receipts_last_12_sales: field.median_receipts_last_12_sales,
    classes_reported: field.classes_reported,
    report_slugs: field.report_slugs,
    parcel_context: z
      .looseObject({parcel_uid: z.string(), source_id: z.literal("open-map-parcel-context")})
      .nullable()
      .describe("Location anchor only; null when no parcel is known"),
    change_status: field.change_status,
    evidence_id: field.evidence_id,
  })
  .meta({id: "Barn"});
export type Barn = z.infer<typeof Barn>;

const dealerCount = z.int().nonnegative().nullable().describe("Entities; null = not in a list of this build");

/** One licence list of a state, of `/dealers/stats`. */
export const DealerStats = z
  .looseObject({
    state: field.state,
    list_authority: z.string().nullable().describe("Agency that publishes the list"),
    list_scope: z.string().nullable().describe("Kinds of entity that the list holds"),
    list_as_of: z.iso.date().nullable().describe("Date of the list"),
    licence_types: z.array(z.string()).describe("Kinds of licence in the list, sorted"),
    licensed_dealers: dealerCount,
    licensed_market_agencies: dealerCount,
    licensed_markets: dealerCount,
    bonded: dealerCount,
    other: dealerCount,
    total_entities: dealerCount,
    deduplicated: z.boolean().describe("True when entities were counted once by name and state"),
    states_with_list: z.int().nonnegative().describe("States with a list in this build"),
    states_in_all: z.int().nonnegative().describe("States of the union, of which each may publish a list"),
    url: z.string().nullable().describe("Address of the list"),
    change_status: field.change_status,
    evidence_id: field.evidence_id,
  })
  .meta({id: "DealerStats"});
export type DealerStats = z.infer<typeof DealerStats>;

/** `summary` of `/dealers/stats`. */
export const DealerSummary = z
  .looseObject({
    states_with_list: z.int().nonnegative(),
    states_without_list: z.int().nonnegative(),
    total_entities: z.int().nonnegative().nullable().describe("Null when no list is in this build"),
    total_is_lower_bound: z.literal(true),
  })
  .meta({id: "DealerSummary"});
export type DealerSummary = z.infer<typeof DealerSummary>;
