import {headTolerance, largestLot, outlier, plausible, unitSlip} from "../../../lib/market/pricing-rules.ts";
import {model} from "../../../lib/models/model.ts";
import {cell_keys, cells} from "../normalise/cell-rows.ts";
import {checked_rows} from "../normalise/checked-rows.ts";
import {current_issues, sold_issues} from "./sold-issues.ts";
import {strayRows} from "./stray-rows.ts";

/**
 * SQL: a price as value per head by a weight in pounds, read in its stated unit or in the other unit. Doubles, because cents
 * times pounds of a good bull exceed 32 bits.
 */
export const valueSql = {
  stated: (price: string, weight: string) =>
    `(CASE WHEN price_unit = 'per_cwt' THEN ${price}::DOUBLE * ${weight} / 100 ELSE ${price} END)::DOUBLE`,
  other: (price: string, weight: string) =>
    `(CASE WHEN price_unit = 'per_cwt' THEN ${price} ELSE ${price}::DOUBLE * ${weight} / 100 END)::DOUBLE`,
};

/** SQL window: rows of one class and weight in one report (`kind`), over the four weeks up to each row's own report. */
const nearWindow = `(PARTITION BY kind ORDER BY report_end_date RANGE BETWEEN INTERVAL ${plausible.days} DAYS PRECEDING AND CURRENT ROW)`;

/** SQL condition: a value is plausible next to the median of its neighbours. */
const fits = (value: string, median: string) =>
  `${value} BETWEEN ${plausible.low} * ${median} AND ${plausible.high} * ${median}`;

/** SQL: an impossible head count (`docs/design/market.md` section 2, check 6). */
const impossibleHead = `head_count NOT BETWEEN 0 AND ${largestLot} OR head_count > ${headTolerance} * event_receipts`;

/** The accepted rows of sold issues with the weight and the head that count, before any is compared with others. */
export const weighed_rows = model({
  name: "weighed_rows",
  reads: [checked_rows, cell_keys, sold_issues],
  columns: {
    INTEGER:
      "issue_no cell_no kind_no grade_no row_ordinal avg_weight_lb weight_min_lb weight_max_lb head_count w cents",
    BIGINT: "h",
    "DECIMAL(9,2)": "price_avg price_min price_max",
    BOOLEAN: "weight_spans_bins head_excluded weight_estimated w_imputed usable",
  },
  sql: () => `
  WITH weighed AS (
    SELECT c.issue_no, k.cell_no, kind_no, grade_no, row_ordinal, binned AND weight_spans_bins AS weight_spans_bins, avg_weight_lb, weight_min_lb, weight_max_lb,
      price_avg, price_min, price_max, head_count, coalesce(${impossibleHead}, false) AS head_excluded, weight_estimated,
      price_unit = 'per_cwt' AS by_weight, binned AND bin_low IS NULL AS unbinned,
      coalesce(avg_weight_lb, CASE WHEN binned AND bin_low IS NOT NULL THEN bin_low + 25
        ELSE (weight_break_low_lb + weight_break_high_lb + 1) // 2 END)::INTEGER AS w,
      CASE WHEN NOT head_excluded THEN head_count END::BIGINT AS h, (price_avg * 100)::INTEGER AS cents
    FROM checked_rows AS c JOIN cell_keys AS k ON k.words_no = c.words_no AND k.bin_low IS NOT DISTINCT FROM c.weight_bin_low_lb
    JOIN sold_issues USING (issue_no) WHERE reject_reason IS NULL
  )
  SELECT * EXCLUDE (by_weight, unbinned), avg_weight_lb IS NULL AND w IS NOT NULL AND by_weight AS w_imputed,
    coalesce(cents > 0 AND h > 0 AND (NOT by_weight OR w > 0) AND NOT unbinned, false) AS usable
  FROM weighed`,
});

/** The rows with their value per head, in the stated and in the other unit. Rows without a weight are compared only within their unit. */
const valued_rows = model({
  name: "valued_rows",
  reads: [weighed_rows, sold_issues, cells],
  columns: {
    BIGINT: "row_no span",
    DATE: "report_end_date",
    BOOLEAN: "current",
    VARCHAR: "price_unit",
    INTEGER: "w cents",
    DOUBLE: "stated other",
    "STRUCT(report INTEGER, kind INTEGER, unit VARCHAR)": "kind",
    "STRUCT(report INTEGER, grade INTEGER)": "grade",
    "STRUCT(report INTEGER, cell INTEGER)": "cell",
  },
  materialise: "view",
  sql: () => `
  SELECT weighed_rows.rowid AS row_no, {'report': report_no, 'kind': kind_no, 'unit': CASE WHEN w IS NULL THEN price_unit END} AS kind,
    {'report': report_no, 'grade': grade_no} AS grade, {'report': report_no, 'cell': cell_no} AS cell, report_end_date, current, price_unit, w, cents,
    (report_end_date - DATE '1970-01-01') // ${plausible.days} AS span,
    ${valueSql.stated("cents", "coalesce(w, 100)")} AS stated, ${valueSql.other("cents", "w")} AS other
  FROM weighed_rows JOIN sold_issues USING (issue_no) JOIN cells USING (cell_no)`,
});

