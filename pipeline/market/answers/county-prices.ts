import {estimate, windowDays} from "../../../lib/market/pricing-rules.ts";
import {build_facts} from "../../../lib/models/build-facts.ts";
import {model} from "../../../lib/models/model.ts";
import {decimal, money, rounded} from "../../../schemas/market-fields/market-field.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {namesOf} from "../../../schemas/vocabulary/market-column.ts";
import {cellColumns, cells} from "../normalise/cell-rows.ts";
import {report_titles} from "../normalise/issue-versions.ts";
import {sale_cells, windowsSql} from "./aggregates.ts";
import {cell_changes} from "./changes.ts";
import {corrected_sales, withCorrections} from "./corrected-sales.ts";
import {
  comparisonModels,
  draftColumnsOf,
  draftsSql,
  missingFromArea,
  recordColumnsOf,
  recordsSql,
  tombstoneModels,
  tombstonesSql,
} from "./drafts.ts";
import {previous_county_prices} from "./previous-build.ts";
import {current_issues, venueSale} from "./sold-issues.ts";
import {county_places, near_venues, venue_counties} from "./venue-places.ts";

const ids = "'pc-' || county_fips || '-' || cell_id AS evidence_id";
const key = "concat_ws('|', county_fips, cell_id, price_basis) AS record_key";

const observed = `SELECT *, 'observed_in_county' AS price_basis, ${ids}, ${key}, venue_ids AS markets
  FROM (${windowsSql(["county_fips"], `${venueSale} AND county_fips IS NOT NULL`, {
    issues: "(SELECT * FROM current_issues JOIN venue_counties USING (venue_id))",
  })}) JOIN county_places USING (county_fips)`;

/** What each county's located venues sold in the last 14 days, or in the last 28 where the cell is thin. */
export const county_observations = model({
  name: "county_observations",
  reads: [sale_cells, cells, current_issues, venue_counties, county_places, corrected_sales, build_facts],
  columns: draftColumnsOf("county"),
  sql: () => draftsSql("county", withCorrections(observed, "venue_ids")),
});

/** Observations of the previous build that their source has withdrawn. */
export const county_tombstones = model({
  name: "county_tombstones",
  reads: [previous_county_prices, county_observations, ...tombstoneModels, build_facts],
  columns: draftColumnsOf("county"),
  sql: () =>
    tombstonesSql("county", {
      where: missingFromArea("county_observations", "county_fips"),
      days: `coalesce(window_days, ${windowDays})`,
      more: ids,
    }),
});

/**
 * For each county and headline cell without an observation, up to three nearest located venues within 150 miles where the cell is
 * not thin; equal distances are ordered by venue id.
 */
export const contributors = model({
  name: "contributors",
  reads: [near_venues, sale_cells, cells, current_issues, county_observations, county_tombstones],
  columns: {
    VARCHAR:
      "county_fips venue_id cell_id commodity class frame muscle_grade quality_grade dressing age_class pregnancy_stage offspring_weight weight_bin lot_description price_unit delivery freight region ingested_at last_verified_at",
    DOUBLE: "distance_mi price avg_weight low high price_avg_unrounded",
    "VARCHAR[]":
      "lot_descriptors venue_ids issue_ids report_slugs source_ids systems programs statuses published",
    BOOLEAN: "headline weight_spans_bins thin any_preliminary any_estimated_weight window_widened",
    INTEGER:
      "head head_recency row_count rows_excluded weight_imputed_rows venues described_head window_days head_count rank",
    DATE: "first_date last_date report_end_date",
    "DECIMAL(9,2)": "price_avg",
  },
  sql: () => `SELECT n.county_fips, n.distance_mi, v.*, ${rounded("price", 2)} AS price_avg, price AS price_avg_unrounded, head AS head_count,
    last_date AS report_end_date, row_number() OVER (PARTITION BY n.county_fips, cell_id ORDER BY distance_mi, venue_id)::INTEGER AS rank
  FROM near_venues AS n JOIN (${windowsSql(["venue_id"], `${venueSale} AND venue_id IS NOT NULL`, {
    cells: "(SELECT * FROM cells WHERE headline)",
  })}) AS v USING (venue_id)
  WHERE NOT thin AND price IS NOT NULL AND (n.county_fips, cell_id) NOT IN (
    SELECT (county_fips, cell_id) FROM county_observations UNION ALL SELECT (county_fips, cell_id) FROM county_tombstones)
  QUALIFY rank <= ${estimate.venues}`,
});

