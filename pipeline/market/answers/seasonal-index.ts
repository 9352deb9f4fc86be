const padded = (bin: string) => `lpad((${bin})::VARCHAR, 4, '0')`;

/** Pounds-weighted price of each month of the headline feeder cells of each venue, over all of history; months are numbered. */
const monthlyPrices = `
  SELECT venue_id, 'feeder-' || class || '-ml1-' || ${padded("weight_bin_low_lb")} || '-' || ${padded("weight_bin_low_lb + 49")}
      || '-cwt' AS cell_id, (year(report_end_date) * 12 + month(report_end_date) - 1)::INTEGER AS month_no,
    sum(head_count::HUGEINT * avg_weight_lb * (price_avg * 100)::BIGINT)::DOUBLE
      / (sum(head_count::HUGEINT * avg_weight_lb) * 100)::DOUBLE AS price,
    max(report_end_date) AS last_sale
  FROM price_rows
  WHERE report_scope = 'venue' AND venue_id IS NOT NULL AND commodity = 'feeder_cattle' AND class IN ('steers', 'heifers')
    AND frame = 'medium_and_large' AND muscle_grade = '1' AND weight_bin_low_lb IN (500, 750) AND len(lot_descriptors) = 0
    AND price_unit = 'per_cwt' AND head_count > 0 AND avg_weight_lb > 0
  GROUP BY ALL`;

/** SQL: the terms of a list added one after the other, so that the sum is the same each time. */
const added = (list: string) => `list_reduce(${list}, (a, b) -> a + b)`;

/** SQL of the mean of 13 months around one, with the two outer ones counted half. */
const centredMean = `${added("list_transform(around, (price, place) -> CASE WHEN place IN (1, 13) THEN price / 2 ELSE price END)")} / 12`;

/**
 * SQL of the seasonal index over monthly prices (`venue_id`, `cell_id`, `month_no`, `price`, `last_sale`) of each venue and headline
 * feeder cell: mean over the years of price over its 12-month centred mean, by month (1 to 12). One row without a value with fewer than
 * 5 complete years of index values.
 */
export function seasonalIndexSql(months: string): string {
  return `WITH months AS (${months}), centred AS (
    SELECT *, list(price) OVER (PARTITION BY venue_id, cell_id ORDER BY month_no RANGE BETWEEN 6 PRECEDING AND 6 FOLLOWING) AS around FROM months
  ), complete AS (
    SELECT venue_id, cell_id, month_no // 12 AS year, month_no % 12 + 1 AS month, price / (${centredMean}) AS ratio FROM centred
    WHERE len(around) = 13 QUALIFY count(*) OVER (PARTITION BY venue_id, cell_id, year) = 12
  ), indexed AS (
    SELECT venue_id, cell_id, month, ${added("list(ratio ORDER BY year)")} / count(*) AS value FROM complete GROUP BY ALL HAVING count(*) >= 5
  )
  SELECT venue_id, cell_id, report_end_date, month, value
  FROM (SELECT venue_id, cell_id, max(last_sale) AS report_end_date FROM months GROUP BY ALL) LEFT JOIN indexed USING (venue_id, cell_id)`;
}

/** SQL of the seasonal index of what the price rows tell. */
export const seasonalIndex = seasonalIndexSql(monthlyPrices);
