import {outlier} from "../../../lib/market/pricing-rules.ts";
import {model} from "../../../lib/models/model.ts";
import {rounded} from "../../../schemas/market-fields/market-field.ts";
import {cells} from "../normalise/cell-rows.ts";
import {pooledMean, pooledSums, summedSums} from "./aggregates.ts";
import {cell_rows} from "./price-cells.ts";
import {current_issues, venueSale} from "./sold-issues.ts";
import {venue_counties} from "./venue-places.ts";

/** SQL: the last day of an issue's week. The week of a summary is its own period. */
const week = "CASE WHEN report_scope = 'state_summary' THEN report_end_date ELSE week_end_date END";

const areaTexts = ["area_type", "area", "price_basis", "report_slug"];
const cellTexts = ["cell_id", "commodity", "class", "weight_bin", "price_unit"];

/** Issues with their week; `market_no` numbers what is pooled together: a venue within a state, or a state summary. */
export const week_issues = model({
  name: "week_issues",
  reads: [current_issues],
  columns: {
    INTEGER: "issue_no market_no",
    DATE: "week_end_date report_end_date",
    VARCHAR: "report_scope state venue_id report_slug",
  },
  sql: () => `
  SELECT issue_no, ${week} AS week_end_date, report_end_date, report_scope, state, venue_id,
    CASE WHEN report_scope = 'state_summary' THEN report_slug END AS report_slug,
    dense_rank() OVER (ORDER BY report_scope, state, venue_id, CASE WHEN report_scope = 'state_summary' THEN report_slug END)::INTEGER AS market_no
  FROM current_issues WHERE (${venueSale}) OR report_scope = 'state_summary'`,
});

/**
 * Medians for the outlier rule (V7), per week against the rows of its state and cell in the 28 days up to its Saturday. They
 * are computed only for the few weeks that may hold an outlier: a median lies within one standard deviation of the mean, and
 * both follow from sums. `more` counts the later weeks whose 28 days also hold the row. The slack allows for rounding of
 * doubles.
 */
export const week_medians = model({
  name: "week_medians",
  reads: [week_issues, cell_rows],
  columns: {
    VARCHAR: "state",
    INTEGER: "cell_no",
    DATE: "week_end_date",
    DOUBLE: "middle mad",
  },
  sql: () => `
  WITH tested_issues AS (
    SELECT issue_no, state, week_end_date AS sold, (${outlier.days} - date_diff('day', report_end_date, week_end_date)) // 7 AS more
    FROM week_issues WHERE report_scope = 'venue' AND state IS NOT NULL
  ), sums AS (
    SELECT state, cell_no, sold, more, count(*) AS n, sum(cents) AS total, sum(cents::BIGINT * cents) AS squares, min(cents) AS low, max(cents) AS high
    FROM cell_rows JOIN tested_issues USING (issue_no) WHERE usable GROUP BY ALL
  ), apart AS (
    SELECT state, cell_no, week_end_date, (sum(total) / sum(n))::DOUBLE AS mean, 1.001 * sqrt(greatest(sum(squares) / sum(n) - mean * mean, 0)) + 1 AS deviation
    FROM (SELECT *, unnest(list_transform(range(more + 1), n -> sold + (7 * n)::INTEGER)) AS week_end_date FROM sums) GROUP BY state, cell_no, week_end_date
    HAVING sum(n) >= ${outlier.minRows} AND
      (max(high) > ${1 + outlier.share} * (mean - deviation) OR min(low) < ${1 - outlier.share} * (mean + deviation))
  ), candidates AS NOT MATERIALIZED (
    SELECT state, cell_no, week_end_date, cents
    FROM cell_rows JOIN tested_issues USING (issue_no) JOIN apart USING (state, cell_no) WHERE usable AND week_end_date BETWEEN sold AND sold + (7 * more)::INTEGER
  ), medians AS (
    SELECT state, cell_no, week_end_date, median(cents) AS middle FROM candidates GROUP BY ALL
    HAVING greatest(max(cents) - middle, middle - min(cents)) > ${outlier.share} * middle
  )
  SELECT state, cell_no, week_end_date, middle, median(abs(cents - middle)) AS mad
  FROM candidates JOIN medians USING (state, cell_no, week_end_date) GROUP BY ALL HAVING mad > 0`,
});

/** The sums per week and cell of each venue and summary, from which those of counties and states are made. */
export const market_weeks = model({
  name: "market_weeks",
  reads: [cell_rows, week_issues, week_medians],
  columns: {
    INTEGER: "market_no cell_no",
    DATE: "week_end_date",
    HUGEINT: "pounds heads pound_cents head_cents",
    BIGINT: "row_count",
  },
  sql: () => `
  SELECT market_no, cell_no, i.week_end_date, ${pooledSums("true")}, count(*) AS row_count
  FROM cell_rows JOIN week_issues AS i USING (issue_no)
  LEFT JOIN week_medians AS m USING (state, cell_no, week_end_date)
  WHERE usable AND (report_scope <> 'venue' OR NOT coalesce(abs(0.6745 * (cents - middle) / mad) > ${outlier.z} AND abs(cents - middle) > ${outlier.share} * middle, false))
  GROUP BY ALL`,
});

