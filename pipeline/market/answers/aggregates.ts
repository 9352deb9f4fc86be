import type {Database} from "../../../lib/sql/duckdb.ts";
import {thinHead, thinPairs, widenedWindowDays, windowDays} from "./bounds.ts";
import {cellColumns} from "./cells.ts";
import {servedIssue} from "./sold-issues.ts";

/** The members that define a cell; they are equal in every row of it. */
export type CellFacts = {
  cell_id: string;
  commodity: string;
  class: string;
  frame: string | null;
  muscle_grade: string | null;
  quality_grade: string | null;
  dressing: string | null;
  age_class: string | null;
  pregnancy_stage: string | null;
  weight_bin: string | null;
  lot_descriptors: string[];
  price_unit: "per_cwt" | "per_head" | "per_pair";
  headline: boolean;
};

/** A pooled price of one cell in one area, venue or report, unrounded; `price` is null when no row could be averaged. */
export type Aggregate = CellFacts & {
  price: number | null;
  /** Pounds for `per_cwt`, else head or pairs: what a matched change is weighted by. */
  pooled_weight: number;
  head: number | null;
  row_count: number;
  rows_excluded: number;
  weight_imputed_rows: number;
  weight_spans_bins: boolean;
  avg_weight: number | null;
  low: number | null;
  high: number | null;
  first_date: string;
  last_date: string;
  venues: number;
  venue_ids: string[];
  described_head: number | null;
  thin: boolean;
  any_preliminary: boolean;
  any_estimated_weight: boolean;
  issue_ids: string[];
  report_slugs: string[];
  source_ids: string[];
  systems: string[];
  programs: string[];
  statuses: string[];
  published: string[];
  ingested_at: string | null;
  last_verified_at: string | null;
};

const good = "FILTER (usable AND NOT outlier)";

/** SQL over the pooled sums: the mean; its weight, and whether the cell is thin. */
export const pooledMean = `CASE WHEN price_unit = 'per_cwt' THEN pound_cents::DOUBLE / (pounds * 100)::DOUBLE
        ELSE head_cents::DOUBLE / (heads * 100)::DOUBLE END`;
const pooledWeight = "(CASE WHEN price_unit = 'per_cwt' THEN pounds ELSE heads END)::DOUBLE";
const isThin = `heads < CASE WHEN price_unit = 'per_pair' THEN ${thinPairs} ELSE ${thinHead} END`;
const averageWeight = "pounds::DOUBLE / weighed_heads::DOUBLE";

/** SQL of the sums that a mean is made of, over the rows for which a condition holds; all are whole numbers. */
export function pooledSums(condition: string): string {
  const only = `FILTER (${condition})`;
  return `sum(h * w) ${only} AS pounds, sum(h) ${only} AS heads,
        sum(h * w * cents) ${only} AS pound_cents, sum(h * cents) ${only} AS head_cents`;
}

/** SQL of the sums of sums that were made by `pooledSums`. */
export const summedSums =
  "sum(pounds) AS pounds, sum(heads) AS heads, sum(pound_cents) AS pound_cents, sum(head_cents) AS head_cents";

/** SQL of the sums of each cell in each issue, over rows of `cell_rows`. */
export function saleCellsSql(from: string): string {
  return `SELECT issue_no, cell_no, ${pooledSums("usable AND NOT outlier")},
      sum(h) FILTER (usable AND NOT outlier AND w IS NOT NULL) AS weighed_heads,
      count(*) ${good} AS row_count, count(*) FILTER (NOT usable) AS rows_excluded,
      count(*) FILTER (usable AND NOT outlier AND w_imputed) AS weight_imputed_rows,
      coalesce(bool_or(weight_spans_bins) ${good}, false) AS weight_spans_bins,
      coalesce(bool_or(weight_estimated) ${good}, false) AS weight_estimated,
      min(coalesce(price_min, price_avg)) ${good} AS low, max(coalesce(price_max, price_avg)) ${good} AS high
    FROM ${from} GROUP BY issue_no, cell_no`;
}

