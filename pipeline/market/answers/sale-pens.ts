import {model} from "../models/model.ts";
import {cells} from "../normalise/cell-rows.ts";
import {curveAges} from "../rules/pricing-rules.ts";
import {instantText} from "./aggregates.ts";
import {previous_evidence} from "./previous-build.ts";
import {cell_rows} from "./price-cells.ts";
import {current_issues, venueSale} from "./sold-issues.ts";
import {venue_places} from "./venue-places.ts";

/** SQL condition: the cattle of a weight curve (`docs/design/market.md` section 7.1). Other frames and grades never enter one. */
export const ofCurve = `commodity = 'feeder_cattle' AND class IN ('steers', 'heifers') AND frame = 'medium_and_large' AND muscle_grade IN ('1', '1-2')
  AND price_unit = 'per_cwt' AND len(lot_descriptors) = 0 AND delivery IS NULL AND region IS NULL`;

/** SQL: the issues that the earlier build cited. */
const citedIssues = `SELECT DISTINCT unnest(json_extract_string(transformation, '$.inputs[*]')) AS issue_id FROM previous_evidence`;

/**
 * The pens of the weight curves: one row for each issue and class, with its pens as JSON, `[grade, pounds, USD per cwt, head]` each. Besides
 * sales of venues it has the state summaries, against which a curve is checked.
 */
export const sale_pens = model({
  name: "sale_pens",
  reads: [cell_rows, cells, current_issues, venue_places, previous_evidence],
  columns: {
    VARCHAR:
      "state venue_id venue_name place county_fips report_scope class issue_id source_id ingested_at last_verified_at pens",
    DATE: "report_end_date",
    INTEGER: "age_days",
    BOOLEAN: "is_new preliminary",
    DOUBLE: "lat lon",
  },
  materialise: "table",
  sql: () => `
    WITH sold AS (
      SELECT issue_no, class, '[' || string_agg(format('["{}",{},{},{}]', muscle_grade, w, cents / 100, h), ',' ORDER BY row_ordinal) || ']' AS pens
      FROM cell_rows JOIN cells USING (cell_no)
      WHERE ${ofCurve} AND usable AND NOT outlier AND NOT w_imputed GROUP BY issue_no, class
    )
    SELECT i.state, i.venue_id, coalesce(v.venue_name, i.venue_name) AS venue_name, coalesce(v.place, i.state) AS place, v.county_fips,
      report_scope, class, issue_id, source_id, ${instantText("ingested_at")} AS ingested_at,
      ${instantText("last_verified_at")} AS last_verified_at, pens, report_end_date, age AS age_days,
      issue_id NOT IN (${citedIssues}) AS is_new, issue_status = 'preliminary' AS preliminary, v.lat, v.lon
    FROM sold JOIN current_issues AS i USING (issue_no) LEFT JOIN venue_places AS v USING (venue_id)
    WHERE i.state IS NOT NULL AND (age BETWEEN 0 AND ${curveAges.to} OR age BETWEEN ${curveAges.yearFrom} AND ${curveAges.yearTo})
      AND (${venueSale} AND i.venue_id IS NOT NULL OR report_scope = 'state_summary')`,
});
