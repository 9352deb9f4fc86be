import type {Database} from "../../../lib/sql/duckdb.ts";
import {rounded} from "../../../schemas/market-fields/field.ts";
import {aggregateSql} from "./aggregates.ts";
import {widenedWindowDays} from "./bounds.ts";
import {earlierSql} from "./drafts.ts";
import {servableIssue, tradeMarket} from "./sold-issues.ts";

/** SQL of the market of an earlier row of the latest prices, which its key begins with. */
export const earlierMarket = "split_part(record_key, '|', 1)";

const values = ["price_avg", "price_low", "price_high", "head_count"];
const valuesOf = (side: string) =>
  `{${values.map((name) => `'${name}': ${side}.${name}::DOUBLE`).join(", ")}}`;

/** SQL of the latest sales of which the build before told: the rows of venues and trades, and the cells of official summaries. */
const told = (previousDir: string | null) => `
  SELECT ${earlierMarket} AS market, report_end_date, cell_id, row_number() OVER (PARTITION BY market, cell_id ORDER BY row_ordinal) AS n, ${values.join(", ")}
  FROM (${earlierSql("latest_prices", previousDir)}) WHERE change_status <> 'withdrawn'
  UNION ALL SELECT report_slug, week_end_date, cell_id, 1, ${values.join(", ")}
  FROM (${earlierSql("state_prices", previousDir)}) WHERE change_status <> 'withdrawn' AND price_basis = 'official_state_summary'`;

const summaries = aggregateSql(
  ["report_slug", "report_end_date"],
  "report_scope = 'state_summary' AND (report_slug, report_end_date) IN (SELECT (market, report_end_date) FROM was)",
);

/** SQL of the same sales as their files tell them now. */
const tellsNow = `
  SELECT market, report_end_date, cell_id, row_number() OVER (PARTITION BY market, cell_id ORDER BY issue_id, row_ordinal) AS n,
    price_avg, coalesce(price_min, price_avg) AS price_low, coalesce(price_max, price_avg) AS price_high, head_count
  FROM cell_rows JOIN (SELECT *, ${tradeMarket} AS market FROM current_issues WHERE ${servableIssue}) USING (issue_no) JOIN cells USING (cell_no)
  SEMI JOIN was USING (market, report_end_date)
  UNION ALL SELECT report_slug, report_end_date, cell_id, 1, ${["price", "low", "high"].map((price) => rounded(price, 2)).join(", ")}, head FROM (${summaries})`;

/**
 * Makes `corrected_sales`: of venues, trades and official summaries with a later sale than the build before had, the rows of that build's
 * sale which its report now tells otherwise, by cell. A sale that no file tells of any more was not corrected.
 */
export async function makeCorrectedSales(db: Database, previousDir: string | null): Promise<void> {
  const market = `CASE WHEN report_scope = 'state_summary' THEN report_slug ELSE ${tradeMarket} END`;
  await db.run(`CREATE OR REPLACE TEMP TABLE corrected_sales AS
    WITH newest AS (
      SELECT ${market} AS market, max(report_end_date) AS newest_date FROM current_issues GROUP BY 1
    ), was AS (
      SELECT * EXCLUDE (newest_date) FROM (${told(previousDir)}) JOIN newest USING (market) WHERE report_end_date < newest_date
    ), now AS (
      ${tellsNow}
    ), changed AS (
      SELECT market, report_end_date, cell_id, list(struct_insert(${valuesOf("now")}, previous := CASE WHEN was.price_avg IS NOT NULL THEN ${valuesOf("was")} END) ORDER BY n) AS rows
      FROM was FULL JOIN now USING (market, report_end_date, cell_id, n)
      WHERE ${valuesOf("was")} IS DISTINCT FROM ${valuesOf("now")} AND (market, report_end_date) IN (SELECT (market, report_end_date) FROM now) GROUP BY ALL
    )
    SELECT *, count(*) OVER (PARTITION BY market) AS cells_revised FROM changed`);
}

/** SQL of drafts of an area with what was corrected in the last 28 days' sales of their own cell before a later one came. */
export function withCorrections(drafts: string, markets: "markets" | "venue_ids"): string {
  return `SELECT *, corrected_sale IS NOT NULL AS sale_revised FROM (
    SELECT d.*, (
      SELECT CASE WHEN count(*) > 0 THEN to_json({'report_end_date': max(report_end_date), 'cells_revised': sum(cells_revised)::INTEGER, 'rows': flatten(list(rows ORDER BY market))})::VARCHAR END
      FROM corrected_sales AS c WHERE c.cell_id = d.cell_id AND list_contains(d.${markets}, market)
        AND date_diff('day', report_end_date, getvariable('as_of')) <= ${widenedWindowDays}
    ) AS corrected_sale FROM (${drafts}) AS d)`;
}
