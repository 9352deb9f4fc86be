import {model} from "../models/model.ts";
import {plausible} from "../rules/pricing-rules.ts";
import {found_issues} from "./issue-map.ts";
import {measured_rows} from "./measured-rows.ts";
import {known_words} from "./word-map.ts";

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
export const nearWindow = `(PARTITION BY kind ORDER BY report_end_date RANGE BETWEEN INTERVAL ${plausible.days} DAYS PRECEDING AND CURRENT ROW)`;

/** SQL condition: a value is plausible next to the median of its neighbours. */
export const fits = (value: string, median: string) =>
  `${value} BETWEEN ${plausible.low} * ${median} AND ${plausible.high} * ${median}`;

/**
 * Rows with a mistaken unit: their value per head is off the median of their class and weight in the same report over four weeks
 * by a factor of 8, and would fit in the other unit (`docs/design/market.md` section 2, check 4). To save time, medians are computed
 * only for kinds whose values spread that far.
 */
export const unit_mistakes = model({
  name: "unit_mistakes",
  reads: [found_issues, known_words, measured_rows],
  columns: {BIGINT: "row_no", VARCHAR: "detail"},
  sql: () => `
    WITH reports AS (
      SELECT issue_no, report_end_date, dense_rank() OVER (ORDER BY report_slug) AS report FROM found_issues
    ), animals AS (
      SELECT words_no, price_unit, dense_rank() OVER (ORDER BY commodity, class) AS animal FROM known_words
    ), valued AS NOT MATERIALIZED (
      SELECT row_no, report_end_date, price_avg, price_unit, coalesce(avg_weight_lb, (weight_break_low_lb + weight_break_high_lb + 1) // 2) AS w,
        {'report': report, 'animal': animal, 'bin': weight_bin_low_lb} AS kind, ${valueSql.stated("price_avg", "w")} AS stated, ${valueSql.other("price_avg", "w")} AS other
      FROM measured_rows JOIN animals USING (words_no) JOIN reports USING (issue_no) WHERE reject_reason IS NULL AND w > 0
    ), apart AS (
      SELECT kind FROM valued GROUP BY kind HAVING count(*) >= ${plausible.minRows} AND max(stated) >= ${plausible.unitMistake} * min(stated)
    ), compared AS (
      SELECT *, median(stated) OVER near AS usual, count(*) OVER near AS row_count FROM valued SEMI JOIN apart USING (kind) WINDOW near AS ${nearWindow}
    )
    SELECT row_no, price_avg || ' fits the rows of its class and weight as per_' || CASE price_unit WHEN 'per_cwt' THEN 'head' ELSE 'cwt' END || ' alone' AS detail FROM compared
    WHERE row_count >= ${plausible.minRows} AND (stated >= ${plausible.unitMistake} * usual OR stated * ${plausible.unitMistake} <= usual) AND ${fits("other", "usual")}`,
});
