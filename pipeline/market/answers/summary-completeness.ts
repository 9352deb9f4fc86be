import {outranking, summaryReceipts, windowDays} from "../../../lib/market/pricing-rules.ts";
import {asOfSql, build_facts} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {cells} from "../normalise/cell-rows.ts";
import {issue_versions} from "../normalise/issue-versions.ts";
import {sale_events, summary_events} from "../normalise/sale-events.ts";
import {aggregateSql, sale_cells} from "./aggregates.ts";
import {current_issues, venueSale} from "./sold-issues.ts";

/**
 * Each state's latest summary of the last 14 days. Of several report numbers the one with the most receipts in these days is the state's,
 * whichever day its week ends on. Virginia has one of its auctions and a smaller one of its board sales: different cattle, never added.
 */
export const latest_summaries = model({
  name: "latest_summaries",
  reads: [current_issues],
  columns: {VARCHAR: "state report_slug issue_id", DATE: "report_begin_date report_end_date"},
  sql: () => `
  WITH summaries AS (
    SELECT *, max(event_receipts) OVER (PARTITION BY state, report_slug) AS most_receipts FROM current_issues
    WHERE report_scope = 'state_summary' AND state IS NOT NULL AND age <= ${windowDays}
  )
  SELECT DISTINCT ON (state) state, report_slug, issue_id, report_begin_date, report_end_date FROM summaries
  ORDER BY state, most_receipts DESC NULLS LAST, week_end_date DESC, report_slug, report_end_date DESC, report_begin_date`,
});

/** SQL: the commodities of a map of receipts, or null alone, which stands for all of them. */
const commodities =
  "CASE WHEN cardinality(receipts_by_commodity) = 0 THEN [NULL] ELSE map_keys(receipts_by_commodity) END";

/** SQL: the known sales of the summaries' states and periods, by commodity of the summary. */
const knownSales = `
  SELECT s.issue_id, s.commodity, v.venue_id, v.venue_name, e.sale_date, coalesce(e.sale_date > s.printed_on, false) AS is_late,
    CASE WHEN s.commodity IS NULL THEN e.receipts ELSE coalesce(e.receipts_by_commodity[s.commodity], e.head_by_commodity[s.commodity]) END AS head
  FROM stated AS s JOIN sale_events AS e ON e.state = s.state AND e.sale_date BETWEEN s.report_begin_date AND s.report_end_date
    JOIN (SELECT issue_id, venue_id, venue_name FROM issue_versions WHERE current AND ${venueSale}) AS v ON v.issue_id = e.issue_id`;

/**
 * Whether the latest summaries hold their whole period (`docs/design/market.md` section 5), by commodity where they state receipts by
 * commodity, else under a null one: the receipts that a summary states, those of the sales that are known, and the sales that it lacks.
 * None for a summary without stated receipts, or where nothing is known to compare it with.
 */
export const summary_completeness = model({
  name: "summary_completeness",
  reads: [latest_summaries, summary_events, sale_events, issue_versions],
  columns: {VARCHAR: "issue_id commodity completeness"},
  sql: () => `
  WITH summaries AS (
    SELECT s.state, s.issue_id, s.report_begin_date, s.report_end_date, printed_on, receipts, receipts_by_commodity, unnest(${commodities}) AS commodity
    FROM latest_summaries AS s JOIN summary_events AS e ON e.issue_id = s.issue_id
      LEFT JOIN (SELECT issue_id, max(issue_published_at)::DATE AS printed_on FROM issue_versions WHERE current GROUP BY issue_id) AS p ON p.issue_id = s.issue_id
  ), stated AS (
    SELECT *, CASE WHEN commodity IS NULL THEN receipts ELSE receipts_by_commodity[commodity] END AS stated FROM summaries
  ), known AS (
    SELECT issue_id, commodity, sum(head)::INTEGER AS known, bool_or(is_late) AS has_late,
      list({'venue_id': venue_id, 'venue_name': venue_name, 'sale_date': sale_date, 'receipts': head} ORDER BY head DESC, venue_id, sale_date) AS sales,
      coalesce(list({'venue_id': venue_id, 'venue_name': venue_name, 'sale_date': sale_date, 'receipts': head} ORDER BY head DESC, venue_id, sale_date) FILTER (is_late), []) AS late
    FROM (${knownSales}) WHERE head > 0 GROUP BY ALL
  ), judged AS (
    SELECT s.issue_id, s.commodity, printed_on, stated, coalesce(known, 0) AS known, sales, late,
      CASE WHEN known > stated + greatest(${summaryReceipts.head}, ${summaryReceipts.share} * stated) THEN 'incomplete'
        WHEN has_late OR printed_on < report_end_date - 1 THEN 'printed_before_week_end'
        WHEN known IS NOT NULL THEN 'no_sale_known_missing' END AS status
    FROM stated AS s LEFT JOIN known AS k ON k.issue_id = s.issue_id AND k.commodity IS NOT DISTINCT FROM s.commodity WHERE stated IS NOT NULL
  )
  SELECT issue_id, commodity, to_json({'status': status, 'commodity': commodity, 'printed_on': printed_on, 'stated_receipts': stated, 'known_receipts': known,
    'missing_sales': CASE WHEN len(late) > 0 THEN late WHEN status = 'incomplete' THEN sales ELSE [] END})::VARCHAR AS completeness
  FROM judged WHERE status IS NOT NULL`,
});

/** SQL: the sales of venues after the latest summary of their state, as issues. */
const newerIssues = `(SELECT i.* FROM current_issues AS i JOIN latest_summaries AS s ON i.state = s.state AND i.report_end_date > s.report_end_date WHERE ${venueSale})`;

/** What the venues of a state sold after the period of its latest summary, by cell. */
export const newer_sales = model({
  name: "newer_sales",
  reads: [sale_cells, cells, current_issues, latest_summaries],
  columns: {
    VARCHAR: "state commodity cell_id",
    DATE: "first_date last_date",
    INTEGER: "venues head",
    DOUBLE: "price",
    BOOLEAN: "thin",
  },
  sql: () =>
    `SELECT state, commodity, cell_id, first_date, last_date, venues, head, price, thin FROM (${aggregateSql(["state"], "true", {issues: newerIssues})})`,
});

/** The commodities of a state whose latest summary is so old, and whose newer sales are so many, that the roll-up of these comes first. */
export const outranked_summaries = model({
  name: "outranked_summaries",
  reads: [sale_cells, cells, current_issues, latest_summaries, build_facts],
  columns: {VARCHAR: "state commodity", DATE: "report_end_date"},
  sql: () => `
  SELECT state, commodity, any_value(s.report_end_date) AS report_end_date FROM ${newerIssues} AS i JOIN sale_cells USING (issue_no) JOIN cells USING (cell_no)
    JOIN latest_summaries AS s USING (state)
  WHERE date_diff('day', s.report_end_date, ${asOfSql}) >= ${outranking.days}
  GROUP BY state, commodity HAVING count(DISTINCT venue_id) >= ${outranking.venues} OR sum(heads) >= ${outranking.head}`,
});