/**
 * SQL: spans of 28 days whose values, together with those of the span before, spread so far that one of them may be implausible.
 * Few spans do, so medians are computed only for these.
 */
const splitCells = (by: "kind" | "grade", value: string, from: string) => `
  SELECT ${by}, span FROM (SELECT ${by}, span, min(${value}) AS low, max(${value}) AS high FROM ${from} GROUP BY ALL)
  WINDOW near AS (PARTITION BY ${by} ORDER BY span RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)
  QUALIFY low < ${plausible.low} * max(high) OVER near OR high > ${plausible.high} * min(low) OVER near`;

/**
 * SQL: those of some rows that at least two other rows of their cell confirm, one of them of an earlier sale: each group of lots is a cell of its own,
 * and Jersey calves never bring the price of Holsteins.
 */
const confirmedByCell = (rows: string) => `SELECT row_no FROM (
    SELECT row_no, cents, report_end_date, median(cents) FILTER (current) OVER own AS own_cents, count(*) FILTER (current) OVER own AS own_rows,
      min(report_end_date) FILTER (current) OVER own AS first_sale
    FROM valued_rows SEMI JOIN (SELECT cell FROM ${rows}) USING (cell)
    WINDOW own AS (PARTITION BY cell ORDER BY report_end_date RANGE BETWEEN INTERVAL ${plausible.days} DAYS PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW)
  ) WHERE own_rows >= ${plausible.minOwnRows} AND first_sale < report_end_date AND ${fits("cents", "own_cents")}`;

/** Prices far from the median of their class and weight (`docs/design/market.md` section 2, check 4). */
const doubted_rows = model({
  name: "doubted_rows",
  reads: [valued_rows],
  columns: {
    BIGINT: "row_no",
    DATE: "report_end_date",
    INTEGER: "cents",
    BOOLEAN: "fits_other is_light",
    DOUBLE: "median_price",
    "STRUCT(report INTEGER, grade INTEGER)": "grade",
    "STRUCT(report INTEGER, cell INTEGER)": "cell",
  },
  sql: () => `
    WITH apart AS (
      ${splitCells("kind", "stated", "valued_rows")}
    ), compared AS (
      SELECT *, median(stated) FILTER (current) OVER near AS usual, count(*) FILTER (current) OVER near AS near_rows
      FROM valued_rows SEMI JOIN (FROM apart UNION SELECT kind, span - 1 FROM apart) USING (kind, span) WINDOW near AS ${nearWindow}
    )
    SELECT row_no, grade, cell, report_end_date, cents, coalesce(${fits("other", "usual")}, false) AS fits_other, coalesce(w < ${unitSlip.leastWeight}, false) AS is_light,
      round(CASE WHEN price_unit = 'per_cwt' THEN usual / coalesce(w, 100) ELSE usual / 100 END, 2) AS median_price
    FROM compared SEMI JOIN apart USING (kind, span) WHERE near_rows >= ${plausible.minRows} AND NOT (${fits("stated", "usual")})`,
});

/**
 * Of these, the prices that are also far from the median of their grade, or that fit in the other unit, unless their own cell confirms them. Cattle
 * that are judged in both units (`unitSlip`) are not confirmed where the other unit fits: a wrong unit is one of a whole heading.
 */
const unlike_rows = model({
  name: "unlike_rows",
  reads: [valued_rows, doubted_rows],
  columns: {BIGINT: "row_no", DOUBLE: "median_price"},
  sql: () => `
    WITH alike AS (
      SELECT row_no, median(cents) FILTER (current) OVER (PARTITION BY grade ORDER BY report_end_date
        RANGE BETWEEN INTERVAL ${plausible.days} DAYS PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) AS alike_cents
      FROM valued_rows SEMI JOIN (SELECT grade FROM doubted_rows WHERE NOT fits_other) USING (grade)
    )
    SELECT row_no, median_price FROM doubted_rows LEFT JOIN alike USING (row_no)
    WHERE (fits_other OR NOT coalesce(${fits("cents", "alike_cents")}, false))
      AND NOT (row_no IN (${confirmedByCell("doubted_rows")}) AND (is_light OR NOT fits_other))`,
});

/**
 * Prices per cwt with too few rows of their class and weight to compare with, far from the median of their frame and grade
 * at any weight. Otherwise a slipped decimal point makes the price of a cell of one row.
 */
