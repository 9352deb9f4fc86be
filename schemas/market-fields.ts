import {z} from "zod";

const text = (about: string) => z.string().describe(about);
const textOrNull = (about: string) => z.string().nullable().describe(about);
const count = (about: string) => z.int().nonnegative().describe(about);
const countOrNull = (about: string) => z.int().nonnegative().nullable().describe(about);
const dateOrNull = (about: string) => z.iso.date().nullable().describe(about);
const money = (about: string) => z.number().nullable().describe(`${about}, 2 decimals`);
const texts = (about: string) => z.array(z.string()).describe(about);
const flag = (about: string) => z.boolean().describe(about);

const PriceUnit = z.enum(["per_cwt", "per_head", "per_pair"]).describe("Unit of every price of the record");
const PriceBasis = z
  .enum([
    "observed_in_county",
    "nearest_market_estimate",
    "none",
    "official_state_summary",
    "derived_rollup",
    "reported",
  ])
  .describe("What the price rests on");
const Weighting = z
  .enum(["pounds", "head", "pairs", "inverse_distance"])
  .nullable()
  .describe("What the mean is weighted by; null without a price");
const FreshnessClass = z
  .enum(["fresh", "recent", "aging", "stale", "expired"])
  .nullable()
  .describe("Class of `age_days`: to 10, 21, 35, 60 days, older; null without a date");
const IssueStatus = z.enum(["preliminary", "final", "unknown"]);
const DistanceBand = z
  .enum(["in_county", "near", "local", "regional", "distant", "out_of_range"])
  .nullable()
  .describe("Band of the nearest source venue: to 25, 50, 100, 150 miles");

/** The report that the rows of a record came from; a field is null where several reports differ in it. */
const Upstream = z
  .looseObject({
    system: z.enum(["mymarketnews", "lmr_datamart"]).nullable().describe("System that published the report"),
    report_slug: textOrNull("Upstream report number or code"),
    report_program: z.enum(["voluntary", "mandatory"]).nullable().describe("Programme of the report"),
    issue_status: IssueStatus.nullable().describe("Whether the issue may still change"),
    published_at_source: textOrNull("Publication time in the words of the source"),
    report_slugs: texts("Every report behind the record, sorted"),
  })
  .meta({id: "Upstream"});

/** One venue behind an estimate. */
const ContributingVenue = z
  .looseObject({
    venue_id: text("Venue"),
    distance_mi: z.number().describe("Great-circle miles to the county's internal point, 1 decimal"),
    price_avg: z.number().describe("USD per `price_unit`, 2 decimals"),
    head_count: count("Head behind the price"),
    report_end_date: z.iso.date().describe("Latest sale behind the price"),
  })
  .meta({id: "ContributingVenue"});

/** Values that a revised record had in the build before. */
const PreviousValues = z
  .looseObject({
    price_avg: z.number().nullable().describe("Earlier mean"),
    price_low: z.number().nullable().describe("Earlier lowest price"),
    price_high: z.number().nullable().describe("Earlier highest price"),
    head_count: z.int().nullable().describe("Earlier head"),
  })
  .nullable()
  .describe("Earlier values of a `revised` record, else null");

/** One week of a record's history. */
export const HistoryWeek = z
  .looseObject({
    week_end_date: z.iso
      .date()
      .describe("Saturday of the week; of an official summary the last day of its period"),
    price_avg: z.number().describe("USD per `price_unit` of the record, 2 decimals"),
    head_count: count("Head (pairs for `per_pair`) behind the price"),
    venues_reporting: countOrNull(
      "Venues behind the price; null for an official summary, which does not say",
    ),
  })
  .meta({id: "HistoryWeek"});
export type HistoryWeek = z.infer<typeof HistoryWeek>;

