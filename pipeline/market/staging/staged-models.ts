import {issueColumns, rawNumberColumns, wordColumns} from "@open-cattle/usda-reports";
import {model} from "../../../lib/models/model.ts";
import {reportListColumns} from "../../../schemas/sale-event.ts";
import {textsSql} from "./row-keys.ts";

/** Names as one text; the type of a word of it is any of them. */
const joined = <Name extends string>(names: readonly Name[]) => names.join(" ") as Name;

/** The files whose rows are staged; `partial_detail` says what a file lacks that has fewer rows than it states. */
export const raw_files = model({
  name: "raw_files",
  columns: {
    INTEGER: "file_no",
    VARCHAR: "path source_id partial_detail",
    TIMESTAMP: "retrieved_at verified_at",
    BOOLEAN: "is_export",
  },
  materialise: "table",
});

/** The publisher's list of reports, which has titles and markets but no prices. */
export const report_list = model({name: "report_list", columns: reportListColumns, materialise: "table"});

/** The headers of report issues, as read. */
export const raw_headers = model({
  name: "raw_headers",
  columns: {
    INTEGER: "file_no",
    VARCHAR: "slug report_title published final_ind shrink slide narrative office",
    "VARCHAR[]": "notices",
    DATE: "report_begin_date report_end_date last_reported_date",
    BOOLEAN: "is_correction no_sale",
    "MAP(VARCHAR, DOUBLE)": "receipts receipts_prior receipts_year_ago",
  },
  materialise: "table",
});

/** Columns that a row keeps beside its keys. */
const rowColumns = {
  INTEGER: "file_no",
  DOUBLE: joined(rawNumberColumns),
  VARCHAR: "reject_reason reject_detail",
} as const;

/** Rows that TypeScript read, with their texts, on the way to `staged_rows`. */
export const row_batch = model({
  name: "row_batch",
  columns: {
    ...rowColumns,
    VARCHAR: `${joined(issueColumns)} ${joined(wordColumns)} ${rowColumns.VARCHAR}`,
  },
  materialise: "table",
});

/**
 * The rows of all files as read. They share few word combinations and few issues, so both are stored as keys, and the texts only in rows
 * whose key is new.
 */
export const staged_rows = model({
  name: "staged_rows",
  columns: {BIGINT: "word_key issue_key", "VARCHAR[]": "texts", ...rowColumns},
  materialise: "table",
});

/**
 * Files whose rows say something else than they seem to. Old exports put the lot's actual weight range into the weight-break columns: that
 * is assumed of an export that has no other range and whose "breaks" are mostly no 50-lb bins.
 */
const amended_files = model({
  name: "amended_files",
  reads: [raw_files, staged_rows],
  columns: {INTEGER: "file_no", VARCHAR: "partial_detail", BOOLEAN: "breaks_are_ranges"},
  sql: () => `
    SELECT file_no, partial_detail, coalesce(breaks_are_ranges, false) AS breaks_are_ranges
    FROM raw_files LEFT JOIN (
      SELECT file_no, count(avg_weight_min) = 0 AND
        count(*) FILTER (weight_break_high - weight_break_low <> 50 OR weight_break_low % 50 <> 0) > 0.5 * count(weight_break_low) AS breaks_are_ranges
      FROM staged_rows GROUP BY file_no) USING (file_no)
    WHERE is_export AND (breaks_are_ranges OR partial_detail IS NOT NULL)`,
});

/**
 * The rows as read: their numbers, and the keys of their words and their issue. The row number is the `rowid`, because numbering rows
 * while reading them would serialise the threads.
 */
export const raw_rows = model({
  name: "raw_rows",
  reads: [staged_rows, amended_files],
  columns: {BIGINT: "row_no word_key issue_key", ...rowColumns},
  materialise: "view",
  sql: () => `SELECT s.rowid AS row_no, s.* EXCLUDE (texts) REPLACE (
      CASE WHEN a.breaks_are_ranges THEN s.weight_break_low ELSE s.avg_weight_min END AS avg_weight_min,
      CASE WHEN a.breaks_are_ranges THEN s.weight_break_high ELSE s.avg_weight_max END AS avg_weight_max,
      CASE WHEN a.breaks_are_ranges THEN NULL ELSE s.weight_break_low END AS weight_break_low,
      CASE WHEN a.breaks_are_ranges THEN NULL ELSE s.weight_break_high END AS weight_break_high,
      CASE WHEN a.partial_detail IS NOT NULL THEN 'partial_issue' ELSE s.reject_reason END AS reject_reason,
      coalesce(a.partial_detail, s.reject_detail) AS reject_detail)
    FROM staged_rows AS s LEFT JOIN amended_files AS a ON a.file_no = s.file_no`,
});

/** The word combinations of the rows. */
export const raw_words = model({
  name: "raw_words",
  reads: [staged_rows],
  columns: {BIGINT: "word_key", VARCHAR: joined(wordColumns)},
  materialise: "view",
  sql: () => `SELECT DISTINCT word_key, ${textsSql(wordColumns)} FROM staged_rows WHERE texts IS NOT NULL`,
});

/** The issue texts of the rows. */
export const raw_issues = model({
  name: "raw_issues",
  reads: [staged_rows],
  columns: {INTEGER: "file_no", BIGINT: "issue_key", VARCHAR: joined(issueColumns)},
  materialise: "view",
  sql: () =>
    `SELECT DISTINCT file_no, issue_key, ${textsSql(issueColumns)} FROM staged_rows WHERE texts IS NOT NULL`,
});
