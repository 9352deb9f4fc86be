import {curveAges} from "../../../lib/market/pricing-rules.ts";
import {model} from "../../../lib/models/model.ts";
import {cells} from "../normalise/cell-rows.ts";
import {instantText} from "./aggregates.ts";
import {ofCurve} from "./curve-cattle.ts";
import {previous_evidence} from "./previous-build.ts";
import {cell_rows} from "./price-cells.ts";
import {reporter_trends} from "./reporter-trends.ts";
import {current_issues, venueSale} from "./sold-issues.ts";
import {notTested, untested_cells} from "./untested-cells.ts";
import {venue_places} from "./venue-places.ts";

/** SQL condition: cattle whose figures are means of cells, of lots without comment. */
const ofOthers = `NOT (commodity = 'feeder_cattle' AND class IN ('steers', 'heifers')) AND len(lot_descriptors) = 0 AND delivery IS NULL AND region IS NULL`;

/** SQL condition: feeder steers and heifers of any frame, grade and comment. */
const feeders = `commodity = 'feeder_cattle' AND class IN ('steers', 'heifers') AND delivery IS NULL AND region IS NULL`;

/** What is told of such a cell. */
const cellFacts = [
  ...["cell_id", "commodity", "class", "frame", "muscle_grade", "quality_grade", "dressing", "age_class"],
  ...["pregnancy_stage", "offspring_weight", "weight_bin", "lot_descriptors", "price_unit", "headline"],
];

/** SQL: the issues that the earlier build cited. */
const citedIssues = `SELECT DISTINCT unnest(json_extract_string(transformation, '$.inputs[*]')) AS issue_id FROM previous_evidence`;

/**
 * The pens of the weight curves: one row for each issue and class, with its pens as JSON, `[grade, pounds, USD per cwt, head]` each, with a
 * 1 behind the head where the reporter says that there was no market test of them, and none where a venue sold other feeders of the class
 * alone. Besides sales of venues it has the state summaries,
 * against which a curve is checked. Other cattle than feeder steers and heifers have a row for each issue and cell of the last 28 days, with
 * the facts of the cell in `cell`, and pens without a grade.
 */
export const sale_pens = model({
  name: "sale_pens",
  reads: [cell_rows, cells, current_issues, venue_places, previous_evidence, reporter_trends, untested_cells],
  columns: {
    VARCHAR:
      "state venue_id venue_name place county_fips report_scope class cell issue_id source_id ingested_at last_verified_at pens",
    DATE: "report_end_date",
    INTEGER: "age_days",
    BOOLEAN: "is_new preliminary",
    DOUBLE: "lat lon",
  },
  materialise: "table",
  sql: () => `
    WITH untested AS (
      SELECT DISTINCT issue_no, row_ordinal, ',1' AS mark FROM cell_rows AS r JOIN cells AS c USING (cell_no) JOIN current_issues USING (issue_no) JOIN reporter_trends AS t USING (issue_id)
      WHERE ${notTested({commodity: "c.commodity", class: "c.class", grade: "c.muscle_grade", low: "r.w", high: "r.w"})}
    ), sold AS (
      SELECT issue_no, class, '[' || coalesce(string_agg(format('["{}",{},{},{}{}]', muscle_grade, w, cents / 100, h, coalesce(mark, '')), ',' ORDER BY row_ordinal)
        FILTER (WHERE ${ofCurve} AND usable AND NOT outlier AND NOT w_imputed), '') || ']' AS pens
      FROM cell_rows JOIN cells USING (cell_no) LEFT JOIN untested USING (issue_no, row_ordinal)
      WHERE ${feeders} GROUP BY issue_no, class
    ), others AS (
      SELECT issue_no, cell_no, '[' || string_agg(format('["",{},{},{}{}]', coalesce(w::VARCHAR, 'null'), cents / 100, h, CASE WHEN u.issue_no IS NULL THEN '' ELSE ',1' END), ',' ORDER BY row_ordinal) || ']' AS pens
      FROM cell_rows JOIN cells USING (cell_no) LEFT JOIN untested_cells AS u USING (issue_no, cell_no)
      WHERE ${ofOthers} AND usable AND NOT outlier GROUP BY issue_no, cell_no
    ), all_pens AS (
      SELECT issue_no, class, NULL AS cell, pens FROM sold
      UNION ALL SELECT issue_no, class, to_json({${cellFacts.map((name) => `'${name}': ${name}`).join(", ")}})::VARCHAR, pens FROM others JOIN cells USING (cell_no)
    )
    SELECT i.state, i.venue_id, coalesce(v.venue_name, i.venue_name) AS venue_name, coalesce(v.place, i.state) AS place, v.county_fips,
      report_scope, class, cell, issue_id, source_id, ${instantText("ingested_at")} AS ingested_at,
      ${instantText("last_verified_at")} AS last_verified_at, pens, report_end_date, age AS age_days,
      issue_id NOT IN (${citedIssues}) AS is_new, issue_status = 'preliminary' AS preliminary, v.lat, v.lon
    FROM all_pens JOIN current_issues AS i USING (issue_no) LEFT JOIN venue_places AS v USING (venue_id)
    WHERE i.state IS NOT NULL AND (age BETWEEN 0 AND ${curveAges.to} OR age BETWEEN ${curveAges.yearFrom} AND ${curveAges.yearTo})
      AND (${venueSale} AND i.venue_id IS NOT NULL AND (cell IS NULL AND pens <> '[]' OR age <= ${curveAges.to})
        OR report_scope = 'state_summary' AND cell IS NULL AND pens <> '[]')`,
});
