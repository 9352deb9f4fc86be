import {column, type DescribedColumn, instantType} from "./vocabulary/described-file.ts";

/** One version of one issue of a report. An issue is replaced as a whole; `current` marks the version whose prices count. */
export const reportIssueColumns: readonly DescribedColumn[] = [
  column(
    "issue_id",
    "VARCHAR",
    "`<report slug>@<report end date>`, with `@<town or commodities>` for a further report of that number and day",
  ),
  column("issue_version", "INTEGER", "1 for the oldest version read"),
  column(
    "current",
    "BOOLEAN",
    "True for the version used: it has rows; final is preferred to preliminary, then the later one",
  ),
  column(
    "superseded_by",
    "VARCHAR",
    "`issue_id` of the current version; differs if another feed dates the week differently",
  ),
  column("report_program", "VARCHAR", "`voluntary` or `mandatory`"),
  column("report_slug", "VARCHAR", "Upstream report code"),
  column("report_title", "VARCHAR", "Title of the report"),
  column("report_scope", "VARCHAR", "`venue`, `state_summary` …"),
  column("issue_status", "VARCHAR", "`preliminary`, `final` or `unknown`"),
  column("is_correction", "BOOLEAN", "True if the issue says that it corrects an earlier one"),
  column("report_begin_date", "DATE", "First day of the sale period"),
  column("report_end_date", "DATE", "Last day of the sale period"),
  column("published_at_source", "VARCHAR", "When it was published, as the source states it"),
  column("issue_published_at", "TIMESTAMP", "The same as a time without zone"),
  column("venue_id", "VARCHAR", "Venue; null for summaries and unknown venues"),
  column("state", "VARCHAR", "State of the venue or of the summary"),
  column("source_id", "VARCHAR", "Registry id"),
  column("system", "VARCHAR", "`mymarketnews` or `lmr_datamart`"),
  column("source_path", "VARCHAR", "Raw file of this version"),
  column("ingested_at", instantType, "First fetch of this content, UTC"),
  column("last_verified_at", instantType, "Last fetch that found the same content, UTC"),
  column("rows_read", "INTEGER", "Rows of the issue as read"),
  column("rows_accepted", "INTEGER", "Rows that passed the row checks"),
  column("duplicate_rows_dropped", "INTEGER", "Rows printed twice"),
];

/** Rows that were quarantined, with the reason. They are counted, but their prices are never used. */
export const quarantineColumns: readonly DescribedColumn[] = [
  column("source_path", "VARCHAR", "Raw file"),
  column("issue_id", "VARCHAR", "Issue, if known"),
  column("row_ordinal", "INTEGER", "Position of the row in its issue, or else in its file"),
  column("reject_reason", "VARCHAR", "Reason code, such as `implausible_price`"),
  column("detail", "VARCHAR", "What was received and what was expected"),
  column("raw", "VARCHAR", "The row with the publisher's own names and values, as JSON", {json: true}),
];
