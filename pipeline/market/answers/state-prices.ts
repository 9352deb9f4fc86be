import {widenedWindowDays, windowDays} from "../../../lib/market/pricing-rules.ts";
import {asOfSql, build_facts} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {money, rounded} from "../../../schemas/market-fields/market-field.ts";
import {cell_keys, cells, rejectedForNumbers} from "../normalise/cell-rows.ts";
import {checked_rows} from "../normalise/checked-rows.ts";
import {report_titles} from "../normalise/issue-versions.ts";
import {summary_events} from "../normalise/sale-events.ts";
import {aggregateSql, sale_cells} from "./aggregates.ts";
import {cell_changes} from "./changes.ts";
import {corrected_sales, withCorrections} from "./corrected-sales.ts";
import {
  comparisonModels,
  draftColumnsOf,
  draftsSql,
  missingFromArea,
  recordColumnsOf,
  recordsSql,
  tombstoneModels,
  tombstonesSql,
} from "./drafts.ts";
import {previous_state_prices} from "./previous-build.ts";
import {current_issues, rollupIssues, rollupMarket, state_weeks, venueSale} from "./sold-issues.ts";
import {
  latest_summaries,
  newer_sales,
  outranked_summaries,
  summary_completeness,
} from "./summary-completeness.ts";
import {venues_known} from "./venue-places.ts";

const ids = "'ps-' || state || '-' || cell_id AS evidence_id";
const key = "concat_ws('|', state, cell_id, price_basis) AS record_key";

/** SQL condition: whole weeks that may hold a sale of the window. */
const servedWeek = `week_end_date >= ${asOfSql} - ${widenedWindowDays}`;

/** SQL: the receipts of a state's venues by week, over all commodities: null unless all of them are known. */
const weekReceipts = `SELECT state, week_end_date, sum(event_receipts)::INTEGER AS receipts_known,
    CASE WHEN count(*) = count(event_receipts) THEN receipts_known END AS receipts
  FROM current_issues WHERE ${venueSale} GROUP BY ALL`;

/** SQL: the commodities of which a state's latest summary has cells. */
const summarised = `SELECT state, commodity FROM latest_summaries AS s JOIN (SELECT issue_no, issue_id FROM current_issues) USING (issue_id)
  JOIN sale_cells USING (issue_no) JOIN (SELECT cell_no, commodity FROM cells) USING (cell_no)`;

/** SQL condition: a roll-up `r` of a commodity that no summary of the state has, or one that outranks the summary: newer, and not thin. */
const comesFirst = `(state, commodity) NOT IN (${summarised})
  OR NOT thin AND EXISTS (FROM outranked_summaries AS s WHERE s.state = r.state AND s.commodity = r.commodity AND r.week_end_date > s.report_end_date)`;

/**
 * SQL: roll-ups of commodities that no summary of the state has, and of cells with newer sales that outrank it: one week per state; a cell
 * without a sale in it uses its newest earlier week. Else, of a commodity of the summary, a cell that it does not name was not reported.
 */
const rollups = `SELECT *, 'derived_rollup' AS price_basis, ${ids}, ${key}, [${rollupMarket}] AS markets, week_end_date AS market_date,
    CASE WHEN window_widened THEN ${widenedWindowDays} ELSE 7 END AS window_days
  FROM (SELECT *, week_end_date - 6 AS week_begin_date, week_end_date < chosen_end OR NOT in_window AS window_widened
    FROM (${aggregateSql(["state", "week_end_date", "chosen_end", "in_window"], servedWeek, {issues: rollupIssues})})
    QUALIFY week_end_date = max(week_end_date) OVER (PARTITION BY state, cell_id)) AS r
  LEFT JOIN venues_known USING (state) LEFT JOIN (${weekReceipts}) USING (state, week_end_date)
  WHERE date_diff('day', last_date, ${asOfSql}) <= ${widenedWindowDays} AND (${comesFirst})`;

/** SQL: our own roll-ups over the periods of the summaries, for checking only. */
const checks = aggregateSql(["state", "report_slug"], "true", {
  issues: `(SELECT i.* REPLACE (s.report_slug AS report_slug) FROM current_issues AS i JOIN latest_summaries AS s
    ON i.state = s.state AND i.report_end_date BETWEEN s.report_begin_date AND s.report_end_date WHERE ${venueSale})`,
});

/** SQL: the cells of each issue in which a row was rejected for its numbers. */
const refused = `SELECT DISTINCT issue_id, cell_id, true AS rows_refused FROM checked_rows AS c
  JOIN cell_keys AS k ON k.words_no = c.words_no AND k.bin_low IS NOT DISTINCT FROM c.weight_bin_low_lb
  JOIN current_issues USING (issue_no) WHERE reject_reason IN (${rejectedForNumbers})`;

const latestOfState = `report_scope = 'state_summary' AND (state, report_slug, report_end_date) IN (SELECT (state, report_slug, report_end_date) FROM latest_summaries)`;

/** SQL: a price in JSON, as records have it. */
const priceText = (price: string) => money.text(rounded(price, 2));

/** SQL: the sales `n` after the period of a summary. */
const newerText = `concat('{"first_date":"', n.first_date, '","last_date":"', n.last_date, '","venues":', n.venues, ',"head_count":', n.head,
  ',"price_avg":', ${priceText("n.price")}, '}')`;

