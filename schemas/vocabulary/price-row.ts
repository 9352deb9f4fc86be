import {
  cattleClasses,
  commodities,
  dressings,
  lotDescriptors,
  priceUnits,
  reportScopes,
} from "@open-cattle/usda-reports/words";
import {z} from "zod";
import {choice, column, type DescribedColumn, instantType} from "./described-file.ts";

/** Report headings that have prices here. */
export const Commodity = z.enum(commodities);
export type Commodity = z.infer<typeof Commodity>;

/**
 * Sex and kind (`docs/design/market.md` section 1). `dairy_bulls` and `dairy_cows` have their own headings in the reports and are kept
 * separate, so that they never mix with the beef cells.
 */
export const CattleClass = z.enum(cattleClasses);
export type CattleClass = z.infer<typeof CattleClass>;

/** The reporter's comments on a lot; `other` for a comment not listed here (its text is in `lot_description`). */
export const LotDescriptor = z.enum(lotDescriptors);
export type LotDescriptor = z.infer<typeof LotDescriptor>;

export const Dressing = z.enum(dressings);
export type Dressing = z.infer<typeof Dressing>;

export const PriceUnit = z.enum(priceUnits);
export type PriceUnit = z.infer<typeof PriceUnit>;

export const ReportScope = z.enum(reportScopes);
export type ReportScope = z.infer<typeof ReportScope>;

export const IssueStatus = z.enum(["preliminary", "final", "unknown"]);
export type IssueStatus = z.infer<typeof IssueStatus>;

/** Columns of a lot or group of lots (`docs/design/market.md` section 2): everything in which two rows may differ. */
export const priceValueColumns: readonly DescribedColumn[] = [
  column(
    "commodity",
    "VARCHAR",
    "`feeder_cattle`, `slaughter_cattle`, `replacement_cattle`, `dairy_calves`",
    {values: Commodity.options},
  ),
  column("class", "VARCHAR", "Sex and kind, such as `steers` or `cow_calf_pairs`", {
    values: CattleClass.options,
  }),
  column(
    "frame",
    "VARCHAR",
    "Frame as the report groups it: `small`, `medium`, `medium_and_large`, `large` …",
  ),
  column("muscle_grade", "VARCHAR", "`1`, `1-2`, `2` …; a range is a mixed-lot grade of its own"),
  column(
    "quality_grade",
    "VARCHAR",
    "Slaughter cattle: `breaker`, `boner`, `lean`, `premium_white`, `choice` … or a yield grade",
  ),
  column("dressing", "VARCHAR", "Expected carcass yield: `very_low`, `low`, `average`, `high`, `very_high`", {
    values: Dressing.options,
  }),
  column("age_class", "VARCHAR", "Years of age as text, such as `2-4` or `>8`"),
  column("pregnancy_stage", "VARCHAR", "`O` open, `T1` to `T3` trimester, or a range such as `T1-2`"),
  column("offspring_weight", "VARCHAR", "Weight range of the calf in lb, as text: `<150`, `150-300`, `>300`"),
  column("lot_descriptors", "VARCHAR[]", "Comments of the reporter, sorted and unique; empty = plain lot", {
    values: LotDescriptor.options,
  }),
  column("lot_description", "VARCHAR", "The comment as the report words it"),
  choice("price_unit", PriceUnit.options),
  choice("weight_basis", ["actual", "estimated", "unknown"]),
  column(
    "freight",
    "VARCHAR",
    "`fob`, `delivered` or other words of the report (`picked_up`), if it says so",
  ),
  column(
    "delivery",
    "VARCHAR",
    "Video and direct trades: `current`, or first and last month, such as `nov` or `sep-oct`",
  ),
  column("region", "VARCHAR", "Video and direct trades: where the cattle are, as the report names it"),
  column("weight_break_low_lb", "INTEGER", "Start of the report's own weight break"),
  column("weight_break_high_lb", "INTEGER", "End of the report's own weight break (exclusive)"),
  column(
    "weight_bin_low_lb",
    "INTEGER",
    "Start of the 50-lb bin: that of the break if it is one bin, else that of the unrounded average weight",
  ),
  column("weight_spans_bins", "BOOLEAN", "True if the weights of the row extend beyond its bin"),
  column("avg_weight_lb", "INTEGER", "Average weight, lb"),
  column("weight_min_lb", "INTEGER", "Lowest weight, lb"),
  column("weight_max_lb", "INTEGER", "Highest weight, lb"),
  column("price_avg", "DECIMAL(9,2)", "Average price, USD per `price_unit`"),
  column("price_min", "DECIMAL(9,2)", "Lowest price, USD per `price_unit`"),
  column("price_max", "DECIMAL(9,2)", "Highest price, USD per `price_unit`"),
  column("head_count", "INTEGER", "Head behind the row (pairs for `per_pair`); null means unknown, not 1"),
];

/** Columns of `price_rows` and `price_rows_superseded`, in file order. Key: `issue_id`, `issue_version`, `row_ordinal`. */
export const priceRowColumns: readonly DescribedColumn[] = [
  column("issue_id", "VARCHAR", "Id of the report issue, such as `ams-1895@2026-08-22`"),
  column("issue_version", "INTEGER", "1 for the oldest version read of this issue"),
  column("row_ordinal", "INTEGER", "Position of the row in its issue, from 1; quarantined rows leave gaps"),
  column(
    "report_program",
    "VARCHAR",
    "`voluntary` (auctions) or `mandatory` (packer purchases); never pooled",
    {values: ["voluntary", "mandatory"]},
  ),
  column("source_id", "VARCHAR", "Registry id through which the row was fetched"),
  choice("system", ["mymarketnews", "lmr_datamart"]),
  column("report_slug", "VARCHAR", "Upstream report code, such as `ams-1889`"),
  column("report_title", "VARCHAR", "Title of the report, if the source gives it"),
  column("report_scope", "VARCHAR", "What the row is of, and so what it may be aggregated with", {
    values: ReportScope.options,
  }),
  choice("issue_status", IssueStatus.options),
  column("report_begin_date", "DATE", "First day of the sale period"),
  column("report_end_date", "DATE", "Last day of the sale period; ages are counted from it"),
  column("sale_date", "DATE", "The day of the sale; null for a period of several days"),
  column(
    "published_at_source",
    "VARCHAR",
    "When the issue was published, as the source states it (no time zone)",
  ),
  column("issue_published_at", "TIMESTAMP", "The same as a time without zone, to order issues by"),
  column("venue_id", "VARCHAR", "`<state>-<slug>`; null for summaries and unknown venues"),
  column("state", "VARCHAR", "State of the venue or of the summary"),
  column(
    "shrink",
    "VARCHAR",
    "Video and direct trades of feeder cattle: weight that is deducted, such as `2-3%`",
  ),
  column(
    "slide",
    "VARCHAR",
    "Video and direct trades of beef feeders: the price's slide as the report states it",
  ),
  ...priceValueColumns,
  column("source_path", "VARCHAR", "Raw file the row came from"),
  column("ingested_at", instantType, "When this content was first fetched, UTC"),
  column("last_verified_at", instantType, "Last fetch that found the same content, UTC"),
];
