import {recencyPercentSql, thinHead, thinPairs} from "../../../lib/market/price-confidence.ts";
import {widenedWindowDays, windowDays} from "../../../lib/market/pricing-rules.ts";
import {model} from "../../../lib/models/model.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {cellColumns} from "../normalise/cell-rows.ts";
import {cell_rows} from "./price-cells.ts";
import {inComparisons, sold_issues} from "./sold-issues.ts";

const countedRows = "FILTER (usable AND NOT outlier)";

/** SQL over the pooled sums: the weighted mean. */
export const pooledMean = `CASE WHEN price_unit = 'per_cwt' THEN pound_cents::DOUBLE / (pounds * 100)::DOUBLE
        ELSE head_cents::DOUBLE / (heads * 100)::DOUBLE END`;
const pooledWeight = "(CASE WHEN price_unit = 'per_cwt' THEN pounds ELSE heads END)::DOUBLE";
const averageWeight = "pounds::DOUBLE / weighed_heads::DOUBLE";

/** SQL: true for fewer head (or pairs) than a cell needs not to be thin. */
export function isThin(heads: string): string {
  return `${heads} < CASE WHEN price_unit = 'per_pair' THEN ${thinPairs} ELSE ${thinHead} END`;
}

/** SQL: the sums that make a mean, over rows that meet the condition; all are integers. */
export function pooledSums(condition: string): string {
  const only = `FILTER (${condition})`;
  return `sum(h * w) ${only} AS pounds, sum(h) ${only} AS heads,
        sum(h * w * cents) ${only} AS pound_cents, sum(h * cents) ${only} AS head_cents`;
}

/** SQL: totals over sums made by `pooledSums`. */
export const summedSums =
  "sum(pounds) AS pounds, sum(heads) AS heads, sum(pound_cents) AS pound_cents, sum(head_cents) AS head_cents";

/** SQL: the sums of each cell in each issue, over rows of `cell_rows`. */
export function saleCellsSql(from: string): string {
  return `SELECT issue_no, cell_no, ${pooledSums("usable AND NOT outlier")},
      sum(h) FILTER (usable AND NOT outlier AND w IS NOT NULL) AS weighed_heads,
      count(*) ${countedRows} AS row_count, count(*) FILTER (NOT usable) AS rows_excluded,
      count(*) FILTER (usable AND NOT outlier AND w_imputed) AS weight_imputed_rows,
      coalesce(bool_or(weight_spans_bins) ${countedRows}, false) AS weight_spans_bins,
      coalesce(bool_or(weight_estimated) ${countedRows}, false) AS weight_estimated,
      min(coalesce(price_min, price_avg)) ${countedRows} AS low, max(coalesce(price_max, price_avg)) ${countedRows} AS high
    FROM ${from} GROUP BY issue_no, cell_no`;
}

/** The sums from which every venue, county and state figure is computed. */
export const sale_cells = model({
  name: "sale_cells",
  reads: [cell_rows, sold_issues],
  columns: {
    INTEGER: "issue_no cell_no",
    HUGEINT: "pounds heads pound_cents head_cents weighed_heads",
    BIGINT: "row_count rows_excluded weight_imputed_rows",
    BOOLEAN: "weight_spans_bins weight_estimated",
    "DECIMAL(9,2)": "low high",
  },
  sql: () =>
    saleCellsSql(
      `(SELECT * FROM cell_rows SEMI JOIN (SELECT issue_no FROM sold_issues WHERE ${inComparisons}) USING (issue_no))`,
    ),
});

/** SQL: only price, head, weight and thinness per key and cell, with the facts of the cell; same rule as `aggregateSql`. */
export function salePricesSql(keys: readonly string[], where: string, issues = "current_issues"): string {
  const keyList = keys.join(", ");
  return `
    SELECT *, ${pooledMean} AS price, ${pooledWeight} AS pooled_weight, heads::INTEGER AS head, ${averageWeight} AS avg_weight, ${isThin("heads")} AS thin
    FROM (SELECT ${keyList}, cell_no, ${summedSums}, sum(weighed_heads) AS weighed_heads, sum(row_count) AS pens
      FROM sale_cells JOIN ${issues} USING (issue_no) WHERE ${where} GROUP BY ${keyList}, cell_no) JOIN cells USING (cell_no)
    WHERE heads > 0`;
}

/**
 * SQL of the tables to pool: `issues` has the keys, `saleCells` the sums of each cell in each issue, `cells` the facts of a
 * cell.
 */
export type Pool = {readonly issues?: string; readonly saleCells?: string; readonly cells?: string};

/** SQL: an instant as ISO text in UTC. */
export const instantText = (instant: string) => `strftime(${instant}, '%Y-%m-%dT%H:%M:%SZ')`;
const latest = (column: string) => `${instantText(`max(${column})`)} AS ${column}`;