/** The areas of each market, numbered in sort order: a venue belongs to its county and its state, a summary to its state. */
export const market_areas = model({
  name: "market_areas",
  reads: [week_issues, venue_counties],
  columns: {
    INTEGER: "market_no area_no",
    VARCHAR: "venue_id area_type area price_basis report_slug",
  },
  sql: () => `
  WITH markets AS (
    SELECT DISTINCT market_no, report_scope, report_slug, state, venue_id FROM week_issues
  )
  SELECT *, dense_rank() OVER (ORDER BY ${areaTexts.map((name) => `${name} NULLS FIRST`).join(", ")})::INTEGER AS area_no FROM (
    SELECT market_no, venue_id, 'county' AS area_type, county_fips AS area, 'observed_in_county' AS price_basis, NULL::VARCHAR AS report_slug
    FROM markets JOIN venue_counties USING (venue_id) WHERE report_scope = 'venue' AND county_fips IS NOT NULL
    UNION ALL SELECT market_no, venue_id, 'state', state, 'derived_rollup', NULL FROM markets WHERE report_scope = 'venue' AND state IS NOT NULL
    UNION ALL SELECT market_no, NULL, 'state', state, 'official_state_summary', report_slug FROM markets
    WHERE report_scope = 'state_summary' AND state IS NOT NULL)`,
});

/** The areas, whose texts are stored once. */
export const history_areas = model({
  name: "history_areas",
  reads: [market_areas],
  columns: {
    INTEGER: "area_no",
    VARCHAR: "area_type area price_basis report_slug",
  },
  enums: areaTexts,
  sql: () => `SELECT DISTINCT area_no, ${areaTexts.join(", ")} FROM market_areas`,
});

/** The cells, whose texts are stored once. */
export const history_cells = model({
  name: "history_cells",
  reads: [cells],
  columns: {
    INTEGER: "cell_no",
    VARCHAR:
      "cell_id base_cell commodity class frame muscle_grade quality_grade dressing age_class pregnancy_stage offspring_weight weight_bin lot_description price_unit delivery freight region",
    "VARCHAR[]": "lot_descriptors",
    BOOLEAN: "headline",
  },
  enums: cellTexts,
  sql: () => "SELECT * FROM cells",
});

/**
 * The weeks of each area in file order, so that sorting them again is cheap. The venue count of an official summary is unknown.
 */
export const history_weeks = model({
  name: "history_weeks",
  reads: [market_weeks, market_areas, cells],
  columns: {
    INTEGER: "area_no cell_no head_count venues_reporting rows",
    DATE: "week_end_date",
    "DECIMAL(9,2)": "price_avg",
    DOUBLE: "price_avg_unrounded",
  },
  sql: () => `
  SELECT area_no, cell_no, week_end_date, ${rounded("price", 2)} AS price_avg, price AS price_avg_unrounded, heads::INTEGER AS head_count,
    venues AS venues_reporting, row_count AS rows
  FROM (SELECT *, ${pooledMean} AS price FROM (
    SELECT area_no, cell_no, week_end_date, ${summedSums}, sum(row_count)::INTEGER AS row_count,
      CASE WHEN NOT official THEN count(venue_id)::INTEGER END AS venues
    FROM market_weeks JOIN (SELECT *, price_basis = 'official_state_summary' AS official FROM market_areas) USING (market_no)
    GROUP BY area_no, official, cell_no, week_end_date
  ) JOIN cells USING (cell_no) WHERE heads > 0) ORDER BY area_no, cell_no, week_end_date`,
});

/**
 * The weekly price of every cell in every county and state, for all weeks read. Prices follow the rules of `county_prices` and
 * `state_prices` (`docs/design/market.md` section 3): same rows, weights and rounding, without the outliers of the 28 days up to
 * the week's Saturday. The numbers of area and cell are in the order of their texts.
 */
export const price_history = model({
  name: "price_history",
  reads: [history_weeks, history_areas, history_cells],
  columns: {
    INTEGER: "area_no cell_no head_count venues_reporting rows",
    VARCHAR: "area_type area price_basis report_slug cell_id commodity class weight_bin price_unit",
    DATE: "week_end_date",
    "DECIMAL(9,2)": "price_avg",
    DOUBLE: "price_avg_unrounded",
  },
  materialise: "view",
  sql: () => `SELECT area_no, cell_no, ${[...areaTexts, ...cellTexts].join(", ")}, week_end_date, price_avg,
      price_avg_unrounded, head_count, venues_reporting, rows
    FROM history_weeks JOIN history_areas USING (area_no) JOIN history_cells USING (cell_no)`,
});
