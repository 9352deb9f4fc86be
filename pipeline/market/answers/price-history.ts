import type {Database} from "../../../lib/sql/duckdb.ts";
import {pooledMean, pooledSums} from "./aggregates.ts";
import {outlier} from "./bounds.ts";
import {cellRowsSql} from "./cells.ts";

/** SQL: the Saturday of a row's week. A summary's week is its own period, which its last day names. */
const saturday = "report_end_date + (6 - dayofweek(report_end_date))::INTEGER";
const week = `CASE WHEN report_scope = 'state_summary' THEN report_end_date ELSE ${saturday} END`;

/**
 * Makes `price_history`: the price of every cell in every county and state, week by week, for all weeks that were read. A
 * week's price is made as the records of `county_prices` and `state_prices` are (`docs/design/market.md` section 3): the same
 * rows, weights and rounding, with the outliers of the 28 days up to its Saturday left out. Needs `venue_counties`.
 */
export async function makePriceHistory(db: Database, asOf: string): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE history_rows AS
    SELECT report_scope, report_slug, report_end_date, ${week} AS week_end_date, state, venue_id, cell_id, commodity, class,
      weight_bin, price_unit, h, w, cents, false AS outlier
    FROM (${cellRowsSql("price_rows", "all ages")})
    WHERE usable AND ((report_scope = 'venue' AND report_program = 'voluntary') OR report_scope = 'state_summary')`,
    {asOf},
  );
  await flagWeeklyOutliers(db);
  await db.run(`CREATE OR REPLACE TABLE price_history AS
    ${areaWeeks({type: "county", area: "county_fips", basis: "observed_in_county"})}
    UNION ALL ${areaWeeks({type: "state", area: "state", basis: "derived_rollup"})}
    UNION ALL ${areaWeeks({type: "state", area: "state", basis: "official_state_summary"})};
    DROP TABLE history_rows`);
}

/** V7, for every week against the rows of its state and cell in the 28 days up to its Saturday. */
async function flagWeeklyOutliers(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE week_medians AS
    WITH judged AS (
      SELECT state, cell_id, cents,
        unnest(list_transform(range(${Math.floor(outlier.days / 7) + 1}), n -> week_end_date + (7 * n)::INTEGER)) AS week_end_date,
        report_end_date
      FROM history_rows WHERE report_scope = 'venue' AND state IS NOT NULL
    ), candidates AS (
      SELECT state, cell_id, week_end_date, cents FROM judged
      WHERE date_diff('day', report_end_date, week_end_date) <= ${outlier.days}
    ), medians AS (
      SELECT state, cell_id, week_end_date, median(cents) AS middle FROM candidates
      GROUP BY ALL HAVING count(*) >= ${outlier.minRows}
    )
    SELECT state, cell_id, week_end_date, middle, median(abs(cents - middle)) AS mad
    FROM candidates JOIN medians USING (state, cell_id, week_end_date) GROUP BY ALL HAVING mad > 0;
    UPDATE history_rows SET outlier = true FROM week_medians AS m
    WHERE history_rows.state = m.state AND history_rows.cell_id = m.cell_id
      AND history_rows.week_end_date = m.week_end_date AND report_scope = 'venue'
      AND abs(0.6745 * (cents - middle) / mad) > ${outlier.z} AND abs(cents - middle) > ${outlier.share} * middle;
    DROP TABLE week_medians`);
}

type Area = {type: "county" | "state"; area: "county_fips" | "state"; basis: string};

/** SQL: the weeks of one kind of area and population. */
function areaWeeks({type, area, basis}: Area): string {
  const official = basis === "official_state_summary";
  const rows = area === "county_fips" ? "history_rows JOIN venue_counties USING (venue_id)" : "history_rows";
  return `
    SELECT '${type}' AS area_type, area, '${basis}' AS price_basis, report_slug, cell_id, commodity, class, weight_bin,
      price_unit, week_end_date, ${rounded("price")} AS price_avg, price AS price_avg_unrounded, heads::INTEGER AS head_count,
      venues AS venues_reporting, row_count AS rows
    FROM (
      SELECT *, ${pooledMean} AS price FROM (
        SELECT ${area} AS area, ${official ? "report_slug" : "NULL::VARCHAR AS report_slug"}, cell_id, commodity, class, weight_bin,
          price_unit, week_end_date, ${pooledSums("NOT outlier")},
          ${official ? "NULL::INTEGER" : "count(DISTINCT venue_id)::INTEGER"} AS venues, count(*)::INTEGER AS row_count
        FROM ${rows} WHERE report_scope = '${official ? "state_summary" : "venue"}' AND ${area} IS NOT NULL AND NOT outlier
        GROUP BY ALL)
      WHERE heads > 0)`;
}

/** SQL: a double to two decimals, half away from zero on its shortest decimal form (V21). */
function rounded(value: string): string {
  return `round(${value}::VARCHAR::DECIMAL(38, 17), 2)::DECIMAL(9, 2)`;
}