/** The field dictionary of `docs/design/market.md` section 9: name, type, unit, and when a field is null. */
export const field = {
  state: text("USPS letters, upper case"),
  county_fips: z
    .string()
    .regex(/^\d{5}$/)
    .nullable()
    .describe("5-digit county FIPS code; null when the venue is not located"),
  zip: textOrNull("5 digits"),
  county_name: textOrNull("County with its suffix"),
  county_vintage: textOrNull("`2020` or `2022` where county-equivalents changed (Connecticut), else null"),
  city: textOrNull("As published"),
  venue_id: text("`<state>-<slug>`, stable for life"),
  venue_name: textOrNull("As published"),
  street_address: textOrNull("As published"),
  cell_id: text("Stable slug of the cell, such as `feeder-steers-ml1-0750-0799-cwt`"),
  commodity: text("`feeder_cattle`, `slaughter_cattle`, `replacement_cattle` or `dairy_calves`"),
  class: text("Sex or kind: `steers`, `heifers`, `cows`, `bred_cows` and so on"),
  frame: textOrNull("`small`, `medium`, `medium_and_large`, `large`"),
  muscle_grade: textOrNull("`1`, `1-2`, `2`, `2-3`, `3`, `4`"),
  quality_grade: textOrNull("Slaughter grade, such as `boner`"),
  dressing: textOrNull("`very_low`, `low`, `average`, `high`, `very_high`"),
  age_class: textOrNull("Replacement cattle: age as reported"),
  pregnancy_stage: textOrNull("Replacement cattle: stage as reported"),
  weight_bin: textOrNull("50-lb bin in pounds, such as `750-799`"),
  lot_descriptors: texts("Reporter's comments; empty = plain lots; sorted"),
  price_unit: PriceUnit,
  price_basis: PriceBasis,
  price_avg: money("USD per `price_unit`"),
  price_low: money("USD per `price_unit`: lowest price of the rows; of the contributors for an estimate"),
  price_high: money("USD per `price_unit`: highest price of the rows; of the contributors for an estimate"),
  price_min: money("USD per `price_unit`: lowest price of the row"),
  price_max: money("USD per `price_unit`: highest price of the row"),
  weighting: Weighting,
  head_count: z
    .int()
    .nullable()
    .describe(
      "Head (pairs for `per_pair`) behind the price; of a reported row as published, also where it cannot be right",
    ),
  contributing_head: countOrNull("Head behind the contributors of an estimate, else null"),
  rows: count("Report rows behind the price"),
  rows_excluded: count("Report rows of the cell left out: no head count or no weight"),
  weight_imputed_rows: count("Report rows whose missing weight was taken as the middle of the weight break"),
  weight_spans_bins: flag("True when a row's weight range reaches over its bin"),
  venues_reporting: countOrNull("Venues behind the price; null for an official summary, which does not say"),
  venues_known: count("Venues of the state in the directory, all statuses but closed"),
  avg_weight_lb: z.int().nullable().describe("Average weight in pounds"),
  weight_min_lb: z.int().nullable().describe("Lowest weight of the row in pounds"),
  weight_max_lb: z.int().nullable().describe("Highest weight of the row in pounds"),
  value_per_head: money("USD per head: price times average weight; `per_cwt` only"),
  described_head: countOrNull("Head of described lots of the same cell, left out of a plain cell"),
  window_days: z
    .int()
    .nullable()
    .describe("14 or 28; null for an official summary, which has its own period"),
  window_widened: flag("True when the window was widened to 28 days because the cell was thin"),
  first_sale_date: dateOrNull("Earliest sale behind the price"),
  last_sale_date: dateOrNull("Latest sale behind the price"),
  sale_date: dateOrNull("Date of the sale; null for a sale of several days"),
  age_days: z
    .int()
    .nullable()
    .describe("Days from the latest report end date to `as_of_date`; null without one"),
  freshness: FreshnessClass,
  thin: flag("True with fewer than 10 head, or 5 pairs"),
  change_week: money("USD per `price_unit` against the sale a week earlier, matched cells only"),
  change_week_from: dateOrNull(
    "Date that `change_week` compares with; the earliest where venues have several; null without a match",
  ),
  change_year: money("USD per `price_unit` against the sale a year earlier, matched cells only"),
  change_year_from: dateOrNull("Date that `change_year` compares with, in the same way"),
  matched_cells: count("Matched cells behind `change_week`, else behind `change_year`"),
  contributing_venues: z.array(ContributingVenue).describe("Venues behind an estimate, nearest first"),
  nearest_distance_mi: z.number().nullable().describe("Great-circle miles to the nearest contributor"),
  distance_band: DistanceBand,
  distance_mi: z.number().nullable().describe("Great-circle miles from the asked place; null without one"),
  distance_method: z
    .literal("great_circle")
    .nullable()
    .describe("How distances were measured; null without one"),
  upstream: Upstream.nullable().describe(
    "Reports that the rows came from; null where no report is behind the record",
  ),
  week_begin_date: dateOrNull("First day of an official summary's period"),
  week_end_date: dateOrNull("Last day of an official summary's period"),
  receipts: countOrNull("Head that came to the sale, priced or not"),
  receipts_prior: countOrNull("Receipts of the previous published sale"),
  receipts_year_ago: countOrNull("Receipts a year before"),
  report_slug: textOrNull("Upstream report of an official summary"),
  report_end_date: z.iso.date().describe("Last day of the reported sale"),
  issue_status: IssueStatus.describe("Status of the report issue"),
  published_at_source: textOrNull("Publication time in the words of the source"),
  special_sale_name: textOrNull("Name of a special sale"),
  outlier: flag("True when the row is far off its cell's 28-day median; left out of aggregates"),
  aliases: texts("Other names; sorted"),
  venue_type: z
    .enum(["auction", "video_internet", "buying_station", "special_sale_site"])
    .describe("How cattle are sold there"),
  phone: textOrNull("E.164"),
  website: textOrNull("https URL"),
  sale_days: texts("Weekdays of regular sales, lower case; sorted"),
  sale_time_local: textOrNull("`HH:MM` in `timezone`"),
  timezone: textOrNull("IANA name; null where the zone boundary runs through the county"),
  schedule_text: textOrNull("Schedule in the words of its source"),
  next_sale_date: dateOrNull("Next sale by the schedule, not confirmed unless its basis says so"),
  reported_by: textOrNull("Who publishes the venue's prices"),
  last_verified_at: z.iso.datetime().nullable().describe("UTC instant of the last check"),
  status: z
    .enum(["active", "seasonal", "inactive", "closed", "unverified"])
    .describe("Whether sales are held there; `status_reason` says from what it follows"),
  status_reason: z
    .enum([
      "reported_sale",
      "verified_schedule",
      "off_season",
      "statement",
      "failed_verification",
      "no_evidence",
    ])
    .describe("Why the venue has its status"),
  status_since: dateOrNull("Since when; null where no build saw the change"),
  lat: z.number().nullable().describe("WGS 84 degrees, at most 5 decimals"),
  lon: z.number().nullable().describe("WGS 84 degrees, at most 5 decimals"),
  location_basis: z
    .enum(["yard", "city_centroid", "mailing_address", "unknown"])
    .describe("What the point is of; only `yard` and `city_centroid` count as located"),
  location_accuracy_m: z.int().nullable().describe("Metres"),
  first_reported_sale_date: dateOrNull("First sale in the reports of this build"),
  last_reported_sale_date: dateOrNull("Last sale in the reports of this build"),
  reports_last_365_days: count("Reported sale dates within 365 days"),
  median_receipts_last_12_sales: countOrNull("Head; null without receipts"),
  classes_reported: texts("Classes sold within 365 days; sorted"),
  report_slugs: texts("Market reports of the venue; sorted"),
  evidence_id: text("Points into `evidence`"),
  change_status: z
    .enum(["new", "unchanged", "revised", "withdrawn", "stale"])
    .describe("The record against that of the earlier build"),
  previous: PreviousValues,
  history: z
    .array(HistoryWeek)
    .optional()
    .describe("With `history`: weeks of the same measure, oldest first; weeks without a sale are absent"),
} as const;