/** Lists beside a figure, and the column of its issues whose sorted distinct values each has; null counts as a value. */
const issueLists = {
  venue_ids: "venue_id",
  issue_ids: "issue_id",
  report_slugs: "report_slug",
  source_ids: "source_id",
  systems: "system",
  programs: "report_program",
  statuses: "issue_status",
  published: "published_at_source",
};
const listsSql = Object.entries(issueLists).map(
  ([list, column]) =>
    `CASE WHEN count(*) > count(${column}) THEN [NULL] ELSE [] END || list_sort(list_distinct(list(${column}))) AS ${list}`,
);

/**
 * SQL: the pooled figures per key and cell, over issues that meet the condition. Sums run over integers (head, pounds, cents),
 * so they are exact in any order, and each mean is one division at the end. Prices per cwt are weighted by pounds, prices per
 * head or pair by head or pairs; outliers and rows without head or weight are excluded. Issue columns are aggregated once per
 * distinct set of issues, because the cells of a county share few sets.
 */
export function aggregateSql(
  keys: readonly string[],
  where: string,
  {issues = "current_issues", saleCells = "sale_cells", cells = "cells"}: Pool = {},
): string {
  const keyList = keys.map((key) => `${key}, `).join("");
  return `
    WITH counted_issues AS (
      SELECT * FROM ${issues} WHERE ${where}
    ), pooled AS (
      SELECT ${keyList}cell_no, ${summedSums}, sum(weighed_heads) AS weighed_heads, sum(heads * ${recencyPercentSql("age")}) AS head_recency,
        sum(row_count) AS row_count, sum(rows_excluded) AS rows_excluded, sum(weight_imputed_rows) AS weight_imputed_rows,
        bool_or(weight_spans_bins) AS weight_spans_bins, min(low) AS low, max(high) AS high,
        bool_or(weight_estimated) OR sum(weight_imputed_rows) > 0 AS any_estimated_weight, list_sort(list(issue_no) FILTER (row_count > 0)) AS issue_nos
      FROM ${saleCells} SEMI JOIN ${cells} USING (cell_no) JOIN counted_issues USING (issue_no) GROUP BY ${keyList}cell_no
    ), issue_sets AS (
      SELECT issue_nos, min(report_end_date) AS first_date, max(report_end_date) AS last_date,
        coalesce(bool_or(issue_status = 'preliminary'), false) AS any_preliminary, ${listsSql.join(", ")},
        ${latest("ingested_at")}, ${latest("last_verified_at")}
      FROM (SELECT issue_nos, unnest(issue_nos) AS issue_no FROM (SELECT DISTINCT issue_nos FROM pooled)) JOIN counted_issues USING (issue_no)
      GROUP BY issue_nos
    ), figures AS (
      SELECT * FROM pooled JOIN ${cells} USING (cell_no) LEFT JOIN issue_sets USING (issue_nos)
    ), described AS (
      SELECT ${keyList}base_cell, sum(heads) AS described_head FROM figures
      WHERE len(lot_descriptors) > 0 GROUP BY ${keyList}base_cell
    )
    SELECT ${keyList}${cellColumns},
      ${pooledMean} AS price,
      heads::INTEGER AS head, head_recency::INTEGER AS head_recency, row_count::INTEGER AS row_count, rows_excluded::INTEGER AS rows_excluded,
      weight_imputed_rows::INTEGER AS weight_imputed_rows, weight_spans_bins,
      ${averageWeight} AS avg_weight, low::DOUBLE AS low, high::DOUBLE AS high,
      first_date, last_date, len(list_filter(venue_ids, id -> id IS NOT NULL))::INTEGER AS venues,
      CASE WHEN len(lot_descriptors) = 0 THEN coalesce(described_head, 0)::INTEGER END AS described_head,
      ${isThin("heads")} AS thin,
      any_preliminary, any_estimated_weight, ${Object.keys(issueLists).join(", ")}, ingested_at, last_verified_at
    FROM figures LEFT JOIN described USING (${keyList}base_cell)
    WHERE heads > 0`;
}

/**
 * SQL: the pooled figures of the 14-day window per key and cell; of the 28-day window for cells that are thin or absent in the
 * first. `where` is a further condition on the issues.
 */
export function windowsSql(keys: readonly string[], where: string, pool?: Pool): string {
  const within = (days: number) =>
    `SELECT *, ${days} AS window_days, ${days > windowDays} AS window_widened FROM (${aggregateSql(keys, `${where} AND age <= ${days}`, pool)})`;
  return `WITH enough AS (SELECT * FROM (${within(windowDays)}) WHERE NOT thin)
    SELECT * FROM enough
    UNION ALL SELECT * FROM (${within(widenedWindowDays)}) ANTI JOIN enough USING (${[...keys, "cell_id"].join(", ")})`;
}

/**
 * Streams the rows of a query as plain objects, in order, one chunk in memory at a time. Each row travels as one JSON text: for
 * rows with dozens of columns and lists, several times faster than value by value. Doubles keep all digits and dates are ISO
 * texts; cast instants in the query.
 */
export async function* streamRowsAsJson<Row>(db: Database, sql: string): AsyncGenerator<Row> {
  const {batches} = await db.stream(`SELECT to_json(wide)::VARCHAR FROM (${sql}) AS wide`);
  for await (const rows of batches) for (const [text] of rows) yield JSON.parse(text as string) as Row;
}
