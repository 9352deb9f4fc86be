import type {Database} from "../../../lib/sql/duckdb.ts";
import {decimal, money, rounded} from "../../../schemas/market-fields/market-field.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {namesOf} from "../../../schemas/vocabulary/market-column.ts";
import {cellColumns} from "../normalise/cell-rows.ts";
import {estimate, windowDays} from "../rules/pricing-rules.ts";
import {windowsSql} from "./aggregates.ts";
import {withCorrections} from "./corrected-sales.ts";
import {addDrafts, addTombstones, createDrafts, makeRecords, missingFromArea} from "./drafts.ts";
import {venueSale} from "./sold-issues.ts";

const ids = "'pc-' || county_fips || '-' || cell_id AS evidence_id";
const key = "concat_ws('|', county_fips, cell_id, first_date, last_date) AS record_key";

/** SQL: what the county's located venues sold in the last 14 days, or in the last 28 where the cell is thin. */
const observed = `SELECT *, ${ids}, ${key}, 'observed_in_county' AS price_basis, venue_ids AS markets
  FROM (${windowsSql(["county_fips"], `${venueSale} AND county_fips IS NOT NULL`, {
    issues: "(SELECT * FROM current_issues JOIN venue_counties USING (venue_id))",
  })}) JOIN county_places USING (county_fips)`;

/**
 * Makes `contributors`: for each county and headline cell without an observation, up to three nearest located venues within 150
 * miles where the cell is not thin; equal distances are ordered by venue id.
 */
const contributors = `CREATE OR REPLACE TEMP TABLE contributors AS
  SELECT n.county_fips, n.distance_mi, v.*, ${rounded("price", 2)} AS price_avg, price AS price_avg_unrounded, head AS head_count,
    last_date AS report_end_date, row_number() OVER (PARTITION BY n.county_fips, cell_id ORDER BY distance_mi, venue_id)::INTEGER AS rank
  FROM near_venues AS n JOIN (${windowsSql(["venue_id"], `${venueSale} AND venue_id IS NOT NULL`, {
    cells: "(SELECT * FROM cells WHERE headline)",
  })}) AS v USING (venue_id)
  WHERE NOT thin AND price IS NOT NULL AND (n.county_fips, cell_id) NOT IN (SELECT (county_fips, cell_id) FROM county_drafts)
  QUALIFY rank <= ${estimate.venues};
  CREATE OR REPLACE TABLE county_estimate_contributors AS SELECT ${namesOf(marketFiles.county_estimate_contributors.columns)} FROM contributors`;

const clampedMiles = `greatest(distance_mi, ${estimate.floorMiles})`;
const sumByRank = (term: string) => `list_reduce(list(${term} ORDER BY rank), (a, b) -> a + b)`;
const merged = (lists: string) => `list_sort(list_distinct(flatten(list(${lists})))) AS ${lists}`;

/**
 * SQL: the inverse-distance mean `P = sum(p / d^2) / sum(1 / d^2)`, summed nearest first; distances below 10 miles count as 10.
 */
export const inverseDistance = `${sumByRank(`1 / (${clampedMiles} * ${clampedMiles}) * price`)} / ${sumByRank(`1 / (${clampedMiles} * ${clampedMiles})`)}`;

const contributorText = `'{"venue_id":' || to_json(venue_id) || ',"distance_mi":' || ${decimal.text("distance_mi")}
  || ',"price_avg":' || ${money.text("price_avg")} || ',"head_count":' || head || ',"report_end_date":"' || last_date || '"}'`;

/** SQL: the estimates, inverse-distance means of the contributors. */
const estimates = `SELECT *, ${ids}, ${key}, county_fips IN (SELECT county_fips FROM venue_counties) AS has_venue FROM (
  SELECT county_fips, cell_id, 'nearest_market_estimate' AS price_basis, ${inverseDistance} AS price, min(price) AS low, max(price) AS high,
    sum(head)::INTEGER AS contributing_head, sum(row_count)::INTEGER AS row_count, sum(rows_excluded)::INTEGER AS rows_excluded,
    sum(weight_imputed_rows)::INTEGER AS weight_imputed_rows, bool_or(weight_spans_bins) AS weight_spans_bins, count(*)::INTEGER AS venues,
    max(window_days) AS window_days, bool_or(window_widened) AS window_widened, min(first_date) AS first_date, max(last_date) AS last_date,
    '[' || string_agg(${contributorText}, ',' ORDER BY rank) || ']' AS contributing_venues, min(distance_mi) AS nearest_distance_mi,
    list(venue_id ORDER BY rank) AS venue_ids, list(window_days ORDER BY rank) AS windows, ${merged("issue_ids")}, ${merged("source_ids")},
    bool_or(any_preliminary) AS any_preliminary, bool_or(any_estimated_weight) AS any_estimated_weight,
    max(ingested_at) AS ingested_at, max(last_verified_at) AS last_verified_at
  FROM contributors GROUP BY county_fips, cell_id
) JOIN (SELECT county_fips, ${cellColumns} FROM contributors WHERE rank = 1) USING (county_fips, cell_id) JOIN county_places USING (county_fips)`;

/**
 * Makes `county_prices`: observations at located venues, tombstones, and estimates of headline cells for the other counties;
 * also `county_estimate_contributors`.
 */
export async function makeCountyPrices(db: Database, previousDir: string | null): Promise<void> {
  await createDrafts(db, "county", previousDir);
  await addDrafts(db, "county", withCorrections(observed, "venue_ids"));
  await addTombstones(db, "county", {where: missingFromArea("county", "county_fips", windowDays), more: ids});
  await db.run(contributors);
  await addDrafts(db, "county", estimates);
  await makeRecords(db, "county");
}
