import {inferredSchedule} from "../../../lib/market/pricing-rules.ts";
import {asOfSql, build_facts} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {report_issues} from "../normalise/issue-versions.ts";
import {price_rows} from "../normalise/market-rows.ts";
import {sale_events} from "../normalise/sale-events.ts";
import {instantText} from "./aggregates.ts";

/** What the reports of this build say about a venue. */
export type BarnFigures = {
  venue_id: string;
  first_sale: string | null;
  last_sale: string | null;
  reports_365: number;
  median_receipts: number | null;
  classes: string[];
  slugs: string[];
  /** Days of the last 8 sales, newest first. */
  last_sales: string[];
  issue_ids: string[];
  source_ids: string[];
  ingested_at: string | null;
  last_verified_at: string | null;
};

/**
 * Held sales, receipts and classes of every venue with a report. The median is over the last 12 sales with stated receipts,
 * rounded half away from zero to whole head.
 */
export const barn_figures = model({
  name: "barn_figures",
  reads: [report_issues, sale_events, build_facts, price_rows],
  columns: {
    VARCHAR: "venue_id ingested_at last_verified_at",
    DATE: "first_sale last_sale",
    INTEGER: "reports_365 median_receipts",
    "VARCHAR[]": "classes slugs last_sales issue_ids source_ids",
  },
  sql: () => `
    WITH issues AS (
      SELECT *, report_end_date AS day, max(report_end_date) OVER (PARTITION BY venue_id) AS last_day
      FROM report_issues WHERE current AND venue_id IS NOT NULL
        AND issue_id IN (SELECT issue_id FROM sale_events WHERE sale_status = 'held')
    ), sold AS (
      SELECT venue_id, list_sort(list(DISTINCT class)) AS classes FROM price_rows
      WHERE venue_id IS NOT NULL AND class IS NOT NULL
        AND report_end_date >= ${asOfSql} - INTERVAL 365 DAY GROUP BY venue_id
    ), receipts AS (
      SELECT venue_id, floor(median(receipts) + 0.5)::INTEGER AS median_receipts FROM (
        SELECT venue_id, receipts, row_number() OVER (PARTITION BY venue_id ORDER BY sale_date DESC, issue_id) AS n
        FROM sale_events WHERE receipts IS NOT NULL) WHERE n <= 12 GROUP BY venue_id
    )
    SELECT venue_id, min(day) AS first_sale, max(day) AS last_sale,
      count(DISTINCT day) FILTER (day >= ${asOfSql} - INTERVAL 365 DAY)::INTEGER AS reports_365,
      any_value(median_receipts) AS median_receipts, coalesce(any_value(classes), []) AS classes,
      list_sort(list(DISTINCT report_slug)) AS slugs,
      list_slice(list_reverse_sort(list(DISTINCT day::VARCHAR)), 1, ${inferredSchedule.last}) AS last_sales,
      list_sort(list(DISTINCT issue_id) FILTER (day = last_day)) AS issue_ids, list_sort(list(DISTINCT source_id)) AS source_ids,
      ${instantText("max(ingested_at) FILTER (day = last_day)")} AS ingested_at, ${instantText("max(last_verified_at)")} AS last_verified_at
    FROM issues LEFT JOIN sold USING (venue_id) LEFT JOIN receipts USING (venue_id) GROUP BY venue_id ORDER BY venue_id`,
});
