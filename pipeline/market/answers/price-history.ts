import type {Database} from "../../../lib/sql/duckdb.ts";
import {pooledMean, pooledSums, summedSums} from "./aggregates.ts";
import {outlier} from "./bounds.ts";
import {venueSale} from "./sold-issues.ts";

/** SQL: the last day of an issue's week. A summary's week is its own period, which its last day names. */
const week = "CASE WHEN report_scope = 'state_summary' THEN report_end_date ELSE week_end_date END";

/**
 * Makes `price_history`: the price of every cell in every county and state, week by week, for all weeks that were read. A
 * week's price is made as the records of `county_prices` and `state_prices` are (`docs/design/market.md` section 3): the same
 * rows, weights and rounding, with the outliers of the 28 days up to its Saturday left out. Needs `cell_rows` and `venue_counties`.
 */
export async function makePriceHistory(db: Database): Promise<void> {
  await db.run(`${weekIssues}; ${weekMedians}; ${marketWeeks}`);
  await db.run(`CREATE OR REPLACE TABLE price_history AS
    ${areaWeeks({type: "county", basis: "observed_in_county", weeks: countyWeeks})}
    UNION ALL ${areaWeeks({type: "state", basis: "derived_rollup", weeks: stateWeeks})}
    UNION ALL ${areaWeeks({type: "state", basis: "official_state_summary", weeks: officialWeeks})};
    DROP TABLE week_issues; DROP TABLE week_medians; DROP TABLE market_weeks`);
}

/** The issues of history with their week; `market_no` numbers what is pooled together: a venue in a state, or a summary of it. */
const weekIssues = `CREATE OR REPLACE TEMP TABLE week_issues AS
  SELECT issue_no, ${week} AS week_end_date, report_end_date, report_scope, state, venue_id,
    CASE WHEN report_scope = 'state_summary' THEN report_slug END AS report_slug,
    dense_rank() OVER (ORDER BY report_scope, state, venue_id, CASE WHEN report_scope = 'state_summary' THEN report_slug END)::INTEGER AS market_no
  FROM current_issues WHERE (${venueSale}) OR report_scope = 'state_summary'`;

/**
 * V7, for every week against the rows of its state and cell in the 28 days up to its Saturday. Only the few weeks with a price so far
 * off the middle that it may be an outlier need the median of the distances.
 */
const weekMedians = `CREATE OR REPLACE TEMP TABLE week_medians AS
  WITH judged AS (
    SELECT issue_no, state, unnest(list_transform(range((${outlier.days} - date_diff('day', report_end_date, week_end_date)) // 7 + 1),
      n -> week_end_date + (7 * n)::INTEGER)) AS week_end_date
    FROM week_issues WHERE report_scope = 'venue' AND state IS NOT NULL
  ), candidates AS NOT MATERIALIZED (
    SELECT state, cell_no, week_end_date, cents FROM cell_rows JOIN judged USING (issue_no) WHERE usable
  ), medians AS (
    SELECT state, cell_no, week_end_date, median(cents) AS middle FROM candidates GROUP BY ALL
    HAVING count(*) >= ${outlier.minRows} AND greatest(max(cents) - middle, middle - min(cents)) > ${outlier.share} * middle
  )
  SELECT state, cell_no, week_end_date, middle, median(abs(cents - middle)) AS mad
  FROM candidates JOIN medians USING (state, cell_no, week_end_date) GROUP BY ALL HAVING mad > 0`;

/** The sums of each week of a cell at each venue and in each summary: those of counties and states are made of them. */
const marketWeeks = `CREATE OR REPLACE TEMP TABLE market_weeks AS
  WITH summed AS (
    SELECT market_no, cell_no, i.week_end_date, ${pooledSums("true")}, count(*) AS row_count
    FROM cell_rows JOIN week_issues AS i USING (issue_no)
    LEFT JOIN week_medians AS m USING (state, cell_no, week_end_date)
    WHERE usable AND (report_scope <> 'venue' OR NOT coalesce(abs(0.6745 * (cents - middle) / mad) > ${outlier.z} AND abs(cents - middle) > ${outlier.share} * middle, false))
    GROUP BY ALL
  )
  SELECT * FROM summed JOIN (SELECT DISTINCT market_no, report_scope, report_slug, state, venue_id FROM week_issues) USING (market_no)`;

const summed = `${summedSums}, sum(row_count)::INTEGER AS row_count`;

/** SQL of the weeks of venues by county; a venue is in one state, which its id begins with, and so is one market. */
const countyWeeks = `SELECT county_fips AS area, NULL::VARCHAR AS report_slug, cell_no, week_end_date, ${summed}, count(venue_id)::INTEGER AS venues
  FROM market_weeks JOIN venue_counties USING (venue_id) WHERE report_scope = 'venue' AND county_fips IS NOT NULL GROUP BY ALL`;

const stateWeeks = `SELECT state AS area, NULL::VARCHAR AS report_slug, cell_no, week_end_date, ${summed}, count(venue_id)::INTEGER AS venues
  FROM market_weeks WHERE report_scope = 'venue' AND state IS NOT NULL GROUP BY ALL`;

const officialWeeks = `SELECT state AS area, report_slug, cell_no, week_end_date, ${summed}, NULL::INTEGER AS venues
  FROM market_weeks WHERE report_scope = 'state_summary' AND state IS NOT NULL GROUP BY ALL`;

type Area = {type: "county" | "state"; basis: string; weeks: string};

/** SQL: the weeks of one kind of area and population. */
function areaWeeks({type, basis, weeks}: Area): string {
  return `
    SELECT '${type}' AS area_type, area, '${basis}' AS price_basis, report_slug, cell_id, commodity, class, weight_bin, price_unit, week_end_date,
      ${rounded("price")} AS price_avg, price AS price_avg_unrounded, heads::INTEGER AS head_count,
      venues AS venues_reporting, row_count AS rows
    FROM (SELECT *, ${pooledMean} AS price FROM (${weeks}) JOIN cells USING (cell_no) WHERE heads > 0)`;
}

/**
 * SQL: a double to two decimals, half away from zero on its shortest decimal form (V21). That form is only made where the value
 * is near the middle of two cents; elsewhere the nearest cent is the same, and costs a hundredth.
 */
function rounded(value: string): string {
  const cents = `(${value} * 100)`;
  return `CASE WHEN abs(${cents} - floor(${cents}) - 0.5) > 1e-4 THEN round(${value}, 2)::DECIMAL(9, 2)
    ELSE round(${value}::VARCHAR::DECIMAL(38, 17), 2)::DECIMAL(9, 2) END`;
}