/** SQL: the cells of the latest summaries. An older summary never fills a gap in the latest one. */
const official = `SELECT *, ${ids}, ${key} FROM (
  SELECT o.* EXCLUDE (venues, report_begin_date, report_end_date) REPLACE (report_begin_date AS first_date), 'official_state_summary' AS price_basis,
    report_begin_date AS week_begin_date, o.last_date AS week_end_date, receipts, receipts AS receipts_known, receipts_prior, receipts_year_ago,
    [report_slug] AS markets, o.last_date AS market_date, rows_refused, reporter_words, completeness,
    CASE WHEN NOT n.thin THEN ${newerText} END AS newer_sales,
    (o.state, o.commodity) IN (SELECT (state, commodity) FROM newer_sales) AS newer_known,
    to_json({'price': c.price, 'head': c.head, 'thin': c.thin, 'issue_ids': c.issue_ids})::VARCHAR AS rollup
  FROM (${aggregateSql(["state", "report_slug", "report_begin_date", "report_end_date"], latestOfState)}) AS o
    LEFT JOIN (${checks}) AS c USING (state, report_slug, cell_id)
    LEFT JOIN (${refused}) AS f ON f.issue_id = o.issue_ids[1] AND f.cell_id = o.cell_id
    LEFT JOIN (SELECT issue_id, receipts, receipts_prior, receipts_year_ago, reporter AS reporter_words FROM summary_events) AS e ON e.issue_id = o.issue_ids[1]
    LEFT JOIN summary_completeness AS w ON w.issue_id = o.issue_ids[1] AND coalesce(w.commodity, o.commodity) = o.commodity
    LEFT JOIN newer_sales AS n ON n.state = o.state AND n.cell_id = o.cell_id
  ) LEFT JOIN venues_known USING (state)`;

/** The figures of the latest official summaries. */
const official_figures = model({
  name: "official_figures",
  reads: [
    sale_cells,
    cells,
    current_issues,
    latest_summaries,
    summary_completeness,
    newer_sales,
    checked_rows,
    cell_keys,
    summary_events,
    venues_known,
    corrected_sales,
    build_facts,
  ],
  columns: draftColumnsOf("state"),
  sql: () => draftsSql("state", withCorrections(official, "markets")),
});

/** Roll-ups of the venues of a state, where no official summary stands before them. */
const rollup_figures = model({
  name: "rollup_figures",
  reads: [
    sale_cells,
    cells,
    current_issues,
    state_weeks,
    latest_summaries,
    outranked_summaries,
    venues_known,
    corrected_sales,
    build_facts,
  ],
  columns: draftColumnsOf("state"),
  sql: () => draftsSql("state", withCorrections(rollups, "venue_ids")),
});

/** SQL: the figure of an official summary `o` beside the roll-up that outranks it. */
const officialText = `concat('{"report_slug":"', o.report_slug, '","issue_id":"', o.issue_ids[1], '","week_begin_date":"', o.week_begin_date,
  '","week_end_date":"', o.week_end_date, '","price_avg":', ${priceText("o.price")}, ',"head_count":', o.head, '}')`;

/**
 * One draft per (state, cell): the official summary's figure if the state has a summary of the commodity of the last 14 days that newer sales do not
 * outrank, else a pounds-weighted roll-up of one week of its venues. Never both: one population per number.
 */
export const state_figures = model({
  name: "state_figures",
  reads: [official_figures, rollup_figures],
  columns: draftColumnsOf("state"),
  sql: () => `SELECT r.* REPLACE (CASE WHEN o.cell_id IS NOT NULL THEN ${officialText} END AS official)
    FROM rollup_figures AS r LEFT JOIN official_figures AS o ON o.state = r.state AND o.cell_id = r.cell_id
    UNION ALL FROM official_figures ANTI JOIN rollup_figures USING (state, cell_id)`,
});

/** Figures of the previous build that their source has withdrawn. */
export const state_tombstones = model({
  name: "state_tombstones",
  reads: [previous_state_prices, state_figures, state_weeks, ...tombstoneModels, build_facts],
  columns: draftColumnsOf("state"),
  sql: () =>
    tombstonesSql("state", {
      days: `greatest(coalesce(window_days, 0), ${windowDays})`,
      where: `${missingFromArea("state_figures", "state")} AND NOT EXISTS (FROM state_weeks AS w WHERE w.state = e.state AND w.week_end_date < e.week_end_date)`,
      more: `${ids}, venues_known`,
    }),
});

/** Figures and tombstones. */
export const state_drafts = model({
  name: "state_drafts",
  reads: [state_figures, state_tombstones],
  columns: draftColumnsOf("state"),
  materialise: "view",
  sql: () => "FROM state_figures UNION ALL FROM state_tombstones",
});

/** The price of each cell in each state, as it is served. */
export const state_prices = model({
  name: "state_prices",
  reads: [state_drafts, previous_state_prices, ...comparisonModels, cell_changes, report_titles, build_facts],
  columns: recordColumnsOf("state"),
  materialise: "table",
  sql: () => recordsSql("state"),
});
