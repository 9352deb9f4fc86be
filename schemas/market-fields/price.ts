import {z} from "zod";
import {freshnessDays} from "../vocabulary/freshness.ts";
import {PriceUnit} from "../vocabulary/price-row.ts";
import {changeFields} from "./change-fields.ts";
import {citationFields} from "./citation.ts";
import {
  count,
  date,
  decimal,
  fieldsOf,
  flag,
  integer,
  money,
  oneOf,
  orNull,
  rounded,
  structure,
  text,
  texts,
} from "./market-field.ts";
import {saleRowFields} from "./sale-row.ts";
import {shared} from "./shared.ts";
import {
  ContributingVenue,
  HistoryWeek,
  PreviousSale,
  PreviousValues,
  Upstream,
  upstreamText,
} from "./structures.ts";
import {summaryFields} from "./summary-fields.ts";

/** Maximum miles of each distance band; anything farther is out of range. */
const bandMiles = {near: 25, local: 50, regional: 100, distant: 150};

/** SQL for the name of the first bound that is not exceeded. */
function firstBoundSql(value: string, bounds: Readonly<Record<string, number>>, beyond: string): string {
  const cases = Object.entries(bounds).map(([name, max]) => `WHEN ${value} <= ${max} THEN '${name}'`);
  return `CASE WHEN ${value} IS NULL THEN NULL ${cases.join(" ")} ELSE '${beyond}' END`;
}

/** SQL for the freshness class of an age in days. */
export const freshnessSql = (days: string) => firstBoundSql(days, freshnessDays, "expired");

/** SQL for the band of a distance in miles. */
const bandSql = (miles: string) => firstBoundSql(miles, bandMiles, "out_of_range");

const age = "date_diff('day', last_date, (SELECT as_of FROM build_facts))";
const perUnit = "USD per `price_unit`";
const usd = {unit: "USD"} as const;
const fixed = {revises: true} as const;
const priceRecords = ["county", "state", "latest"] as const;
export type PriceRecord = (typeof priceRecords)[number];

const field = fieldsOf(priceRecords);

/**
 * The fields of price records, in column order; `sql` refers to the columns of a draft (`pipeline/market/answers/drafts.ts`). Fields of a
 * single kind of record come after those of all. Add new fields at the end: readers go by names, and the diff of FORMAT.md is one line.
 */
