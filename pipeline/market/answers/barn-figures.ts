import type {Database} from "../../../lib/sql/duckdb.ts";
import {inferredSchedule} from "./bounds.ts";

/** Figures of a venue from the reports of this build. */
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
 * Sales, receipts and classes of every venue with a report, by venue id. The median is over the receipts of the last 12
 * sales that state them, in whole head (half away from zero).
 */
export async function readBarnFigures(db: Database, asOf: string): Promise<Map<string, BarnFigures>> {
  const rows = await db.rows<BarnFigures>(
    `
    WITH issues AS (
      SELECT venue_id, report_end_date AS day, issue_id, report_slug, source_id, ingested_at, last_verified_at
      FROM report_issues WHERE current AND venue_id IS NOT NULL
    ), sold AS (
      SELECT venue_id, list_sort(list(DISTINCT class)) AS classes FROM price_rows
      WHERE venue_id IS NOT NULL AND class IS NOT NULL
        AND report_end_date >= $asOf::DATE - INTERVAL 365 DAY GROUP BY venue_id
    ), receipts AS (
      SELECT venue_id, floor(median(receipts) + 0.5)::INTEGER AS median_receipts FROM (
        SELECT venue_id, receipts, row_number() OVER (PARTITION BY venue_id ORDER BY sale_date DESC, issue_id) AS n
        FROM sale_events WHERE receipts IS NOT NULL) WHERE n <= 12 GROUP BY venue_id
    ), figures AS (
      SELECT venue_id, min(day) AS first_sale, max(day) AS last_sale,
        count(DISTINCT day) FILTER (day >= $asOf::DATE - INTERVAL 365 DAY)::INTEGER AS reports_365,
        list_sort(list(DISTINCT report_slug)) AS slugs,
        list_sort(list(DISTINCT source_id)) AS source_ids,
        strftime(max(ingested_at), '%Y-%m-%dT%H:%M:%SZ') AS ingested_at,
        strftime(max(last_verified_at), '%Y-%m-%dT%H:%M:%SZ') AS last_verified_at
      FROM issues GROUP BY venue_id
    ), days AS (
      SELECT venue_id, list_slice(list_reverse_sort(list(DISTINCT day::VARCHAR)), 1, ${inferredSchedule.last}) AS last_sales
      FROM issues GROUP BY venue_id
    ), latest AS (
      SELECT venue_id, list_sort(list(DISTINCT issue_id)) AS issue_ids FROM issues
      JOIN figures USING (venue_id) WHERE day = last_sale GROUP BY venue_id
    )
    SELECT f.*, l.issue_ids, d.last_sales, coalesce(s.classes, []) AS classes, r.median_receipts
    FROM figures AS f JOIN latest AS l USING (venue_id) JOIN days AS d USING (venue_id) LEFT JOIN sold AS s USING (venue_id)
      LEFT JOIN receipts AS r USING (venue_id)
    ORDER BY venue_id`,
    {asOf},
  );
  return new Map(rows.map((row) => [row.venue_id, row]));
}
