import type {Database} from "../../../lib/sql/duckdb.ts";
import {refuseSharedKeys} from "../normalise/keys.ts";
import {pooledMean, pooledSums} from "./aggregates.ts";
import {outlier} from "./bounds.ts";
import {cellRowsSql} from "./cells.ts";

/** SQL: the Saturday of a row's week. A summary's week is its own period, which its last day names. */
const saturday = "report_end_date + (6 - dayofweek(report_end_date))::INTEGER";
const week = `CASE WHEN report_scope = 'state_summary' THEN report_end_date ELSE ${saturday} END`;

const cellColumns = "cell_id, commodity, class, weight_bin, price_unit";

/**
 * Makes `price_history`: the price of every cell in every county and state, week by week, for all weeks that were read. A
 * week's price is made as the records of `county_prices` and `state_prices` are (`docs/design/market.md` section 3): the same
 * rows, weights and rounding, with the outliers of the 28 days up to its Saturday left out. Needs `venue_counties`.
 */
export async function makePriceHistory(db: Database, asOf: string): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE history_rows AS
    SELECT report_scope, report_slug, report_end_date, ${week} AS week_end_date, state, venue_id, ${cellColumns}, hash(${cellColumns}) AS cell_key,
      h, w, cents
    FROM (${cellRowsSql("price_rows", "all ages")})
    WHERE usable AND ((report_scope = 'venue' AND report_program = 'voluntary') OR report_scope = 'state_summary')`,
    {asOf},
  );
  await makeCells(db);
  await db.run(`${weekMedians}; ${marketWeeks}; DROP TABLE history_rows; DROP TABLE week_medians`);
  await db.run(`CREATE OR REPLACE TABLE price_history AS
    ${areaWeeks({type: "county", basis: "observed_in_county", weeks: countyWeeks})}
    UNION ALL ${areaWeeks({type: "state", basis: "derived_rollup", weeks: stateWeeks})}
    UNION ALL ${areaWeeks({type: "state", basis: "official_state_summary", weeks: officialWeeks})};
    DROP TABLE market_weeks; DROP TABLE history_cells`);
}

/** Makes `history_cells`: the texts of each cell once. Rows are grouped by its key, one number instead of five texts. */
async function makeCells(db: Database): Promise<void> {
  await db.run(
    `CREATE OR REPLACE TEMP TABLE history_cells AS SELECT cell_key, ${cellColumns} FROM history_rows GROUP BY ALL`,
  );
  const keys = await db.rows<{key: string}>("SELECT cell_key::VARCHAR AS key FROM history_cells");
  refuseSharedKeys(keys.map(({key}) => key));
}

/** V7, for every week against the rows of its state and cell in the 28 days up to its Saturday. */
const weekMedians = `CREATE OR REPLACE TEMP TABLE week_medians AS
  WITH judged AS (
    SELECT state, cell_key, cents,
      unnest(list_transform(range(${Math.floor(outlier.days / 7) + 1}), n -> week_end_date + (7 * n)::INTEGER)) AS week_end_date,
      report_end_date
    FROM history_rows WHERE report_scope = 'venue' AND state IS NOT NULL
  ), candidates AS (
    SELECT state, cell_key, week_end_date, cents FROM judged
    WHERE date_diff('day', report_end_date, week_end_date) <= ${outlier.days}
  ), medians AS (
    SELECT state, cell_key, week_end_date, median(cents) AS middle FROM candidates
    GROUP BY ALL HAVING count(*) >= ${outlier.minRows}
  )
  SELECT state, cell_key, week_end_date, middle, median(abs(cents - middle)) AS mad
  FROM candidates JOIN medians USING (state, cell_key, week_end_date) GROUP BY ALL HAVING mad > 0`;

/** The sums of each week of a cell at each venue and in each summary: those of counties and states are made of them. */
const marketWeeks = `CREATE OR REPLACE TEMP TABLE market_weeks AS
  SELECT report_scope, CASE WHEN report_scope = 'state_summary' THEN report_slug END AS report_slug, r.state, venue_id, r.cell_key,
    r.week_end_date, ${pooledSums("true")}, count(*) AS row_count
  FROM history_rows AS r
  LEFT JOIN week_medians AS m ON m.state = r.state AND m.cell_key = r.cell_key AND m.week_end_date = r.week_end_date
  WHERE r.report_scope <> 'venue' OR NOT coalesce(abs(0.6745 * (cents - middle) / mad) > ${outlier.z} AND abs(cents - middle) > ${outlier.share} * middle, false)
  GROUP BY ALL`;

const summed = `sum(pounds) AS pounds, sum(heads) AS heads, sum(pound_cents) AS pound_cents, sum(head_cents) AS head_cents,
  sum(row_count)::INTEGER AS row_count`;

/** SQL of the weeks of venues by county: a venue counts once, whatever states its reports name. */
const countyWeeks = `SELECT county_fips AS area, NULL::VARCHAR AS report_slug, cell_key, week_end_date, ${summed}, count(venue_id)::INTEGER AS venues
  FROM (SELECT venue_id, cell_key, week_end_date, ${summed} FROM market_weeks WHERE report_scope = 'venue' GROUP BY ALL)
  JOIN venue_counties USING (venue_id) WHERE county_fips IS NOT NULL GROUP BY ALL`;

const stateWeeks = `SELECT state AS area, NULL::VARCHAR AS report_slug, cell_key, week_end_date, ${summed}, count(venue_id)::INTEGER AS venues
  FROM market_weeks WHERE report_scope = 'venue' AND state IS NOT NULL GROUP BY ALL`;

const officialWeeks = `SELECT state AS area, report_slug, cell_key, week_end_date, ${summed}, NULL::INTEGER AS venues
  FROM market_weeks WHERE report_scope = 'state_summary' AND state IS NOT NULL GROUP BY ALL`;

type Area = {type: "county" | "state"; basis: string; weeks: string};

/** SQL: the weeks of one kind of area and population. */
function areaWeeks({type, basis, weeks}: Area): string {
  return `
    SELECT '${type}' AS area_type, area, '${basis}' AS price_basis, report_slug, ${cellColumns}, week_end_date,
      ${rounded("price")} AS price_avg, price AS price_avg_unrounded, heads::INTEGER AS head_count,
      venues AS venues_reporting, row_count AS rows
    FROM (SELECT *, ${pooledMean} AS price FROM (${weeks}) JOIN history_cells USING (cell_key) WHERE heads > 0)`;
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
