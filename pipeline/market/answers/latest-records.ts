import {latestMaxAgeDays} from "../../../lib/market/pricing-rules.ts";
import {build_facts} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {cells} from "../normalise/cell-rows.ts";
import {report_titles} from "../normalise/issue-versions.ts";
import {termsSql} from "../normalise/market-rows.ts";
import {sale_events, summary_events} from "../normalise/sale-events.ts";
import {isThin} from "./aggregates.ts";
import {cell_changes} from "./changes.ts";
import {corrected_sales, previousMarket} from "./corrected-sales.ts";
import {
  comparisonModels,
  draftColumnsOf,
  draftsSql,
  recordColumnsOf,
  recordsSql,
  tombstoneModels,
  tombstonesSql,
} from "./drafts.ts";
import {previous_latest_prices} from "./previous-build.ts";
import {cell_rows} from "./price-cells.ts";
import {issueEvents, issueOfSale, joinedPlaces, placeOfSale, unheldDays} from "./sale-facts.ts";
import {current_issues, inLatestPrices} from "./sold-issues.ts";
import {venue_places} from "./venue-places.ts";

/** Tombstones are numbered from here; no sale has so many rows. */
const withdrawnOrdinals = 100_000;

/**
 * SQL: all rows, outliers included, of the latest sale of the last 60 days of each venue and report number with its receipts (Monday's
 * feeders stay when Wednesday's cows are reported), and of the latest issue of each video and direct report. Those trades have no town or county: their place is the printed region. `row_ordinal`
 * numbers the rows of a market from 1, so that two reports share no number.
 */
const reported = `
  WITH latest AS (
    FROM current_issues WHERE ${inLatestPrices}
    QUALIFY report_end_date = max(report_end_date) OVER (PARTITION BY market, report_slug)
  ), sold AS (
    SELECT * REPLACE (row_number() OVER (PARTITION BY market ORDER BY issue_id, row_ordinal)::INTEGER AS row_ordinal),
      report_end_date < max(report_end_date) OVER (PARTITION BY market) AS is_earlier
    FROM cell_rows JOIN latest USING (issue_no) JOIN cells USING (cell_no)
  ), corrections AS (
    SELECT market, s.cell_id, any_value(c.report_end_date) AS corrected_date, any_value(cells_revised) AS cells_revised,
      coalesce(any_value(c.rows) FILTER (c.cell_id = s.cell_id), []) AS corrected_rows
    FROM (SELECT DISTINCT market, cell_id FROM sold) AS s JOIN corrected_sales AS c USING (market) GROUP BY market, s.cell_id
  ), events AS (
    ${issueEvents}
  ), unheld AS (
    ${unheldDays("(SELECT *, NULL::DATE AS next_date FROM latest)")}
  )
  SELECT sold.* EXCLUDE (state, venue_name, shrink, slide, ingested_at, last_verified_at), receipts, head_reported, special_sale_name, reporter_words, unheld_days,
    CASE WHEN cardinality(receipts_by_commodity) = 0 THEN receipts ELSE receipts_by_commodity[commodity] END AS commodity_receipts,
    CASE WHEN cardinality(receipts_by_commodity) = 0 THEN head_reported ELSE head_by_commodity[commodity] END AS commodity_head,
    concat_ws('-', 'lp', market, cell_id, CASE WHEN is_earlier THEN report_end_date END) AS evidence_id,
    concat_ws('|', market, report_slug, cell_id, row_number() OVER (PARTITION BY market, report_slug, cell_id ORDER BY sold.row_ordinal)) AS record_key,
    'reported' AS price_basis, ${placeOfSale("sold")}, ${termsSql.join(", ")},
    price_avg::DOUBLE AS price, coalesce(price_min, price_avg)::DOUBLE AS low, coalesce(price_max, price_avg)::DOUBLE AS high,
    head_count AS head, CASE WHEN NOT head_excluded THEN head_count END AS counted_head, coalesce(${isThin("counted_head")}, false) AS thin,
    avg_weight_lb::DOUBLE AS avg_weight, 1 AS row_count, (NOT usable)::INTEGER AS rows_excluded, w_imputed::INTEGER AS weight_imputed_rows,
    1 AS venues, [market] AS markets, report_end_date AS market_date,
    weight_estimated OR w_imputed AS any_estimated_weight, ${issueOfSale},
    CASE WHEN corrected_date IS NOT NULL THEN to_json({'report_end_date': corrected_date, 'cells_revised': cells_revised, 'rows': corrected_rows})::VARCHAR END AS corrected_sale
  FROM sold LEFT JOIN corrections USING (market, cell_id) LEFT JOIN events USING (issue_id) LEFT JOIN unheld USING (issue_id)
    ${joinedPlaces("sold")}`;

/** Previous rows that are gone although their market and report number have no later sale. A later sale replaces all rows of the one before. */
const missed = `record_key NOT IN (SELECT record_key FROM latest_rows)
  AND NOT EXISTS (FROM latest_rows AS d WHERE d.markets[1] = split_part(e.record_key, '|', 1) AND d.report_slugs[1] = split_part(e.record_key, '|', 2) AND d.report_end_date > e.report_end_date)`;

const number = "row_number() OVER (ORDER BY record_key)";

/** Every row of the latest sale of each venue and report number, and of the latest trades, at most 60 days old. */
export const latest_rows = model({
  name: "latest_rows",
  reads: [current_issues, cell_rows, cells, corrected_sales, sale_events, summary_events, venue_places],
  columns: draftColumnsOf("latest"),
  sql: () => draftsSql("latest", reported),
});

/** Rows of the previous build that their source has withdrawn. */
export const latest_tombstones = model({
  name: "latest_tombstones",
  reads: [previous_latest_prices, latest_rows, ...tombstoneModels, build_facts],
  columns: draftColumnsOf("latest"),
  sql: () =>
    tombstonesSql("latest", {
      where: missed,
      days: String(latestMaxAgeDays),
      more: `'lp-' || ${previousMarket} || '-' || cell_id || '-withdrawn-' || ${number} AS evidence_id, report_scope,
    (${withdrawnOrdinals - 1} + ${number})::INTEGER AS row_ordinal`,
    }),
});

/** Rows and tombstones. */
export const latest_drafts = model({
  name: "latest_drafts",
  reads: [latest_rows, latest_tombstones],
  columns: draftColumnsOf("latest"),
  materialise: "view",
  sql: () => "FROM latest_rows UNION ALL FROM latest_tombstones",
});

/** The latest prices, as they are served. */
export const latest_prices = model({
  name: "latest_prices",
  reads: [
    latest_drafts,
    previous_latest_prices,
    ...comparisonModels,
    cell_changes,
    report_titles,
    build_facts,
  ],
  columns: recordColumnsOf("latest"),
  materialise: "table",
  sql: () => recordsSql("latest"),
});
