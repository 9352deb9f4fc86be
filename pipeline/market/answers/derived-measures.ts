import {limitations} from "../../../lib/limitations.ts";
import {thinHead} from "../../../lib/market/price-confidence.ts";
import {type AnyModel, model, type Run} from "../../../lib/models/model.ts";
import {sqlText} from "../../../lib/sql/duckdb.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {namesOf} from "../../../schemas/vocabulary/market-column.ts";
import {nearbyContract} from "../calendar/futures-contracts.ts";
import {cells} from "../normalise/cell-rows.ts";
import {futuresLicensed, signal_futures} from "../signals/signal-futures.ts";
import {aggregateSql, saleCellsSql} from "./aggregates.ts";
import {curve_prices} from "./curve-prices.ts";
import {cellWords, described_sales, feeder_sales} from "./feeder-sales.ts";
import {cell_rows} from "./price-cells.ts";
import {current_issues, inComparisons, venueSale} from "./sold-issues.ts";

/**
 * SQL: measures between a `light` and a `heavy` cell: value of gain in USD per pound, slide in USD per cwt of price for each
 * cwt of weight.
 */
export const betweenWeights = {
  value_of_gain:
    "(heavy.price * heavy.avg_weight / 100 - light.price * light.avg_weight / 100) / (heavy.avg_weight - light.avg_weight)",
  slide: "(light.price - heavy.price) / (heavy.avg_weight - light.avg_weight) * 100",
};
/** SQL: local cash minus futures, USD per cwt: the basis for the index-like cell, a spread for any other. */
export const spreadSql = "price - settlement";

/** SQL: the sales of a cell, priced by the weight curve of the sale. */
const curveSales = `(SELECT s.* REPLACE (c.price AS price), c.reason FROM feeder_sales AS s JOIN curve_prices AS c USING (venue_id, report_end_date, cell_id)
  WHERE c.curve_class = s.class)`;

/** SQL: the sales of a cell, each with that of the next heavier bin, alike in everything else; the prices are those of the sale's curve. */
const heavierPairs = `SELECT light.* REPLACE (coalesce(light.reason, heavy.reason) AS reason), heavy.cell_id AS to_cell_id, heavy.head AS to_head_count,
    ${betweenWeights.value_of_gain} AS value_of_gain, ${betweenWeights.slide} AS slide
  FROM ${curveSales} AS light JOIN ${curveSales} AS heavy ON heavy.venue_id = light.venue_id AND heavy.report_end_date = light.report_end_date
    AND heavy.bin = light.bin + 50 AND heavy.avg_weight > light.avg_weight
    AND ${cellWords.map((name) => `heavy.${name} IS NOT DISTINCT FROM light.${name}`).join(" AND ")}`;

/**
 * SQL: the sales of a cell and those of a second one of the same bin at the same sale, alike in the words that are not named. Both sides are
 * priced at the weight of the cell: `own` is the curve of its class, `there` that of the other's.
 */
const matched = (sales: string, price: string, except: readonly string[] = []) =>
  `SELECT cell.*, other.cell_id AS to_cell_id, other.head AS to_head_count, ${price} - there.price AS value, coalesce(own.reason, there.reason) AS reason,
    'usd_per_cwt' AS unit
  FROM ${sales} AS cell JOIN feeder_sales AS other USING (venue_id, report_end_date, bin)
    ${["own", "there"]
      .map(
        (side) =>
          `JOIN curve_prices AS ${side} ON ${side}.venue_id = cell.venue_id AND ${side}.report_end_date = cell.report_end_date
            AND ${side}.cell_id = cell.cell_id AND ${side}.curve_class = ${side === "own" ? "cell" : "other"}.class`,
      )
      .join("\n    ")}
  WHERE ${cellWords
    .filter((name) => !except.includes(name))
    .map((name) => `cell.${name} IS NOT DISTINCT FROM other.${name}`)
    .join(" AND ")}`;

/** Slug of the cell that follows the exchange's feeder index; not a served cell. */
const indexLikeCell = "feeder-steers-index-like-cwt";

/** SQL: served cells and the number of the index cell that pools them; properties that the index ignores stay separate. */
const members = `SELECT cell_no, min(cell_no) OVER (PARTITION BY quality_grade, dressing, age_class, pregnancy_stage) AS index_no FROM cells
  WHERE commodity = 'feeder_cattle' AND class = 'steers' AND frame = 'medium_and_large' AND muscle_grade IN ('1', '1-2')
    AND price_unit = 'per_cwt' AND NOT list_has_any(lot_descriptors, ['dairy_cross', 'beef_cross', 'brahman_x', 'exotic'])`;