const lonely_rows = model({
  name: "lonely_rows",
  reads: [valued_rows, unlike_rows],
  columns: {BIGINT: "row_no", DOUBLE: "median_price"},
  sql: () => `
  WITH valued AS NOT MATERIALIZED (
    FROM valued_rows WHERE price_unit = 'per_cwt'
  ), apart AS (
    ${splitCells("grade", "cents", "valued")}
  ), compared AS (
    SELECT *, median(cents) FILTER (current) OVER near AS alike_cents, count(*) FILTER (current) OVER near AS alike_rows
    FROM valued SEMI JOIN (FROM apart UNION SELECT grade, span - 1 FROM apart) USING (grade, span)
    WINDOW near AS (PARTITION BY grade ORDER BY report_end_date RANGE BETWEEN INTERVAL ${plausible.days} DAYS PRECEDING AND CURRENT ROW)
  ), lonely AS (
  SELECT row_no, cell, round(alike_cents / 100, 2) AS median_price FROM compared AS c
  WHERE alike_rows >= ${plausible.minRows} AND NOT (${fits("cents", "alike_cents")}) AND row_no NOT IN (SELECT row_no FROM unlike_rows)
    AND (SELECT count(*) FROM valued AS v WHERE v.current AND v.kind = c.kind
      AND v.report_end_date BETWEEN c.report_end_date - ${plausible.days} AND c.report_end_date) < ${plausible.minRows}
  )
  SELECT row_no, median_price FROM lonely WHERE row_no NOT IN (${confirmedByCell("lonely")})`,
});

/** Feeders far from the weight curve of their state and week, with the price of the curve. */
const stray_rows = model({
  name: "stray_rows",
  reads: [weighed_rows, cells, current_issues, unlike_rows, lonely_rows],
  columns: {BIGINT: "row_no", DOUBLE: "median_price"},
  rows: strayRows,
});

/** Prices that cannot be meant as they are printed, with the median or the curve that they are compared with. */
const implausible_rows = model({
  name: "implausible_rows",
  reads: [unlike_rows, lonely_rows, stray_rows],
  columns: {BIGINT: "row_no", DOUBLE: "median_price"},
  materialise: "view",
  sql: () => "FROM unlike_rows UNION ALL FROM lonely_rows UNION ALL FROM stray_rows",
});

/** Outliers (V7) within (state, cell, 28 days). Medians of integer cents are exact, so every run has the same rows. */
const outlier_rows = model({
  name: "outlier_rows",
  reads: [weighed_rows, current_issues, cells, implausible_rows],
  columns: {BIGINT: "row_no", DOUBLE: "middle"},
  sql: () => `
    WITH candidates AS (
      SELECT weighed_rows.rowid AS row_no, state, cell_id, cents
      FROM weighed_rows JOIN current_issues USING (issue_no) JOIN cells USING (cell_no)
      WHERE report_scope = 'venue' AND usable AND state IS NOT NULL AND age <= ${outlier.days}
        AND weighed_rows.rowid NOT IN (SELECT row_no FROM implausible_rows)
    ), medians AS (
      SELECT state, cell_id, median(cents) AS middle, count(*) AS row_count FROM candidates GROUP BY ALL
      HAVING row_count >= ${outlier.minRows}
    ), spreads AS (
      SELECT state, cell_id, middle, median(abs(cents - middle)) AS mad
      FROM candidates JOIN medians USING (state, cell_id) GROUP BY ALL HAVING mad > 0
    )
    SELECT row_no, middle FROM candidates JOIN spreads USING (state, cell_id)
    WHERE abs(0.6745 * (cents - middle) / mad) > ${outlier.z} AND abs(cents - middle) > ${outlier.share} * middle`,
});

/** Rows that are flagged: none is deleted. */
const flagged_rows = model({
  name: "flagged_rows",
  reads: [implausible_rows, outlier_rows],
  columns: {BIGINT: "row_no", BOOLEAN: "is_outlier", DOUBLE: "median_price"},
  sql: () => `SELECT row_no, false AS is_outlier, median_price::DOUBLE AS median_price FROM implausible_rows
    UNION ALL SELECT row_no, true, (middle / 100)::DOUBLE FROM outlier_rows`,
});

/**
 * The base of every price. A row is an accepted row with the numbers of its issue and cell, and:
 * - `w`, its weight for weighting: the middle of a known weight break if the weight is missing
 * - `h`, its head: null if the head count is impossible (`head_excluded`)
 * - `cents`, its price
 * - `implausible`, and then `median_price`: the median of its class and weight in its own unit
 * - `usable`: it may enter a mean
 * - `outlier`: it is one within (state, cell, 28 days)
 */
export const cell_rows = model({
  name: "cell_rows",
  reads: [weighed_rows, flagged_rows],
  columns: {
    INTEGER:
      "issue_no cell_no kind_no grade_no row_ordinal avg_weight_lb weight_min_lb weight_max_lb head_count w cents",
    BIGINT: "h",
    "DECIMAL(9,2)": "price_avg price_min price_max",
    BOOLEAN: "weight_spans_bins head_excluded weight_estimated w_imputed usable implausible outlier",
    DOUBLE: "median_price",
  },
  // A view: few rows are flagged, and another million of rows would take as much memory as the first.
  materialise: "view",
  sql: () => `SELECT w.* REPLACE (usable AND coalesce(is_outlier, true) AS usable), is_outlier IS NOT DISTINCT FROM false AS implausible,
      coalesce(is_outlier, false) AS outlier, median_price
    FROM weighed_rows AS w LEFT JOIN flagged_rows AS f ON f.row_no = w.rowid`,
});
