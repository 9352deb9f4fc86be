/**
 * SQL: start of the 50-lb bin (`docs/design/market.md` section 3, vector V16): the row's break where it is exactly one bin,
 * else the bin that holds the average weight, unrounded; null without either. Bins are half-open: 750 lb is in 750-799.
 */
export function weightBinSql(low: string, high: string, average: string): string {
  return `CASE WHEN ${high} - ${low} = 50 AND ${low} % 50 = 0 AND ${low} BETWEEN 0 AND 1e5 THEN ${low}
    WHEN ${average} > 0 AND ${average} < 1e5 THEN floor(${average} / 50) * 50 END::INTEGER`;
}