/**
 * The rows that the exchange's feeder index counts (specification since the May 2019 contract): steers, Medium and Large 1 and
 * 1-2, 700-899 lb, no dairy, Brahman or exotic descriptor, pooled by pounds across all other descriptors.
 */
const pool = {
  saleCells: `(${saleCellsSql(`(SELECT * REPLACE (index_no AS cell_no) FROM cell_rows JOIN (${members}) USING (cell_no) WHERE w BETWEEN 700 AND 899)`)})`,
  cells: `(SELECT * REPLACE ('${indexLikeCell}' AS cell_id, '${indexLikeCell}' AS base_cell, NULL::VARCHAR AS muscle_grade,
    '700-899' AS weight_bin, []::VARCHAR[] AS lot_descriptors, false AS headline) FROM cells)`,
};

/** SQL: pooled figures of the index-like cell per key, over served issues that meet the condition. */
export function indexLikeSql(keys: readonly string[], where: string): string {
  return aggregateSql(keys, `${where} AND ${inComparisons}`, pool);
}

/** SQL: one settlement per contract and day, preferring the contract's own over a continuous series. */
export const settlementsSql = `SELECT contract_month, valid_from AS report_end_date, settlement::DOUBLE AS settlement FROM signal_futures
  WHERE product = 'feeder_cattle' AND settlement IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY contract_month, valid_from ORDER BY continuous, key DESC) = 1`;

export const contractColumns = {DATE: "report_end_date", VARCHAR: "contract_month"} as const;

/** The nearby feeder-cattle contract on each day of a table of sales. */
export async function contractsOf(run: Run, {name}: AnyModel): Promise<object[]> {
  const days = await run.db.rows<{day: string}>(
    `SELECT DISTINCT report_end_date::VARCHAR AS day FROM ${name}`,
  );
  return days.map(({day}) => ({
    report_end_date: day,
    contract_month: nearbyContract("feeder_cattle", day),
  }));
}

export const feeder_contracts = model({
  name: "feeder_contracts",
  reads: [feeder_sales],
  columns: contractColumns,
  rows: (run) => contractsOf(run, feeder_sales),
});

/**
 * SQL: pounds-weighted monthly price of each venue's headline feeder cells of at least 10 head, over all history, of the rows that enter
 * every other mean; months are numbered.
 */
const monthlyPrices = `
  SELECT venue_id, cell_id, (year(report_end_date) * 12 + month(report_end_date) - 1)::INTEGER AS month_no,
    sum(h::HUGEINT * w * cents)::DOUBLE / (sum(h::HUGEINT * w) * 100)::DOUBLE AS price, max(report_end_date) AS last_sale
  FROM cell_rows JOIN current_issues USING (issue_no) JOIN cells USING (cell_no)
  WHERE ${venueSale} AND venue_id IS NOT NULL AND commodity = 'feeder_cattle' AND headline AND usable AND NOT outlier
  GROUP BY ALL HAVING sum(h) >= ${thinHead}`;

/** SQL: sums a list in order, so that the floating-point sum is reproducible. */
const orderedSum = (list: string) => `list_reduce(${list}, (a, b) -> a + b)`;

/** Of a year's twelve months so many must have a price, and as many of those around a month; of a month's ratios as many years. */
const seasonMinimums = {months: 10, years: 5};

/**
 * SQL: the seasonal index of each venue and headline feeder cell, from monthly prices (`venue_id`, `cell_id`, `month_no`, `price`,
 * `last_sale`): by month (1 to 12), the mean over years of price divided by its 12-month centred mean, of which a missing month is left
 * out (13 months, the two outer ones counted half). A year counts with at least 10 months, a mean with 10 of its 12. With fewer than 5 years
 * one row without a value; a month with fewer has none either.
 */
