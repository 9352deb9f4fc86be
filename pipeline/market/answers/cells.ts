import type {Database} from "../../../lib/sql/duckdb.ts";
import {headTolerance, largestLot, latestMaxAgeDays, outlier, servedDays, yearBefore} from "./bounds.ts";

/** SQL: the words of a value as a slug; `>` and `<` become words, so that `>8` and `8` stay apart. */
function slug(expression: string): string {
  const words = `replace(replace(lower(${expression}), '>', 'over '), '<', 'under ')`;
  return `trim(regexp_replace(${words}, '[^a-z0-9]+', '-', 'g'), '-')`;
}

const frameCode = `CASE frame WHEN 'small' THEN 's' WHEN 'medium' THEN 'm' WHEN 'medium_and_large' THEN 'ml'
  WHEN 'large' THEN 'l' ELSE coalesce(${slug("frame")}, '') END`;

/**
 * Feeders and calves have cells by 50-lb bin, slaughter cattle by grade and dressing, replacement cattle by age and stage.
 */
const binned = "commodity IN ('feeder_cattle', 'dairy_calves')";

const agePart = `CASE WHEN commodity = 'replacement_cattle' THEN concat_ws('-', 'age' || ${slug("age_class")},
  ${slug("pregnancy_stage")}) END`;

const binPart = `CASE WHEN ${binned} THEN coalesce(
  lpad(bin_low::VARCHAR, 4, '0') || '-' || lpad((bin_low + 49)::VARCHAR, 4, '0'), 'noweight') END`;

/** SQL: the stable slug of a row's cell without its descriptors, such as `feeder-steers-ml1-0750-0799-cwt`. */
const baseCell = `concat_ws('-', replace(replace(commodity, '_cattle', ''), '_', '-'), replace(class, '_', '-'),
  nullif(${frameCode} || coalesce(muscle_grade, ''), ''), ${slug("quality_grade")}, ${slug("dressing")},
  ${binPart}, nullif(${agePart}, ''), replace(price_unit, 'per_', ''))`;

/** SQL: what an unfiltered question gets (`docs/design/market.md` section 9): plain lots of a few well-known cells. */
const headline = `coalesce(len(lot_descriptors) = 0 AND (
  (commodity = 'feeder_cattle' AND class IN ('steers', 'heifers') AND frame = 'medium_and_large'
    AND muscle_grade = '1' AND bin_low IN (500, 750) AND price_unit = 'per_cwt')
  OR (commodity = 'slaughter_cattle' AND price_unit = 'per_cwt' AND dressing = 'average'
    AND ((class = 'cows' AND quality_grade = 'boner') OR class = 'bulls'))
  OR (commodity = 'replacement_cattle' AND class IN ('bred_cows', 'cow_calf_pairs') AND price_unit <> 'per_cwt')),
  false)`;

/**
 * Makes `cell_rows` from `price_rows`: every row that is served or compared with, with its cell, its age on `asOf`, its
 * weight for weighting (`w`, with the middle of a known break where the weight is missing), its head (`h`, null where the head
 * count cannot be right, which `head_excluded` says), its price in cents, whether it can be averaged (`usable`) and whether it is an outlier of its (state, cell, 28 days).
 */
export async function makeCellRows(db: Database, asOf: string): Promise<void> {
  await db.run(`CREATE OR REPLACE TABLE cell_rows AS ${cellRowsSql("price_rows")}`, {asOf});
  await flagOutliers(db);
}

/** SQL of the receipts by issue version, for the rows of a table. */
const eventReceipts = {
  price_rows: `SELECT issue_id, issue_version, max(receipts) AS receipts FROM (
    SELECT issue_id, receipts FROM sale_events UNION ALL SELECT issue_id, receipts FROM summary_events)
    JOIN (SELECT issue_id, issue_version FROM report_issues WHERE current) USING (issue_id) GROUP BY ALL`,
  price_rows_superseded:
    "SELECT issue_id, issue_version, max(receipts) AS receipts FROM replaced_events GROUP BY ALL",
} as const;

