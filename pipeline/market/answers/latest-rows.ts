import type {Database} from "../../../lib/sql/duckdb.ts";
import {type CellFacts, wideRows} from "./aggregates.ts";
import {servableVenueIssue} from "./sold-issues.ts";

/** One reported row of a venue's latest sale, as read. */
export type LatestRow = CellFacts & {
  venue_id: string;
  state: string | null;
  issue_id: string;
  issue_row: number;
  row_ordinal: number;
  report_slug: string;
  report_program: "voluntary" | "mandatory";
  report_begin_date: string;
  report_end_date: string;
  sale_date: string | null;
  issue_status: "preliminary" | "final" | "unknown";
  published_at_source: string | null;
  source_id: string;
  system: "mymarketnews" | "lmr_datamart";
  age: number;
  price_avg: number | null;
  price_min: number | null;
  price_max: number | null;
  head_count: number | null;
  avg_weight_lb: number | null;
  weight_min_lb: number | null;
  weight_max_lb: number | null;
  weight_spans_bins: boolean;
  w_imputed: boolean;
  usable: boolean;
  outlier: boolean;
  head_excluded: boolean;
  weight_estimated: boolean;
  ingested_at: string | null;
  last_verified_at: string | null;
  receipts: number | null;
  receipts_prior: number | null;
  receipts_year_ago: number | null;
  head_reported: number | null;
  special_sale_name: string | null;
};

/**
 * The rows of every venue's latest accepted sale of the last 60 days, with the receipts of that sale, by venue, cell and
 * weight. `row_ordinal` numbers the rows of the sale from 1: two reports of one sale day do not share a number.
 */
export async function readLatestRows(db: Database): Promise<LatestRow[]> {
  return wideRows<LatestRow>(
    db,
    `
    WITH latest AS (
      SELECT * FROM current_issues WHERE ${servableVenueIssue}
      QUALIFY report_end_date = max(report_end_date) OVER (PARTITION BY venue_id)
    ), rows_of_sale AS (
      SELECT *, row_number() OVER (PARTITION BY venue_id ORDER BY issue_id, row_ordinal)::INTEGER AS sale_ordinal
      FROM cell_rows JOIN latest USING (issue_no) JOIN cells USING (cell_no)
    ), events AS (
      SELECT issue_id, receipts, receipts_prior, receipts_year_ago, head_reported, special_sale_name,
        row_number() OVER (PARTITION BY issue_id ORDER BY sale_date DESC, venue_id) AS n FROM sale_events
    )
    SELECT r.venue_id, r.state, r.issue_id, r.row_ordinal AS issue_row, sale_ordinal AS row_ordinal, report_slug,
      report_program, report_begin_date, report_end_date, sale_date, issue_status, published_at_source, source_id, system,
      age, cell_id, commodity, class, frame, muscle_grade, quality_grade, dressing, age_class, pregnancy_stage, weight_bin,
      lot_descriptors, price_unit, headline, price_avg::DOUBLE AS price_avg, price_min::DOUBLE AS price_min,
      price_max::DOUBLE AS price_max, head_count, avg_weight_lb, weight_min_lb, weight_max_lb,
      coalesce(weight_spans_bins, false) AS weight_spans_bins, w_imputed, usable, outlier, head_excluded, weight_estimated,
      strftime(ingested_at, '%Y-%m-%dT%H:%M:%SZ') AS ingested_at,
      strftime(last_verified_at, '%Y-%m-%dT%H:%M:%SZ') AS last_verified_at,
      receipts, receipts_prior, receipts_year_ago, head_reported, special_sale_name
    FROM rows_of_sale AS r LEFT JOIN events AS e ON e.issue_id = r.issue_id AND e.n = 1
    ORDER BY r.venue_id, cell_id, sale_ordinal`,
  );
}

/** Rows that share a venue and a cell, in order. */
export function groupsOf(rows: readonly LatestRow[]): LatestRow[][] {
  const groups = new Map<string, LatestRow[]>();
  for (const row of rows) {
    const id = `${row.venue_id}|${row.cell_id}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}