/** The contributors as analysts get them. */
export const county_estimate_contributors = model({
  name: "county_estimate_contributors",
  reads: [contributors],
  columns: marketFiles.county_estimate_contributors.columns,
  materialise: "table",
  sql: () => `SELECT ${namesOf(marketFiles.county_estimate_contributors.columns)} FROM contributors`,
});

const clampedMiles = `greatest(distance_mi, ${estimate.floorMiles})`;
const sumByRank = (term: string) => `list_reduce(list(${term} ORDER BY rank), (a, b) -> a + b)`;
const merged = (lists: string) => `list_sort(list_distinct(flatten(list(${lists})))) AS ${lists}`;

/**
 * SQL: the inverse-distance mean `P = sum(p / d^2) / sum(1 / d^2)`, summed nearest first; distances below 10 miles count as 10.
 */
export const inverseDistance = `${sumByRank(`1 / (${clampedMiles} * ${clampedMiles}) * price`)} / ${sumByRank(`1 / (${clampedMiles} * ${clampedMiles})`)}`;

const contributorText = `'{"venue_id":' || to_json(venue_id) || ',"distance_mi":' || ${decimal.text("distance_mi")}
  || ',"price_avg":' || ${money.text("price_avg")} || ',"head_count":' || head || ',"report_end_date":"' || last_date || '"}'`;

const estimates = `SELECT *, ${ids}, ${key}, county_fips IN (SELECT county_fips FROM venue_counties) AS has_venue FROM (
  SELECT county_fips, cell_id, 'nearest_market_estimate' AS price_basis, ${inverseDistance} AS price, min(price) AS low, max(price) AS high,
    sum(head)::INTEGER AS contributing_head, sum(head_recency)::INTEGER AS head_recency, sum(row_count)::INTEGER AS row_count, sum(rows_excluded)::INTEGER AS rows_excluded,
    sum(weight_imputed_rows)::INTEGER AS weight_imputed_rows, bool_or(weight_spans_bins) AS weight_spans_bins, count(*)::INTEGER AS venues,
    max(window_days) AS window_days, bool_or(window_widened) AS window_widened, min(first_date) AS first_date, max(last_date) AS last_date,
    '[' || string_agg(${contributorText}, ',' ORDER BY rank) || ']' AS contributing_venues, min(distance_mi) AS nearest_distance_mi,
    list(venue_id ORDER BY rank) AS venue_ids, list(window_days ORDER BY rank) AS windows, ${merged("issue_ids")}, ${merged("source_ids")},
    bool_or(any_preliminary) AS any_preliminary, bool_or(any_estimated_weight) AS any_estimated_weight,
    max(ingested_at) AS ingested_at, max(last_verified_at) AS last_verified_at
  FROM contributors GROUP BY county_fips, cell_id
) JOIN (SELECT county_fips, ${cellColumns} FROM contributors WHERE rank = 1) USING (county_fips, cell_id) JOIN county_places USING (county_fips)`;

/** Inverse-distance means of the contributors. */
export const county_estimates = model({
  name: "county_estimates",
  reads: [contributors, venue_counties, county_places],
  columns: draftColumnsOf("county"),
  sql: () => draftsSql("county", estimates),
});

/** Observations at located venues, tombstones, and estimates of headline cells for the other counties. */
export const county_drafts = model({
  name: "county_drafts",
  reads: [county_observations, county_tombstones, county_estimates],
  columns: draftColumnsOf("county"),
  materialise: "view",
  sql: () => "FROM county_observations UNION ALL FROM county_tombstones UNION ALL FROM county_estimates",
});

/** The price of each cell in each county, as it is served. */
export const county_prices = model({
  name: "county_prices",
  reads: [
    county_drafts,
    previous_county_prices,
    ...comparisonModels,
    cell_changes,
    report_titles,
    build_facts,
  ],
  columns: recordColumnsOf("county"),
  materialise: "table",
  sql: () => recordsSql("county"),
});