export function seasonalIndexSql(months: string): string {
  const {months: enough, years} = seasonMinimums;
  return `WITH months AS (
    SELECT *, month_no // 12 AS year, 12 - count(*) OVER (PARTITION BY venue_id, cell_id, month_no // 12) AS missing FROM (${months})
  ), around AS (
    SELECT m.venue_id, m.cell_id, m.month_no, m.year, m.missing, any_value(m.price) AS price, list({'price': o.price, 'weight': CASE WHEN abs(o.month_no - m.month_no) = 6 THEN 0.5 ELSE 1 END} ORDER BY o.month_no) AS others
    FROM months AS m JOIN months AS o ON o.venue_id = m.venue_id AND o.cell_id = m.cell_id AND o.month_no BETWEEN m.month_no - 6 AND m.month_no + 6 GROUP BY ALL
  ), complete AS (
    SELECT venue_id, cell_id, year, month_no % 12 + 1 AS month,
      price / (${orderedSum("list_transform(others, o -> o.price * o.weight)")} / list_sum(list_transform(others, o -> o.weight))) AS ratio
    FROM around WHERE list_sum(list_transform(others, o -> o.weight)) >= ${enough} AND missing <= 12 - ${enough}
  ), counted AS (
    SELECT venue_id, cell_id, count(*)::INTEGER AS years, sum(missing)::INTEGER AS months_missing
    FROM (SELECT DISTINCT venue_id, cell_id, year, missing FROM months WHERE missing <= 12 - ${enough}) GROUP BY ALL
  ), indexed AS (
    SELECT venue_id, cell_id, month, CASE WHEN count(*) >= ${years} THEN ${orderedSum("list(ratio ORDER BY year)")} / count(*) END AS value, count(*)::INTEGER AS years
    FROM complete SEMI JOIN (FROM counted WHERE years >= ${years}) USING (venue_id, cell_id) GROUP BY ALL
  )
  SELECT venue_id, cell_id, report_end_date, i.month, i.value, coalesce(i.years, c.years, 0) AS years, coalesce(months_missing, 0) AS months_missing
  FROM (SELECT venue_id, cell_id, max(last_sale) AS report_end_date FROM months GROUP BY ALL) LEFT JOIN counted AS c USING (venue_id, cell_id)
    LEFT JOIN indexed AS i USING (venue_id, cell_id)`;
}

/** SQL: the seasonal index of all sales. */
const seasonalIndex = seasonalIndexSql(monthlyPrices);

const shape = marketFiles.derived_measures.columns
  .map(({name, type}) => `NULL::${type} AS ${name}`)
  .join(", ");

/**
 * The measures of `docs/design/market.md` section 7 that need no cost input, for analysts: for each venue's sales of the last 60
 * days, no thin cells, unrounded; lots with a comment only in the premium over lots without. Measures between two weights are read from the weight curve of the sale. The basis of the index-like cell is a signal instead. Without a licence,
 * futures values are null and `reason` says so (L12).
 */
export const derived_measures = model({
  name: "derived_measures",
  reads: [
    feeder_sales,
    described_sales,
    curve_prices,
    feeder_contracts,
    signal_futures,
    cell_rows,
    current_issues,
    cells,
  ],
  columns: marketFiles.derived_measures.columns,
  materialise: "table",
  sql: async (_, run) => {
    const isLicensed = await run.value(futuresLicensed);
    const spread = isLicensed ? spreadSql : "NULL::DOUBLE";
    const missing = isLicensed
      ? "no settlement of the contract on the sale date in this build"
      : limitations.L12;
    return `SELECT ${namesOf(marketFiles.derived_measures.columns)} FROM (
    SELECT ${shape} WHERE false
    UNION ALL BY NAME SELECT *, 'spread_to_feeder_futures' AS measure, ${spread} AS value, 'usd_per_cwt' AS unit,
      CASE WHEN value IS NULL THEN ${sqlText(missing)} END AS reason
      FROM feeder_sales JOIN feeder_contracts USING (report_end_date) LEFT JOIN (${settlementsSql}) USING (contract_month, report_end_date)
    UNION ALL BY NAME SELECT *, 'value_of_gain' AS measure, value_of_gain AS value, 'usd_per_lb_gained' AS unit FROM (${heavierPairs})
    UNION ALL BY NAME SELECT *, 'slide' AS measure, slide AS value, 'usd_per_cwt_per_cwt' AS unit
      FROM (${heavierPairs})
    UNION ALL BY NAME SELECT *, 'lot_premium' AS measure FROM (${matched("described_sales", "cell.price")})
    UNION ALL BY NAME SELECT *, 'heifer_difference' AS measure
      FROM (${matched("feeder_sales", "own.price", ["class"])} AND cell.class = 'heifers' AND other.class = 'steers')
    UNION ALL BY NAME SELECT *, 'seasonal_index' AS measure, 'ratio_to_12_month_centred_mean' AS unit,
      CASE WHEN value IS NULL THEN 'fewer than ${seasonMinimums.years} years with ${seasonMinimums.months} months of prices' END AS reason FROM (${seasonalIndex}))`;
  },
});
