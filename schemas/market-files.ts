import {evidenceTable} from "./market-evidence.ts";
import {dealerFields} from "./market-fields/dealer.ts";
import {mandatoryFields} from "./market-fields/mandatory.ts";
import {columnsIn, unroundedIn} from "./market-fields/market-field.ts";
import {type PriceRecord, priceFields} from "./market-fields/price.ts";
import {nextSaleBases, venueFields, venueStatuses} from "./market-fields/venue-fields.ts";
import {MarketSource, marketSourceIds} from "./market-source.ts";
import {derivedMeasureColumns} from "./measure-columns.ts";
import {choice, column, type DescribedColumn} from "./vocabulary/described-file.ts";
import {PriceUnit} from "./vocabulary/price-row.ts";
import {TrendDirection, TrendQualifier} from "./vocabulary/reporter.ts";
import {ScheduleRule} from "./vocabulary/venue.ts";

/** A Parquet file of the market's answers: columns in file order, and the columns that identify a row. */
type MarketFile = {readonly columns: readonly DescribedColumn[]; readonly key: readonly string[]};

/** Columns that record files have in addition to the fields of the records. */
const headline = column("headline", "BOOLEAN", "True for the cells that an unfiltered query returns");
const change: readonly DescribedColumn[] = [
  column(
    "record_key",
    "VARCHAR",
    "Entity, cell and price basis: the key by which records of two builds are compared",
  ),
  column("value_hash", "VARCHAR", "Hash of the value fields, for `change_status`"),
];

function priceColumns(record: PriceRecord): DescribedColumn[] {
  return [...columnsIn(priceFields, record), headline, ...unroundedIn(priceFields, record), ...change];
}

