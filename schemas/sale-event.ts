import {choice, column, type DescribedColumn} from "./vocabulary/described-file.ts";
import {priceRowColumns, ReportScope} from "./vocabulary/price-row.ts";

const measures: readonly DescribedColumn[] = [
  column("receipts", "INTEGER", "Head that arrived, incl. unsold; not the sum of the price rows"),
  column("receipts_prior", "INTEGER", "Receipts of the previous published sale"),
  column("receipts_year_ago", "INTEGER", "Receipts of the sale a year before"),
  column(
    "receipts_by_commodity",
    "MAP(VARCHAR, INTEGER)",
    "Receipts of each commodity; if one is missing, it is missing from `receipts` too unless the report prints a total",
  ),
  column("head_by_commodity", "MAP(VARCHAR, INTEGER)", "Head behind the accepted price rows"),
  column("head_reported", "INTEGER", "Sum of `head_by_commodity`"),
  column("narrative_present", "BOOLEAN", "True if the report has a market comment"),
];

const reporter = column(
  "reporter",
  "VARCHAR",
  "What the reporter says, JSON: trend, demand, supply and its shares, quality, notices, the text with its credit; null without any",
  {json: true},
);

/** One row per sale of a venue. */
export const saleEventColumns: readonly DescribedColumn[] = [
  column("venue_id", "VARCHAR", "Venue"),
  column("sale_date", "DATE", "Day of the sale, or the last one of several days"),
  column("issue_id", "VARCHAR", "Report issue on the sale"),
  column("report_slug", "VARCHAR", "Upstream report code"),
  column("report_begin_date", "DATE", "First day of the sale"),
  column("report_end_date", "DATE", "Last day of the sale"),
  column("state", "VARCHAR", "State of the venue"),
  choice("sale_status", ["held", "no_sale", "cancelled", "unknown"]),
  column(
    "special_sale_name",
    "VARCHAR",
    "Name of a special sale, from a notice of the report, its market type or its title",
  ),
  ...measures,
  reporter,
  column(
    "last_reported_date",
    "DATE",
    "Day of the previous published sale (`receipts_prior`), as printed; null where the report prints none",
  ),
];

/** One row per week (or other period) of a summary that pools several venues. */
export const summaryEventColumns: readonly DescribedColumn[] = [
  column("report_slug", "VARCHAR", "Upstream report code"),
  column("issue_id", "VARCHAR", "Report issue"),
  column("report_scope", "VARCHAR", "`state_summary`, `regional_summary` …", {values: ReportScope.options}),
  column("week_begin_date", "DATE", "First day of the period"),
  column("week_end_date", "DATE", "Last day of the period"),
  column("state", "VARCHAR", "State of a state summary"),
  ...measures,
  reporter,
];

const issueColumns =
  "issue_id issue_version source_id report_slug report_scope issue_status report_end_date issue_published_at venue_id".split(
    " ",
  );

/** Sales and weeks from issues that another issue has replaced. They corroborate if they are from another source. */
export const replacedEventColumns: readonly DescribedColumn[] = [
  ...priceRowColumns.filter(({name}) => issueColumns.includes(name)),
  ...measures,
];

/** Venues that the reports name. */
export const venueSeenColumns: readonly DescribedColumn[] = [
  column("venue_id", "VARCHAR", "`<state>-<slug>`"),
  column("venue_name", "VARCHAR", "Name as published"),
  column("city", "VARCHAR", "Town of the sale"),
  column("state", "VARCHAR", "State"),
  column("report_slug", "VARCHAR", "Upstream report code; a venue with several reports has several rows"),
  column("report_title", "VARCHAR", "Latest title of the report"),
  column("registered", "BOOLEAN", "True if the venue is in the reference table"),
  column("first_sale_date", "DATE", "First sale read"),
  column("last_sale_date", "DATE", "Last sale read"),
  column("sales", "INTEGER", "Number of sales read"),
];

/** Entries of the publisher's own list of reports. */
export const reportListColumns: readonly DescribedColumn[] = [
  column("report_slug", "VARCHAR", "Upstream report code"),
  column("report_title", "VARCHAR", "Title"),
  column("report_status", "VARCHAR", "As published: `Final`, `Preliminary` …"),
  column("last_report_date", "DATE", "Date of the latest issue when the list was read"),
  column("published_at_source", "VARCHAR", "When that issue was published, as the source states it"),
  column("markets", "VARCHAR[]", "Markets the report covers"),
  column("market_types", "VARCHAR[]", "Kinds of market"),
  column("source_path", "VARCHAR", "Raw file"),
];
