import {model} from "../../../lib/models/model.ts";
import {price_rows} from "../normalise/market-rows.ts";
import {venue_counties} from "./venue-places.ts";

/**
 * For answers without rows: the newest report date in history per endpoint and area (state code, county FIPS code, or an empty text
 * for everywhere).
 */
export const last_known = model({
  name: "last_known",
  reads: [venue_counties, price_rows],
  columns: {VARCHAR: "endpoint area", DATE: "source_date"},
  materialise: "table",
  sql: () => `
    WITH dated AS (
      SELECT p.state, v.county_fips, p.report_scope, p.day
      FROM (SELECT state, venue_id, report_scope, max(report_end_date) AS day FROM price_rows GROUP BY ALL) AS p
      LEFT JOIN venue_counties AS v USING (venue_id)
    ), areas AS (
      SELECT ['price-by-county', 'latest-prices', 'barns', 'cattle-sale-barn-directory'] AS endpoints, county_fips AS area, day
      FROM dated WHERE county_fips IS NOT NULL
      UNION ALL
      SELECT ['price-by-county', 'latest-prices', 'barns', 'cattle-sale-barn-directory'], unnest([state, '']), day
      FROM dated WHERE report_scope IN ('venue', 'video_internet') AND state IS NOT NULL
      UNION ALL
      SELECT ['price-by-state'], unnest([state, '']), day FROM dated
      WHERE report_scope IN ('venue', 'state_summary') AND state IS NOT NULL
    )
    SELECT endpoint, area, max(day) AS source_date
    FROM (SELECT unnest(endpoints) AS endpoint, area, day FROM areas) GROUP BY ALL ORDER BY ALL`,
});
