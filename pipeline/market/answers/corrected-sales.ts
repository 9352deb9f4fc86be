import {widenedWindowDays} from "../../../lib/market/pricing-rules.ts";
import {asOfSql} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {rounded} from "../../../schemas/market-fields/market-field.ts";
import {PreviousValues} from "../../../schemas/market-fields/structures.ts";
import {cells} from "../normalise/cell-rows.ts";
import {aggregateSql, sale_cells} from "./aggregates.ts";
import {previous_latest_prices, previous_state_prices} from "./previous-build.ts";
import {cell_rows} from "./price-cells.ts";
import {current_issues, inLatestPrices} from "./sold-issues.ts";

/** SQL: the market of a previous row of the latest prices, the first part of its key. */
export const previousMarket = "split_part(record_key, '|', 1)";

const values = Object.keys(PreviousValues.shape);
const valuesOf = (side: string) =>
  `{${values.map((name) => `'${name}': ${side}.${name}::DOUBLE`).join(", ")}}`;

/** SQL: the latest sales in the previous build: rows of venues and trades, and cells of official summaries. */
const previousSales = `
  SELECT ${previousMarket} AS market, report_end_date, cell_id, row_number() OVER (PARTITION BY market, cell_id ORDER BY row_ordinal) AS n, ${values.join(", ")}
  FROM previous_latest_prices WHERE change_status <> 'withdrawn'
  UNION ALL SELECT report_slug, week_end_date, cell_id, 1, ${values.join(", ")}
  FROM previous_state_prices WHERE change_status <> 'withdrawn' AND price_basis = 'official_state_summary'`;

const summaries = aggregateSql(
  ["market", "report_end_date"],
  "report_scope = 'state_summary' AND (market, report_end_date) IN (SELECT (market, report_end_date) FROM before)",
);

/** SQL: the same sales as the files of this build report them. */
const currentSales = `
  SELECT market, report_end_date, cell_id, row_number() OVER (PARTITION BY market, cell_id ORDER BY issue_id, row_ordinal) AS n,
    price_avg, coalesce(price_min, price_avg) AS price_low, coalesce(price_max, price_avg) AS price_high, head_count
  FROM cell_rows JOIN (FROM current_issues WHERE ${inLatestPrices}) USING (issue_no) JOIN cells USING (cell_no)
  SEMI JOIN before USING (market, report_end_date)
  UNION ALL SELECT market, report_end_date, cell_id, 1, ${["price", "low", "high"].map((price) => rounded(price, 2)).join(", ")}, head FROM (${summaries})`;

/**
 * Where a venue, trade or official summary now has a later sale than the previous build: by cell, the rows of the previously latest
 * sale that its report has changed since. A sale that no file reports any more was not corrected.
 */
export const corrected_sales = model({
  name: "corrected_sales",
  reads: [previous_latest_prices, previous_state_prices, current_issues, cell_rows, cells, sale_cells],
  columns: {
    VARCHAR: "market cell_id",
    DATE: "report_end_date",
    BIGINT: "cells_revised",
    "STRUCT(price_avg DOUBLE, price_low DOUBLE, price_high DOUBLE, head_count DOUBLE, previous STRUCT(price_avg DOUBLE, price_low DOUBLE, price_high DOUBLE, head_count DOUBLE))[]":
      "rows",
  },
  sql: () => `
    WITH newest AS (
      SELECT market, max(report_end_date) AS newest_date FROM current_issues GROUP BY market
    ), before AS (
      SELECT * EXCLUDE (newest_date) FROM (${previousSales}) JOIN newest USING (market) WHERE report_end_date < newest_date
    ), now AS (
      ${currentSales}
    ), changed AS (
      SELECT market, report_end_date, cell_id, list(struct_insert(${valuesOf("now")}, previous := CASE WHEN before.price_avg IS NOT NULL THEN ${valuesOf("before")} END) ORDER BY n) AS rows
      FROM before FULL JOIN now USING (market, report_end_date, cell_id, n)
      WHERE ${valuesOf("before")} IS DISTINCT FROM ${valuesOf("now")} AND (market, report_end_date) IN (SELECT (market, report_end_date) FROM now) GROUP BY ALL
    )
    SELECT *, count(*) OVER (PARTITION BY market) AS cells_revised FROM changed`,
});

/** SQL: drafts of an area with the corrections of their cell in sales of the last 28 days that a later sale followed. */
export function withCorrections(drafts: string, markets: "markets" | "venue_ids"): string {
  return `SELECT d.*, (
      SELECT CASE WHEN count(*) > 0 THEN to_json({'report_end_date': max(report_end_date), 'cells_revised': sum(cells_revised)::INTEGER, 'rows': flatten(list(rows ORDER BY market))})::VARCHAR END
      FROM corrected_sales AS c WHERE c.cell_id = d.cell_id AND list_contains(d.${markets}, market)
        AND date_diff('day', report_end_date, ${asOfSql}) <= ${widenedWindowDays}
    ) AS corrected_sale FROM (${drafts}) AS d`;
}