/** SQL: a head count that no row of the sale can have (`docs/design/market.md` section 2, check 6). */
const headCannotBeRight = `head_count NOT BETWEEN 0 AND ${largestLot} OR head_count > ${headTolerance} * e.receipts`;

/**
 * SQL of a price table's rows with their cells, for the parameter `asOf`; no outlier is flagged yet. Rows that are neither served
 * nor compared with are left out unless all ages are wanted.
 */
export function cellRowsSql(
  table: "price_rows" | "price_rows_superseded",
  ages: "served ages" | "all ages" = "served ages",
): string {
  const served = `age <= ${servedDays.to} OR age BETWEEN ${yearBefore.from} AND ${yearBefore.to}`;
  return `
    WITH dated AS (
      SELECT p.* EXCLUDE (report_title, offspring_weight, source_path, freight, issue_published_at),
        date_diff('day', report_end_date, $asOf::DATE)::INTEGER AS age, weight_bin_low_lb AS bin_low,
        e.receipts AS event_receipts, coalesce(${headCannotBeRight}, false) AS head_excluded
      FROM ${table} AS p LEFT JOIN (${eventReceipts[table]}) AS e USING (issue_id, issue_version)
      WHERE ${ages === "all ages" ? "true" : served}
    ), celled AS (
      SELECT *, ${baseCell} AS base_cell, ${headline} AS headline,
        CASE WHEN ${binned} AND bin_low IS NOT NULL THEN bin_low || '-' || (bin_low + 49) END AS weight_bin,
        coalesce(avg_weight_lb, CASE WHEN ${binned} AND bin_low IS NOT NULL THEN bin_low + 25
          ELSE (weight_break_low_lb + weight_break_high_lb + 1) // 2 END)::BIGINT AS w,
        CASE WHEN NOT head_excluded THEN head_count END::BIGINT AS h, (price_avg * 100)::BIGINT AS cents
      FROM dated
    )
    SELECT * EXCLUDE (lot_description),
      base_cell || coalesce('--' || nullif(replace(array_to_string(lot_descriptors, '--'), '_', '-'), ''), '')
        || CASE WHEN list_contains(lot_descriptors, 'other') THEN coalesce('-' || nullif(left(${slug("lot_description")}, 40), ''), '') ELSE '' END AS cell_id,
      avg_weight_lb IS NULL AND w IS NOT NULL AND price_unit = 'per_cwt' AS w_imputed,
      coalesce(cents > 0 AND h > 0 AND (price_unit <> 'per_cwt' OR w > 0)
        AND NOT (${binned} AND bin_low IS NULL), false) AS usable,
      false AS outlier, NULL::DOUBLE AS median_price
    FROM celled`;
}

/** V7: flags, never deletes. Medians of integer cents are exact, so two runs flag the same rows. */
async function flagOutliers(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE cell_medians AS
    WITH candidates AS (
      SELECT state, cell_id, cents FROM cell_rows
      WHERE report_scope = 'venue' AND usable AND state IS NOT NULL AND age <= ${outlier.days}
    ), medians AS (
      SELECT state, cell_id, median(cents) AS middle, count(*) AS row_count FROM candidates GROUP BY ALL
      HAVING row_count >= ${outlier.minRows}
    )
    SELECT state, cell_id, middle, median(abs(cents - middle)) AS mad
    FROM candidates JOIN medians USING (state, cell_id) GROUP BY ALL HAVING mad > 0;
    UPDATE cell_rows SET outlier = true, median_price = middle / 100
    FROM cell_medians AS m
    WHERE cell_rows.state = m.state AND cell_rows.cell_id = m.cell_id AND report_scope = 'venue' AND usable
      AND age <= ${outlier.days}
      AND abs(0.6745 * (cents - middle) / mad) > ${outlier.z} AND abs(cents - middle) > ${outlier.share} * middle`);
}

/** SQL condition: rows of venues that may stand in an answer at all, by age. */
export const servableVenueRow = `report_scope IN ('venue', 'video_internet') AND venue_id IS NOT NULL
  AND age <= ${latestMaxAgeDays}`;
