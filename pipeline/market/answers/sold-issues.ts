import type {Database} from "../../../lib/sql/duckdb.ts";
import {saleDateSql} from "../normalise/market-rows.ts";
import {latestMaxAgeDays, servedDays, yearBefore} from "./bounds.ts";

/** SQL of the receipts by issue version, of current and of replaced ones. */
const receipts = `SELECT issue_id, issue_version, max(receipts) AS event_receipts FROM (
    SELECT issue_id, issue_version, receipts FROM (
      SELECT issue_id, receipts FROM sale_events UNION ALL SELECT issue_id, receipts FROM summary_events)
    JOIN (SELECT issue_id, issue_version FROM report_issues WHERE current) USING (issue_id)
    UNION ALL SELECT issue_id, issue_version, receipts FROM replaced_events)
  GROUP BY ALL`;

/**
 * Makes `sold_issues`: what the rows of each issue version have in common, with its age on `asOf` and its receipts; versions
 * without an accepted row are left out. What is asked of the current ones alone is asked of the view `current_issues`.
 */
export async function makeSoldIssues(db: Database, asOf: string): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE sold_issues AS
    SELECT v.issue_no, v.current, issue_id, report_program, source_id, system, report_slug, report_scope, issue_status,
      report_begin_date, report_end_date, ${saleDateSql}, published_at_source, venue_id, state, ingested_at, last_verified_at,
      date_diff('day', report_end_date, $asOf::DATE)::INTEGER AS age, event_receipts
    FROM issue_versions AS v LEFT JOIN (${receipts}) USING (issue_id, issue_version)
    WHERE v.merged_into = v.issue_no AND v.rows_accepted > 0`,
    {asOf},
  );
  await db.run(
    "CREATE OR REPLACE TEMP VIEW current_issues AS SELECT * EXCLUDE (current) FROM sold_issues WHERE current",
  );
}

/** SQL condition: issues that are served or compared with. */
export const servedIssue = `(age <= ${servedDays.to} OR age BETWEEN ${yearBefore.from} AND ${yearBefore.to})`;

/** SQL condition: issues of venues that may stand in an answer at all, by age. */
export const servableVenueIssue = `report_scope IN ('venue', 'video_internet') AND venue_id IS NOT NULL
  AND age <= ${latestMaxAgeDays}`;
