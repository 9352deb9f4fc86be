import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import {type BuiltMarket, tableOf} from "./weekly-builds.ts";

export type PriceTable = "county_prices" | "state_prices" | "latest_prices";
type Status = {change_status: string; expected: string; n: number};

/** The words of a cell as a record and as its rows state them. */
const words = `commodity, class, frame, muscle_grade, quality_grade, dressing, age_class, pregnancy_stage, offspring_weight, list_sort(lot_descriptors), price_unit`;
const factsOfRecord = `row(${words}, weight_bin)::VARCHAR AS facts`;
const factsOfRow = `row(${words}, CASE WHEN commodity IN ('feeder_cattle', 'dairy_calves') THEN weight_bin_low_lb || '-' || (weight_bin_low_lb + 49) END)::VARCHAR AS facts`;

/** The values in which a record is told as revised. */
const values =
  'row(price_avg, price_low, price_high, head_count, contributing_head, avg_weight_lb, "rows", first_sale_date, last_sale_date)';
const areas: Readonly<Record<PriceTable, string>> = {
  county_prices: "county_fips || '|' || cell_id",
  state_prices: "state || '|' || cell_id",
  latest_prices: "record_key",
};

/** SQL: what each issue says of each kind of cattle, row by row. */
const issuesOf = (build: BuiltMarket) =>
  `(SELECT issue_id, ${factsOfRow}, list_sort(list(row(head_count, avg_weight_lb, price_avg, price_min, price_max)::VARCHAR)) AS content
  FROM ${tableOf(build, "price_rows/*/rows")} GROUP BY ALL)`;
const citedOf = (build: BuiltMarket) =>
  `(SELECT evidence_id, unnest(from_json(transformation->'inputs', '["VARCHAR"]')) AS issue_id FROM ${tableOf(build, "evidence")})`;

/**
 * Change statuses of a price table against a diff of the issues of this and the previous build, made of their price rows
 * (`docs/design/market.md` section 6): how many records have each status, and which they should have; and the records that should be
 * tombstones.
 */
export async function statusesOf(
  db: Database,
  table: PriceTable,
  now: BuiltMarket,
  before: BuiltMarket | null,
): Promise<Status[]> {
  const none = (sql: string) => (before === null ? `(SELECT * FROM ${sql} LIMIT 0)` : sql);
  const earlier = before ?? now;
  const area = areas[table];
  const records = (build: BuiltMarket) =>
    `(SELECT *, ${area} AS area, ${factsOfRecord}, ${values}::VARCHAR AS told FROM ${tableOf(build, table)})`;
  const later =
    table === "latest_prices"
      ? "n.record_key IS NOT NULL AND split_part(n.record_key, '|', 1) = split_part(e.record_key, '|', 1) AND split_part(n.record_key, '|', 2) = split_part(e.record_key, '|', 2) AND n.last_sale_date > e.last_sale_date"
      : table === "state_prices"
        ? "n.state = e.state AND n.change_status <> 'withdrawn' AND n.week_end_date > e.week_end_date"
        : "false";
  const days = table === "latest_prices" ? "60" : "greatest(coalesce(e.window_days, 0), 14)";
  return db.rows<Status>(`
    WITH issues AS (FROM ${issuesOf(now)}), issues_before AS (FROM ${none(issuesOf(earlier))}),
    records AS (FROM ${records(now)}), records_before AS (FROM ${none(records(earlier))}),
    changed AS (
      SELECT issue_id, facts, n.content IS NULL AS is_gone FROM issues AS n FULL JOIN issues_before AS e USING (issue_id, facts)
      WHERE n.content IS DISTINCT FROM e.content AND issue_id IN (SELECT issue_id FROM issues_before)
    ), news AS (
      SELECT evidence_id, bool_or(issue_id NOT IN (SELECT issue_id FROM issues_before)) AS is_unread FROM ${citedOf(now)} GROUP BY evidence_id
    ), corrected AS (
      SELECT DISTINCT evidence_id, facts FROM ${citedOf(now)} JOIN changed USING (issue_id)
    ), lost AS (
      SELECT DISTINCT e.area FROM records_before AS e JOIN ${none(citedOf(earlier))} AS c USING (evidence_id) JOIN changed AS g ON g.issue_id = c.issue_id AND g.facts = e.facts
      WHERE is_gone AND e.change_status <> 'withdrawn' AND e.price_basis <> 'nearest_market_estimate'
        AND date_diff('day', try_cast(split_part(c.issue_id, '@', 2) AS DATE), DATE ${sqlText(now.asOf)}) <= ${days}
        AND e.area NOT IN (SELECT area FROM records WHERE change_status <> 'withdrawn' AND price_basis <> 'nearest_market_estimate')
        AND NOT EXISTS (SELECT 1 FROM records AS n WHERE ${later})
    ), judged AS (
      SELECT n.change_status, CASE WHEN n.change_status = 'withdrawn' THEN CASE WHEN n.area IN (SELECT area FROM lost) THEN 'withdrawn' ELSE 'no record' END
        WHEN is_unread THEN 'new'
        WHEN c.facts IS NOT NULL AND (e.area IS NULL OR e.change_status = 'withdrawn' OR n.told IS DISTINCT FROM e.told) THEN 'revised'
        WHEN n.age_days > 21 THEN 'stale' ELSE 'unchanged' END AS expected
      FROM records AS n LEFT JOIN records_before AS e ON e.area = n.area AND e.price_basis = n.price_basis
      LEFT JOIN news ON news.evidence_id = n.evidence_id LEFT JOIN corrected AS c ON c.evidence_id = n.evidence_id AND c.facts = n.facts
      UNION ALL SELECT 'no record', 'withdrawn' FROM lost WHERE area NOT IN (SELECT area FROM records WHERE change_status = 'withdrawn')
    )
    SELECT change_status, expected, count(*)::INTEGER AS n FROM judged GROUP BY ALL ORDER BY ALL`);
}