/** Makes `sale_cells`: of these sums every figure of a venue, a county and a state is made. */
export async function makeSaleCells(db: Database): Promise<void> {
  const served = `(SELECT * FROM cell_rows SEMI JOIN (SELECT issue_no FROM sold_issues WHERE ${servedIssue}) USING (issue_no))`;
  await db.run(`CREATE OR REPLACE TEMP TABLE sale_cells AS ${saleCellsSql(served)}`);
}

/** SQL of prices, heads, weights and thinness alone per key and cell, by the same rule as `aggregateSql`. */
export function salePricesSql(keys: readonly string[], where: string): string {
  const keyList = keys.join(", ");
  return `
    SELECT ${keyList}, cell_id, ${pooledMean} AS price, ${pooledWeight} AS pooled_weight, heads::INTEGER AS head, ${averageWeight} AS avg_weight,
      ${isThin} AS thin
    FROM (SELECT ${keyList}, cell_id, price_unit, ${summedSums}, sum(weighed_heads) AS weighed_heads
      FROM sale_cells JOIN current_issues USING (issue_no) JOIN cells USING (cell_no) WHERE ${where} GROUP BY ${keyList}, cell_id, price_unit)
    WHERE heads > 0`;
}

/** SQL of the tables that are pooled: `issues` has the keys, `saleCells` the sums of each cell in each issue, `cells` the facts of a cell. */
export type Pool = {readonly issues?: string; readonly saleCells?: string; readonly cells?: string};

/** SQL: of issues with a row that counts. */
const counted = "FILTER (row_count > 0)";

/** SQL of the distinct values of issues with a row that counts, sorted; a null among them is one of them. */
function distinct(column: string): string {
  return `CASE WHEN count(*) ${counted} > count(${column}) ${counted} THEN [NULL] ELSE [] END || list_sort(list_distinct(list(${column}) ${counted}))`;
}
const latest = (column: string) => `strftime(max(${column}) ${counted}, '%Y-%m-%dT%H:%M:%SZ')`;

/**
 * SQL of the pooled figures per key and cell, over the issues for which a condition holds. Sums run over integers (head, pounds,
 * cents), so they are exact and the same in any order; each mean is one division at the end. Dollars per cwt are weighted by pounds,
 * dollars per head or pair by head or pairs; outliers and rows without head or weight are left out.
 */
export function aggregateSql(
  keys: readonly string[],
  where: string,
  {issues = "current_issues", saleCells = "sale_cells", cells = "cells"}: Pool = {},
): string {
  const keyList = keys.map((key) => `${key}, `).join("");
  return `
    WITH pooled AS (
      SELECT ${keyList}cell_no, ${summedSums}, sum(weighed_heads) AS weighed_heads,
        sum(row_count) AS row_count, sum(rows_excluded) AS rows_excluded, sum(weight_imputed_rows) AS weight_imputed_rows,
        bool_or(weight_spans_bins) AS weight_spans_bins, min(low) AS low, max(high) AS high,
        min(report_end_date) ${counted} AS first_date, max(report_end_date) ${counted} AS last_date,
        coalesce(bool_or(issue_status = 'preliminary') ${counted}, false) AS any_preliminary,
        bool_or(weight_estimated) AS any_estimated_weight,
        ${distinct("venue_id")} AS venue_ids, ${distinct("issue_id")} AS issue_ids, ${distinct("report_slug")} AS report_slugs,
        ${distinct("source_id")} AS source_ids, ${distinct("system")} AS systems,
        ${distinct("report_program")} AS programs, ${distinct("issue_status")} AS statuses,
        ${distinct("published_at_source")} AS published,
        ${latest("ingested_at")} AS ingested_at, ${latest("last_verified_at")} AS last_verified_at
      FROM ${saleCells} SEMI JOIN ${cells} USING (cell_no) JOIN (SELECT * FROM ${issues} WHERE ${where}) USING (issue_no) GROUP BY ${keyList}cell_no
    ), told AS (
      SELECT * FROM pooled JOIN ${cells} USING (cell_no)
    ), described AS (
      SELECT ${keyList}base_cell, sum(heads) AS described_head FROM told
      WHERE len(lot_descriptors) > 0 GROUP BY ${keyList}base_cell
    )
    SELECT ${keyList}${cellColumns},
      ${pooledMean} AS price, ${pooledWeight} AS pooled_weight,
      heads::INTEGER AS head, row_count::INTEGER AS row_count, rows_excluded::INTEGER AS rows_excluded,
      weight_imputed_rows::INTEGER AS weight_imputed_rows, weight_spans_bins,
      ${averageWeight} AS avg_weight, low::DOUBLE AS low, high::DOUBLE AS high,
      first_date, last_date, len(list_filter(venue_ids, id -> id IS NOT NULL))::INTEGER AS venues,
      CASE WHEN len(lot_descriptors) = 0 THEN coalesce(described_head, 0)::INTEGER END AS described_head,
      ${isThin} AS thin,
      any_preliminary, any_estimated_weight, venue_ids, issue_ids, report_slugs, source_ids, systems, programs, statuses,
      published, ingested_at, last_verified_at
    FROM told LEFT JOIN described USING (${keyList}base_cell)
    WHERE heads > 0
    ORDER BY ${keyList}cell_id`;
}

