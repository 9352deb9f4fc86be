import {maxAssumedPrice} from "@open-cattle/usda-reports";
import {build_facts} from "../../../lib/models/build-facts.ts";
import {model, type Run} from "../../../lib/models/model.ts";
import {boundSql, loadPriceBounds} from "../rules/price-bounds.ts";
import {raw_rows} from "../staging/staged-models.ts";
import {found_issues, issue_keys} from "./issue-map.ts";
import {known_words, word_map} from "./word-map.ts";

/** SQL: a double as money. Casting to six decimals first rounds 2.675 as it is written, half away from zero. */
const money = (column: string) =>
  `CASE WHEN abs(r.${column}) < 9999999 THEN r.${column}::DECIMAL(18,6)::DECIMAL(9,2) END`;

/** SQL: a weight in whole pounds; 0 means none. */
const pounds = (column: string) =>
  `CASE WHEN r.${column} > 0 AND r.${column} < 1e5 THEN round(r.${column})::INTEGER END`;

/** SQL: receipts in head; null if negative or above 1,000,000. */
export const receiptsSql = (column: string) =>
  `CASE WHEN ${column} BETWEEN 0 AND 1e6 THEN round(${column})::INTEGER END`;

/**
 * SQL: start of the 50-lb bin (`docs/design/market.md` section 3, vector V16): the row's weight break if it is exactly one bin,
 * else the bin of the unrounded average weight; null without either. Bins are half-open: 750 lb is in 750-799.
 */
export function weightBinSql(low: string, high: string, average: string): string {
  return `CASE WHEN ${high} - ${low} = 50 AND ${low} % 50 = 0 AND ${low} BETWEEN 0 AND 1e5 THEN ${low}
    WHEN ${average} > 0 AND ${average} < 1e5 THEN floor(${average} / 50) * 50 END::INTEGER`;
}

const numbers = `
  ${pounds("weight_break_low")} AS weight_break_low_lb, ${pounds("weight_break_high")} AS weight_break_high_lb,
  ${weightBinSql("r.weight_break_low", "r.weight_break_high", "r.avg_weight")} AS weight_bin_low_lb,
  coalesce(r.avg_weight_min < weight_bin_low_lb OR r.avg_weight_max >= weight_bin_low_lb + 50, false) AS weight_spans_bins,
  ${pounds("avg_weight")} AS avg_weight_lb, ${pounds("avg_weight_min")} AS weight_min_lb, ${pounds("avg_weight_max")} AS weight_max_lb,
  ${money("avg_price")} AS price_avg, ${money("avg_price_min")} AS price_min, ${money("avg_price_max")} AS price_max,
  CASE WHEN r.head_count BETWEEN -2e9 AND 2e9 AND r.head_count = trunc(r.head_count) THEN r.head_count::INTEGER END AS head_count, r.head_count AS published_head`;

/** Every column in which two rows of one issue may differ; `words_no` stands for all words. */
export const valueColumns = `words_no, weight_break_low_lb, weight_break_high_lb, weight_bin_low_lb, weight_spans_bins, avg_weight_lb,
  weight_min_lb, weight_max_lb, price_avg, price_min, price_max, head_count`;

/**
 * SQL: the row checks 1 to 4 in order (`docs/design/market.md` section 2), after those for unreadable rows; the first that
 * fails is the reason. Check 5 (duplicates) compares rows and so comes later; check 6 (head and receipts) keeps the row.
 */
const reject = `CASE
    WHEN reader_reason IS NOT NULL AND reader_reason <> 'partial_issue' THEN reader_reason
    WHEN word_reject = 'not_cattle' THEN word_reject
    WHEN reader_reason IS NOT NULL THEN reader_reason
    WHEN report_slug IS NULL THEN 'no_report'
    WHEN report_end_date IS NULL THEN 'no_report_date'
    WHEN after_as_of THEN 'after_as_of'
    WHEN word_reject IS NOT NULL THEN word_reject
    WHEN price_avg IS NULL THEN 'no_price'
    WHEN unit_assumed AND price_avg > ${maxAssumedPrice} THEN 'unknown_price_unit'
    WHEN head_count = 0 OR published_head NOT BETWEEN -2e9 AND 2e9 THEN 'implausible_head'
    WHEN price_avg < price_min - 0.01 OR price_avg > price_max + 0.01 THEN 'price_order'
    WHEN avg_weight_lb < weight_min_lb - 1 OR avg_weight_lb > weight_max_lb + 1 THEN 'weight_order'
    WHEN price_avg NOT BETWEEN min_price AND max_price THEN 'implausible_price'
  END`;