export const priceFields = {
  county_fips: field(...shared.county_fips),
  county_name: field(...shared.county_name, {header: "county"}),
  state: field(orNull(text), "USPS letters, upper case; null for trades of a region", {header: "state"}),
  cell_id: field(text, "Stable slug of the cell, such as `feeder-steers-ml1-0750-0799-cwt`"),
  commodity: field(text, "`feeder_cattle`, `slaughter_cattle`, `replacement_cattle` or `dairy_calves`"),
  class: field(text, "Sex or kind: `steers`, `heifers`, `cows`, `bred_cows` and so on"),
  frame: field(orNull(text), "`small`, `medium`, `medium_and_large`, `large`"),
  muscle_grade: field(orNull(text), "`1`, `1-2`, `2`, `2-3`, `3`, `4`"),
  quality_grade: field(orNull(text), "Slaughter grade, such as `boner`"),
  dressing: field(orNull(text), "`very_low`, `low`, `average`, `high`, `very_high`"),
  age_class: field(orNull(text), "Replacement cattle: age as reported"),
  pregnancy_stage: field(orNull(text), "Replacement cattle: stage as reported"),
  offspring_weight: field(orNull(text), "Pairs: weight range of the calf in lb, such as `150-300`"),
  weight_bin: field(orNull(text), "50-lb bin in pounds, such as `750-799`", {header: "lb"}),
  lot_descriptors: field(texts, "Reporter's comments; empty = lots without comment; sorted"),
  price_unit: field(oneOf(PriceUnit.options), "Unit of every price of the record"),
  price_basis: field(
    oneOf([
      "observed_in_county",
      "nearest_market_estimate",
      "none",
      "official_state_summary",
      "derived_rollup",
      "reported",
    ]),
    "What the price is based on",
    fixed,
  ),
  price_avg: field(money, `${perUnit}, 2 decimals`, {
    ...fixed,
    ...usd,
    sql: "price",
    header: "USD",
    unrounded: "`price_avg` before rounding, USD per `price_unit`",
  }),
  price_low: field(
    money,
    `${perUnit}: lowest price of the rows; of the contributors for an estimate, 2 decimals`,
    {...fixed, ...usd, sql: "low"},
  ),
  price_high: field(
    money,
    `${perUnit}: highest price of the rows; of the contributors for an estimate, 2 decimals`,
    {...fixed, ...usd, sql: "high"},
  ),
  weighting: field(
    orNull(oneOf(["pounds", "head", "pairs", "inverse_distance"])),
    "Weights of the mean; null without a price",
    {
      sql: `CASE WHEN withdrawn THEN NULL WHEN price_basis = 'nearest_market_estimate' THEN 'inverse_distance'
        ELSE CASE price_unit WHEN 'per_cwt' THEN 'pounds' WHEN 'per_head' THEN 'head' ELSE 'pairs' END END`,
    },
  ),
  head_count: field(
    orNull(integer),
    "Head (pairs for `per_pair`) behind the price; for a reported row as published, even if it cannot be right",
    {...fixed, sql: "head", unit: "head", header: "head"},
  ),
  contributing_head: field(orNull(count), "Head behind the contributors of an estimate, else null", {
    ...fixed,
    unit: "head",
  }),
  rows: field(count, "Report rows behind the price", {...fixed, sql: "coalesce(row_count, 0)"}),
  rows_excluded: field(
    count,
    "Report rows of the cell that were left out: no head count, no weight or an implausible price",
    {
      sql: "coalesce(rows_excluded, 0)",
    },
  ),
  weight_imputed_rows: field(
    count,
    "Report rows whose missing weight was taken as the middle of the weight break",
    {sql: "coalesce(weight_imputed_rows, 0)"},
  ),
  weight_spans_bins: field(flag, "True when a row's weight range extends beyond its bin", {
    sql: "coalesce(weight_spans_bins, false)",
  }),
  venues_reporting: field(
    orNull(count),
    "Venues behind the price; null for an official summary, which does not state them",
    {sql: "venues"},
  ),
  avg_weight_lb: field({...orNull(integer), stored: (value) => rounded(value, 0)}, "Average weight, lb", {
    ...fixed,
    sql: "avg_weight",
    unit: "lb",
    unrounded: "`avg_weight_lb` before rounding, lb",
  }),
  value_per_head: field(money, "USD per head: price times average weight; `per_cwt` only, 2 decimals", {
    ...usd,
    // The noise of a product of doubles, behind its tenth decimal, must not decide between two cents.
    sql: "CASE WHEN price_unit = 'per_cwt' THEN round(price * avg_weight / 100, 10) END",
    unrounded: "`value_per_head` before rounding, USD per head",
  }),
  described_head: field(
    orNull(count),
    "Head of described lots of the same cell, left out of a cell of lots without comment",
    {unit: "head"},
  ),
  window_days: field(orNull(integer), "14 or 28, of a state 7 or 28; null for an official summary", {
    unit: "days",
  }),
  window_widened: field(flag, "True when widened to 28 days: thin, or no sale in the state's week", {
    sql: "coalesce(window_widened, false)",
  }),
  first_sale_date: field(orNull(date), "Earliest sale behind the price", {...fixed, sql: "first_date"}),
  last_sale_date: field(orNull(date), "Latest sale behind the price", {
    ...fixed,
    sql: "last_date",
    header: "sold",
  }),
  age_days: field(orNull(integer), "Days from the latest report end date to `as_of_date`; null without one", {
    sql: `${age}::INTEGER`,
    unit: "days",
  }),
  freshness: field(
    orNull(oneOf(["fresh", "recent", "aging", "stale", "expired"])),
    "Class of `age_days`: up to 10, 21, 35 or 60 days, or older; null without a date",
    {sql: freshnessSql(age)},
  ),
  thin: field(flag, "True with fewer than 10 known head, or 5 pairs", {sql: "coalesce(thin, false)"}),
  change_week: field(money, `${perUnit} against the sale a week earlier, matched cells only, 2 decimals`, {
    ...usd,
    sql: "week_change",
    header: "week",
  }),
  change_week_from: field(
    orNull(date),
    "Date with which `change_week` compares; the earliest if venues have several; null without a match",
    {sql: "week_from"},
  ),
  change_year: field(money, `${perUnit} against the sale a year earlier, matched cells only, 2 decimals`, {
    ...usd,
    sql: "year_change",
    header: "year",
  }),
  change_year_from: field(orNull(date), "Date with which `change_year` compares, in the same way", {
    sql: "year_from",
  }),
  matched_cells: field(count, "Matched cells behind `change_week`, else behind `change_year`", {
    sql: "coalesce(matched, 0)",
  }),
  matched_pens: field(
    count,
    "Pens, which are rows of the reports, of the matched cells at the date with fewer",
    {sql: "coalesce(matched_pens, 0)"},
  ),
  contributing_venues: field(
    structure(z.array(ContributingVenue)),
    "Venues behind an estimate, nearest first",
    {...fixed, sql: "coalesce(contributing_venues, '[]')"},
  ),
  nearest_distance_mi: field(orNull(decimal), "Great-circle miles to the nearest contributor", {
    unit: "miles",
  }),
  distance_band: field(
    orNull(oneOf(["in_county", "near", "local", "regional", "distant", "out_of_range"])),
    "Band of the nearest source venue: up to 25, 50, 100 or 150 miles",
    {sql: bandSql("nearest_distance_mi")},
  ),
  distance_mi: field(...shared.distance_mi, {
    perQuery: true,
    sql: "NULL",
    unit: "miles",
    header: "miles",
  }),
  distance_method: field(...shared.distance_method, {
    sql: "CASE WHEN nearest_distance_mi IS NOT NULL THEN 'great_circle' END",
  }),
  county_vintage: field(...shared.county_vintage),
  upstream: field(
    orNull(structure(Upstream)),
    "Reports from which the rows came; null if no report is behind the record",
    {sql: upstreamText},
  ),
  previous_sale: field(
    orNull(structure(PreviousSale)),
    "What was corrected in an earlier sale, of the venue or of venues behind the price, in the night in which a later one arrived",
    {sql: "corrected_sale"},
  ),
  change_status: field(...shared.change_status, {compared: true}),
  previous: field(orNull(structure(PreviousValues)), "Earlier values of a `revised` record, else null", {
    compared: true,
  }),
  window_moved: field(
    flag,
    "True if the figure differs from the previous build's although no report behind it is new or corrected: its window moved",
    {compared: true},
  ),
  evidence_id: field(...shared.evidence_id, {compared: true}),
  week_begin_date: field(orNull(date), "First day of the summary's period or of the roll-up's week", {
    in: ["state"],
  }),
  week_end_date: field(orNull(date), "Last day of the summary's period or of the roll-up's week", {
    in: ["state"],
  }),
  venues_known: field(count, "Venues of the state in the directory, of every status except closed", {
    in: ["state"],
    sql: "coalesce(venues_known, 0)",
  }),
  ...saleRowFields,
  receipts: field(orNull(count), "Head that arrived at the sale, priced or not", {
    ...fixed,
    in: ["state", "latest"],
    unit: "head",
  }),
  receipts_prior: field(orNull(count), "Receipts of the previous published sale", {
    ...fixed,
    in: ["state"],
    unit: "head",
  }),
  receipts_year_ago: field(orNull(count), "Receipts a year before", {...fixed, in: ["state"], unit: "head"}),
  report_slug: field(orNull(text), "Upstream report of an official summary", {in: ["state"]}),
  special_sale_name: field(orNull(text), "Name of a special sale", {in: ["latest"]}),
  outlier: field(
    flag,
    "True when the price is far from the 28-day median of its cell; left out of aggregates",
    {
      in: ["latest"],
      sql: "coalesce(outlier, false)",
    },
  ),
  ...citationFields,
  history: field(
    {...structure(z.array(HistoryWeek)), shape: z.array(HistoryWeek).optional()},
    "With `history`: weeks of the same measure, oldest first; weeks without a sale are absent",
    {in: ["county", "state"], perQuery: true},
  ),
  ...changeFields,
  ...summaryFields,
  lot_description: field(orNull(text), "With `other` in `lot_descriptors`: comment as printed, else null"),
};

/** Values of all fields of price records; a record has those of its kind. */
export type PriceValues = {
  readonly [Name in keyof typeof priceFields]: z.infer<(typeof priceFields)[Name]["shape"]>;
};
