import {latestMaxAgeDays, servedDays, windowDays, yearBefore} from "../../../lib/market/pricing-rules.ts";
import {asOfSql, build_facts} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {issue_versions, report_issues} from "../normalise/issue-versions.ts";
import {saleDateSql} from "../normalise/market-rows.ts";
import {replaced_events, sale_events, summary_events} from "../normalise/sale-events.ts";

/** SQL: the Saturday that ends an issue's USDA week. */
export const saturdaySql = "(report_end_date + (6 - dayofweek(report_end_date))::INTEGER)";

/**
 * SQL: the market of an issue, at which it is compared with earlier ones: its venue, or its report for state summaries, video
 * and direct trades.
 */
export const marketSql = `CASE WHEN report_scope = 'venue' THEN venue_id
  WHEN report_scope IN ('state_summary', 'video_internet', 'direct') THEN report_slug END`;

/** SQL: the receipts of each issue version, current or replaced. */
const receipts = `SELECT issue_id, issue_version, max(receipts) AS event_receipts FROM (
    SELECT issue_id, issue_version, receipts FROM (
      SELECT issue_id, receipts FROM sale_events UNION ALL SELECT issue_id, receipts FROM summary_events)
    JOIN (SELECT issue_id, issue_version FROM report_issues WHERE current) USING (issue_id)
    UNION ALL SELECT issue_id, issue_version, receipts FROM replaced_events)
  GROUP BY ALL`;

/** SQL condition: sales that county and state prices are made of. */
export const venueSale = "report_scope = 'venue' AND report_program = 'voluntary'";

/**
 * What the rows of an issue version share, with its market, the Saturday of its week, its age on the as-of date and its receipts;
 * versions without accepted rows are excluded.
 */
export const sold_issues = model({
  name: "sold_issues",
  reads: [issue_versions, report_issues, sale_events, summary_events, replaced_events, build_facts],
  columns: {
    INTEGER: "issue_no age event_receipts report_no",
    BOOLEAN: "current",
    VARCHAR:
      "issue_id report_program source_id system report_slug report_scope issue_status market published_at_source venue_id venue_name state shrink slide",
    DATE: "report_begin_date report_end_date week_end_date sale_date",
    TIMESTAMP: "ingested_at last_verified_at",
  },
  sql: () => `SELECT v.issue_no, v.current, issue_id, report_program, source_id, system, report_slug, report_scope, issue_status,
      ${marketSql} AS market, report_begin_date, report_end_date, ${saturdaySql} AS week_end_date, ${saleDateSql}, published_at_source, venue_id, venue_name, state, shrink, slide, ingested_at, last_verified_at,
      date_diff('day', report_end_date, ${asOfSql})::INTEGER AS age, event_receipts,
      dense_rank() OVER (ORDER BY report_program, report_slug)::INTEGER AS report_no
    FROM issue_versions AS v LEFT JOIN (${receipts}) USING (issue_id, issue_version)
    WHERE v.merged_into = v.issue_no AND v.rows_accepted > 0`,
});

/** The issues that are in force. */
export const current_issues = model({
  name: "current_issues",
  reads: [sold_issues],
  columns: {
    INTEGER: "issue_no age event_receipts report_no",
    VARCHAR:
      "issue_id report_program source_id system report_slug report_scope issue_status market published_at_source venue_id venue_name state shrink slide",
    DATE: "report_begin_date report_end_date week_end_date sale_date",
    TIMESTAMP: "ingested_at last_verified_at",
  },
  materialise: "view",
  sql: ({sold_issues}) => `SELECT * EXCLUDE (current) FROM ${sold_issues} WHERE current`,
});

/**
 * The USDA week (Sunday to Saturday) of each state's roll-up, by its Saturday: the newest week with a sale if it has ended
 * or every venue of the week before has sold again, else the week before. `in_window` is true if its last sale is at most 14
 * days old.
 */
export const state_weeks = model({
  name: "state_weeks",
  reads: [current_issues, build_facts],
  columns: {VARCHAR: "state", DATE: "week_end_date", BOOLEAN: "in_window"},
  sql: () => `WITH sold AS (
    SELECT state, week_end_date, coalesce(venue_id, report_slug) AS venue, min(age) AS age FROM current_issues WHERE ${venueSale} AND state IS NOT NULL GROUP BY ALL
  ), newest AS (
    SELECT state, max(week_end_date) AS newest_end FROM sold GROUP BY state
  ), missing AS (
    SELECT DISTINCT state FROM newest JOIN sold USING (state) WHERE sold.week_end_date = newest_end - 7
      AND (state, newest_end, venue) NOT IN (SELECT (state, week_end_date, venue) FROM sold)
  ), chosen AS (
    SELECT state, newest_end - CASE WHEN newest_end >= ${asOfSql} AND state IN (FROM missing) THEN 7 ELSE 0 END AS week_end_date FROM newest
  )
  SELECT state, week_end_date, min(age) <= ${windowDays} AS in_window FROM chosen JOIN sold USING (state, week_end_date) GROUP BY ALL`,
});

/** SQL: the issues for roll-ups, by `state` and `week_end_date`: those of a state's week and of earlier weeks. */
export const rollupIssues = `(SELECT i.*, w.week_end_date AS chosen_end, in_window FROM current_issues AS i JOIN state_weeks AS w USING (state)
  WHERE ${venueSale} AND i.week_end_date <= w.week_end_date)`;

/** SQL: the market name of a state's roll-up, by which it is compared with its earlier weeks. */
export const rollupMarket = "'state ' || state";

/** SQL condition: issues that are served or compared with. */
export const inComparisons = `(age <= ${servedDays.to} OR age BETWEEN ${yearBefore.from} AND ${yearBefore.to})`;

/** SQL condition: issues that may appear in the latest prices: sales of venues, video and direct trades, by age. */
export const inLatestPrices = `market IS NOT NULL AND report_scope <> 'state_summary' AND age <= ${latestMaxAgeDays}`;