/** The pooled figures per key and cell, in the order of the keys and the cell. */
export async function aggregate<Key extends string>(
  db: Database,
  keys: readonly Key[],
  where: string,
  pool?: Pool,
): Promise<(Aggregate & Record<Key, string>)[]> {
  return wideRows<Aggregate & Record<Key, string>>(db, aggregateSql(keys, where, pool));
}

/**
 * The pooled figures of the window of 14 days per key and cell, and for cells that are thin or absent there those of the
 * window of 28 days (`widened`), in the order of the keys and the cell. `where` is a further condition on the issues.
 */
export async function aggregateWindows<Key extends string>(
  db: Database,
  keys: readonly Key[],
  where: string,
  pool?: Pool,
): Promise<{row: Aggregate & Record<Key, string>; widened: boolean}[]> {
  const within = (days: number) => aggregateSql(keys, `${where} AND age <= ${days}`, pool);
  const id = [...keys, "cell_id"].join(", ");
  const rows = await wideRows<Aggregate & Record<Key, string> & {widened: boolean}>(
    db,
    `WITH enough AS (SELECT * FROM (${within(windowDays)}) WHERE NOT thin)
    SELECT *, false AS widened FROM enough
    UNION ALL SELECT *, true FROM (${within(widenedWindowDays)}) ANTI JOIN enough USING (${id})
    ORDER BY ${id}`,
  );
  return rows.map(({widened, ...row}) => ({
    row: row as unknown as Aggregate & Record<Key, string>,
    widened,
  }));
}

/** US dollars per head at an average weight; null but for prices per cwt. */
export function valuePerHead(row: Pick<Aggregate, "price" | "price_unit" | "avg_weight">): number | null {
  if (row.price_unit !== "per_cwt" || row.price === null || row.avg_weight === null) return null;
  return (row.price * row.avg_weight) / 100;
}

/** The weight of a mean of prices of this unit. */
export function weightingOf(unit: Aggregate["price_unit"]): "pounds" | "head" | "pairs" {
  if (unit === "per_cwt") return "pounds";
  return unit === "per_head" ? "head" : "pairs";
}

/**
 * Rows of a query as plain objects, by way of one JSON text for each row: for rows with dozens of columns and lists
 * several times faster than value by value. Doubles keep all their digits and dates are ISO texts; DECIMAL columns and
 * instants are to be cast in the query. The order of the query is kept.
 */
export async function wideRows<Row>(db: Database, sql: string): Promise<Row[]> {
  const reader = await db.connection.runAndReadAll(`SELECT to_json(wide)::VARCHAR FROM (${sql}) AS wide`);
  const [texts = []] = reader.getColumns();
  return texts.map((text) => JSON.parse(text as string) as Row);
}