/** Tables of the market's answers, each a file in `tables/`; `pipeline/market/staging/staged-models.ts` has the normalised tables they are made from. */
export const marketFiles = {
  county_prices: {columns: priceColumns("county"), key: ["county_fips", "cell_id"]},
  state_prices: {columns: priceColumns("state"), key: ["state", "cell_id"]},
  latest_prices: {columns: priceColumns("latest"), key: ["evidence_id", "row_ordinal"]},
  mandatory_prices: {columns: [...columnsIn(mandatoryFields, "mandatory"), ...change], key: ["line_id"]},
  barns: {columns: [...columnsIn(venueFields, "barn"), ...change], key: ["venue_id"]},
  dealers: {columns: [...columnsIn(dealerFields, "dealer"), ...change], key: ["state", "list_scope"]},
  evidence: {columns: columnsIn(evidenceTable, "evidence"), key: ["evidence_id"]},
  sources: {columns: sourceColumns(), key: ["id"]},
  issue_cells: {
    columns: [
      column("issue_id", "VARCHAR", "Report issue that a record may cite"),
      column("cell_id", "VARCHAR", "Cell"),
      column("content", "VARCHAR", "Hash of its rows of the cell, by which the next build tells corrections"),
    ],
    key: ["issue_id", "cell_id"],
  },
  county_estimate_contributors: {
    columns: [
      column("county_fips", "VARCHAR", "County for which the price is estimated"),
      column("cell_id", "VARCHAR", "Cell"),
      column("venue_id", "VARCHAR", "Contributing venue"),
      column("rank", "INTEGER", "1 for the nearest"),
      column("distance_mi", "DOUBLE", "Great-circle miles to the county's internal point, 1 decimal"),
      column("price_avg", "DECIMAL(9,2)", "USD per unit of the cell"),
      column("price_avg_unrounded", "DOUBLE", "The same before rounding, as used in the estimate"),
      column("head_count", "INTEGER", "Head behind the price"),
      column("report_end_date", "DATE", "Latest sale behind the price"),
    ],
    key: ["county_fips", "cell_id", "venue_id"],
  },
  venue_schedules: {
    columns: [
      column("venue_id", "VARCHAR", "Venue"),
      column("rule", "INTEGER", "Number of the rule, from 1"),
      choice("kind", ScheduleRule.shape.kind.options),
      column("classes", "VARCHAR[]", "Kinds of cattle; empty = all"),
      choice("frequency", ScheduleRule.shape.frequency.options),
      column("weekday", "VARCHAR", "Lower case"),
      column("nth", "INTEGER[]", "`monthly_nth`: which weekdays of the month"),
      column("anchor_date", "DATE", "`biweekly`: a known sale date"),
      column("start_time_local", "VARCHAR", "`HH:MM` in `timezone`"),
      column("timezone", "VARCHAR", "IANA name"),
      column("season_from", "VARCHAR", "`MM-DD`"),
      column("season_to", "VARCHAR", "`MM-DD`; before `season_from` if the season spans the new year"),
      column("verified_at", "DATE", "When the schedule was last checked with its source"),
      column("next_sale_date", "DATE", "Next date of the rule"),
      column(
        "next_sale_basis",
        "VARCHAR",
        "`projected`, `published`, `inferred` (from the days of reported sales) or `projected_holiday_unconfirmed`",
        {values: nextSaleBases},
      ),
      column("usual_head", "INTEGER", "Median receipts of the rule's known sales of the last 100 days"),
      column("report_slug", "VARCHAR", "Market report from whose sales the rule follows"),
    ],
    key: ["venue_id", "rule"],
  },
  derived_measures: {
    columns: derivedMeasureColumns,
    key: ["measure", "venue_id", "report_end_date", "cell_id", "month"],
  },
  reporter_trends: {
    columns: [
      column("issue_id", "VARCHAR", "Report issue that says it"),
      column("ordinal", "INTEGER", "Number of the statement in its report, from 1"),
      column("report_slug", "VARCHAR", "Upstream report code"),
      column("report_end_date", "DATE", "Last day of the sale or the week"),
      column("venue_id", "VARCHAR", "Venue; null for a summary and for trades without a venue"),
      column("state", "VARCHAR", "State of the venue or the summary"),
      column("class", "VARCHAR", "Kind of cattle; null: all kinds of the commodity"),
      column("commodity", "VARCHAR", "Null with a null class: the whole report; else not said"),
      column("kind", "VARCHAR", "What else narrows it: `calves`, `yearlings`, `young`, `feeding`"),
      column("weight_low_lb", "INTEGER", "Lowest weight in pounds; null without a lower bound"),
      column("weight_high_lb", "INTEGER", "Highest weight in pounds; null without an upper bound"),
      column("grade", "VARCHAR", "Slaughter grade, such as `boner`"),
      choice("direction", TrendDirection.options),
      column("low", "DOUBLE", "USD: least move, positive; of `mixed` the lowest, negative"),
      column("high", "DOUBLE", "USD: greatest move; null for steady and where none is said"),
      column("unit", "VARCHAR", "Unit of `low` and `high`", {values: PriceUnit.options}),
      column("qualifier", "VARCHAR", "How the reporter limits it", {values: TrendQualifier.options}),
      column("compared_with", "VARCHAR", "`last_week`, `two_weeks`, `last_sale`, `last_year` or a date"),
      column("text", "VARCHAR", "The sentence, by USDA AMS Livestock, Poultry and Grain Market News"),
    ],
    key: ["issue_id", "ordinal"],
  },
  indicators: {
    columns: [
      choice("area_kind", ["nation", "state"]),
      column("area", "VARCHAR", "State letters; `US` for the nation"),
      column("class", "VARCHAR", "Class of the cattle", {values: ["steers", "heifers"]}),
      column("weight_lb", "INTEGER", "Weight at which the curve is read, 550 or 750 lb"),
      column("muscle_grade", "VARCHAR", "Grade of the figure: Medium and Large 1"),
      column("window_end_date", "DATE", "Last day of the window of 7 days: the as-of date"),
      column("price_avg", "DECIMAL(9,2)", "USD per cwt; null where `reason` says why"),
      column("price_avg_unrounded", "DOUBLE", "The same before rounding"),
      column("price_low", "DECIMAL(9,2)", "Lower end of the range that holds about four pens in five"),
      column("price_high", "DECIMAL(9,2)", "Upper end of that range"),
      column("reason", "VARCHAR", "The first minimum that is not met"),
      column("change_week", "DECIMAL(9,2)", "Against the week before, at the venues that sold in both"),
      column("change_week_reason", "VARCHAR", "Why there is no change by the week"),
      column(
        "change_year",
        "DECIMAL(9,2)",
        "Against the week 364 days earlier, at the venues that sold in both",
      ),
      column("change_year_reason", "VARCHAR", "Why there is no change by the year"),
      column("pens", "INTEGER", "Pens of the curve"),
      column("pens_near", "INTEGER", "Pens within 150 lb of the weight"),
      column("head_count", "INTEGER", "Head of the pens of the curve"),
      column("head_near", "INTEGER", "Head within 150 lb of the weight"),
      column("venues", "INTEGER", "Venues that sold them"),
      column("states", "INTEGER", "States of these venues"),
      column("residual_spread", "DOUBLE", "Spread of the prices around the curve, as a logarithm"),
      column("first_sale_date", "DATE", "Earliest sale"),
      column("last_sale_date", "DATE", "Latest sale"),
      column("sentence", "VARCHAR", "The indicator in words"),
      column("evidence_id", "VARCHAR", "Its evidence; null without a figure"),
    ],
    key: ["area", "class", "weight_lb", "window_end_date"],
  },
  weight_curves: {
    columns: [
      choice("area_kind", ["nation", "state"]),
      column("area", "VARCHAR", "State letters; `US` for the nation"),
      column("class", "VARCHAR", "Class of the cattle", {values: ["steers", "heifers"]}),
      column("window_end_date", "DATE", "Last day of the window: the as-of date"),
      column("window_days", "INTEGER", "Days of the window"),
      column("degree", "INTEGER", "Degree of the curve"),
      column(
        "b0",
        "DOUBLE",
        "ln(USD per cwt) of grade 1 is b0 + b1 x + b2 x^2 + b3 x^3 with x = (lb - 700) / 100",
      ),
      column("b1", "DOUBLE", "Coefficient of x"),
      column("b2", "DOUBLE", "Coefficient of x^2; 0 for a straight line"),
      column("b3", "DOUBLE", "Coefficient of x^3; 0 below a cubic"),
      column("grade_offset", "DOUBLE", "Logarithm of grade 1-2 over grade 1; null with one grade"),
      column("residual_spread", "DOUBLE", "Spread of the prices around the curve, as a logarithm"),
      column("weight_min_lb", "INTEGER", "Lightest pen: the curve is not read below it"),
      column("weight_max_lb", "INTEGER", "Heaviest pen: the curve is not read above it"),
      column("pens", "INTEGER", "Pens of the curve"),
      column("head_count", "INTEGER", "Their head"),
      column("venues", "INTEGER", "Venues that sold them"),
    ],
    key: ["area", "class", "window_end_date", "window_days"],
  },
  barn_comparison: {
    columns: [
      column("venue_id", "VARCHAR", "Barn"),
      column("class", "VARCHAR", "Class of the cattle", {values: ["steers", "heifers"]}),
      column("muscle_grade", "VARCHAR", "Grade of Medium and Large feeders", {values: ["1", "1-2"]}),
      column("weight_lb", "INTEGER", "Weight: 450, 550, 650, 750, 850"),
      column("sale_date", "DATE", "Newest sale of the class there, at most 28 days old"),
      column("price_avg", "DECIMAL(9,2)", "USD per cwt of the grade at the weight"),
      column("basis", "VARCHAR", "The weight curve of that sale, or the mean of its pens within 25 lb", {
        values: ["curve", "pens"],
      }),
      column("pens", "INTEGER", "Pens that the price rests on"),
      column("head_count", "INTEGER", "Their head"),
      column(
        "change_week",
        "DECIMAL(9,2)",
        "Less the price of the sale 4 to 10 days before; null unless both are of curves",
      ),
      column("issue_ids", "VARCHAR[]", "Report issues of these pens"),
    ],
    key: ["venue_id", "class", "muscle_grade", "weight_lb"],
  },
  price_history: {
    columns: [
      column("area_type", "VARCHAR", "`county` or `state`"),
      column("area", "VARCHAR", "County FIPS code, or state letters"),
      column(
        "price_basis",
        "VARCHAR",
        "`observed_in_county`, `derived_rollup` or `official_state_summary`: different populations, which must never be added together",
      ),
      column("report_slug", "VARCHAR", "Report of an official summary, else null"),
      column("cell_id", "VARCHAR", "Cell"),
      column("commodity", "VARCHAR", "Commodity of the cell"),
      column("class", "VARCHAR", "Class of the cell"),
      column("weight_bin", "VARCHAR", "50-lb bin in pounds, such as `750-799`"),
      column("price_unit", "VARCHAR", "`per_cwt`, `per_head` or `per_pair`"),
      column(
        "week_end_date",
        "DATE",
        "Saturday of the week of the sales; for an official summary the last day of its period",
      ),
      column("price_avg", "DECIMAL(9,2)", "USD per `price_unit`, weighted by pounds, head or pairs"),
      column("price_avg_unrounded", "DOUBLE", "The same before rounding"),
      column("head_count", "INTEGER", "Head (pairs for `per_pair`) behind the price"),
      column("venues_reporting", "INTEGER", "Venues behind the price; null for an official summary"),
      column("rows", "INTEGER", "Report rows behind the price"),
    ],
    key: ["area_type", "area", "price_basis", "report_slug", "cell_id", "week_end_date"],
  },
  venue_status_history: {
    columns: [
      column("venue_id", "VARCHAR", "Venue"),
      column("from_date", "DATE", "First day of the status; null if no build saw it begin"),
      choice("status", venueStatuses),
      column("status_reason", "VARCHAR", "Why"),
    ],
    key: ["venue_id", "from_date"],
  },
  venue_ids: {
    columns: [
      column(
        "venue_id",
        "VARCHAR",
        "`<state>-<slug>`, given when the venue first appeared; it never changes",
      ),
      column("state", "VARCHAR", "State"),
      column("city", "VARCHAR", "Town"),
      column("names", "VARCHAR[]", "Names, the current one first"),
      column("report_slugs", "VARCHAR[]", "Market reports of the venue, also of earlier builds; sorted"),
      column("other_ids", "VARCHAR[]", "Younger ids that proved to be of the same yard; sorted"),
      column("first_seen", "DATE", "As-of date of the first build that knew the venue"),
    ],
    key: ["venue_id"],
  },
} as const satisfies Record<string, MarketFile>;

export type MarketFileName = keyof typeof marketFiles;

/** Converts a member name of a registry file to a column name, which is in snake case. */
export function columnName(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Columns of the source registry: all texts, except the days of freshness. */
function sourceColumns(): DescribedColumn[] {
  return Object.entries(MarketSource.shape).map(([member, {description = ""}]) =>
    column(
      columnName(member),
      member === "freshness_days" ? "INTEGER" : "VARCHAR",
      description,
      member === "id" ? {values: marketSourceIds} : {},
    ),
  );
}