/** SQL: the detail of a rejection, with the offending value. */
const detailSql = `CASE reject_reason
    WHEN 'after_as_of' THEN 'the report ends on ' || report_end_date || ', after ' || (SELECT as_of FROM build_facts)
    WHEN 'no_report_date' THEN 'no period of the calendar: ' || coalesce(nullif(published_dates, ''), 'no date') || ' came'
    WHEN 'no_price' THEN 'no average price'
    WHEN 'unknown_price_unit' THEN price_avg || ' without a unit may be per cwt or per head'
    WHEN 'implausible_head' THEN coalesce(head_count::VARCHAR, published_head::VARCHAR) || ' head'
    WHEN 'price_order' THEN 'average ' || price_avg || ' outside of ' || price_min || ' to ' || price_max
    WHEN 'weight_order' THEN 'average ' || avg_weight_lb || ' lb outside of ' || weight_min_lb || ' to ' || weight_max_lb
    WHEN 'implausible_price' THEN price_avg || ' ' || price_unit || ' is outside of the plausible prices' END`;

/** Columns of a staged row that was measured; `checked_rows` has the same. */
export const measuredColumns = {
  BIGINT: "row_no",
  INTEGER:
    "file_no issue_no row_ordinal words_no weight_break_low_lb weight_break_high_lb weight_bin_low_lb avg_weight_lb weight_min_lb weight_max_lb head_count receipts receipts_prior receipts_year_ago group_no",
  "DECIMAL(9,2)": "price_avg price_min price_max",
  BOOLEAN: "weight_spans_bins",
  VARCHAR: "reject_reason reject_detail",
  UBIGINT: "value_hash",
} as const;

/** Every staged row with its numbers, its `words_no`, its issue, and the reason if it was rejected for what it says alone. */
export const measured_rows = model({
  name: "measured_rows",
  reads: [word_map, known_words, issue_keys, found_issues, raw_rows, build_facts],
  columns: measuredColumns,
  sql: () => `
    WITH words AS (
      SELECT word_key, words_no, group_no, word_reject, word_detail, unit_assumed, price_unit, ${boundSql(loadPriceBounds(), "min")} AS min_price, ${boundSql(loadPriceBounds(), "max")} AS max_price
      FROM word_map JOIN known_words USING (words_no)
    ), issues AS (
      SELECT issue_key, issue_no, first_row, report_slug, report_end_date, after_as_of, published_dates
      FROM issue_keys JOIN found_issues USING (issue_no)
    ), known AS (
      SELECT r.file_no, r.row_no, (r.row_no - i.first_row + 1)::INTEGER AS row_ordinal, i.* EXCLUDE (first_row, issue_key), w.* EXCLUDE (word_key), ${numbers},
        ${receiptsSql("r.receipts")} AS receipts, ${receiptsSql("r.receipts_prior")} AS receipts_prior, ${receiptsSql("r.receipts_year_ago")} AS receipts_year_ago,
        r.reject_reason AS reader_reason, r.reject_detail AS reader_detail
      FROM raw_rows AS r JOIN words AS w USING (word_key) JOIN issues AS i USING (issue_key)
    )
    SELECT file_no, row_no, issue_no, row_ordinal, ${valueColumns}, receipts, receipts_prior, receipts_year_ago, group_no,
      ${reject} AS reject_reason,
      CASE WHEN reject_reason IS NOT NULL THEN
        coalesce(CASE WHEN reject_reason = reader_reason THEN reader_detail END, word_detail, ${detailSql}) END AS reject_detail, hash(${valueColumns}) AS value_hash
    FROM known`,
  check: refuseLostRows,
});

/** Throws if a staged row found no words or no issue, so that no row is lost silently. */
async function refuseLostRows({db}: Run): Promise<void> {
  const [counts] = await db.rows<{lost: number}>(
    "SELECT ((SELECT count(*) FROM raw_rows) - (SELECT count(*) FROM measured_rows))::INTEGER AS lost",
  );
  if (counts!.lost !== 0) throw new Error(`${counts!.lost} staged rows have no words or no issue.`);
}
