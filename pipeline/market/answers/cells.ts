import type {Database} from "../../../lib/sql/duckdb.ts";
import {headTolerance, largestLot, outlier} from "./bounds.ts";
import {makeSoldIssues} from "./sold-issues.ts";

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

/** A trade with a delivery: forward months, FOB and delivered, and the regions are never one price. */
const tradePart = `CASE WHEN coalesce(delivery, region) IS NOT NULL THEN concat_ws('-', delivery, freight, ${slug("region")}) END`;

/** SQL: the stable slug of a row's cell without its descriptors, such as `feeder-steers-ml1-0750-0799-cwt`. */
const baseCell = `concat_ws('-', replace(replace(commodity, '_cattle', ''), '_', '-'), replace(class, '_', '-'),
  nullif(${frameCode} || coalesce(muscle_grade, ''), ''), ${slug("quality_grade")}, ${slug("dressing")},
  ${binPart}, nullif(${agePart}, ''), replace(price_unit, 'per_', ''), ${tradePart})`;

/** SQL: what an unfiltered question gets (`docs/design/market.md` section 9): plain lots of a few well-known cells. */
const headline = `coalesce(len(lot_descriptors) = 0 AND delivery IS NULL AND region IS NULL AND (
  (commodity = 'feeder_cattle' AND class IN ('steers', 'heifers') AND frame = 'medium_and_large'
    AND muscle_grade = '1' AND bin_low IN (500, 750) AND price_unit = 'per_cwt')
  OR (commodity = 'slaughter_cattle' AND price_unit = 'per_cwt' AND dressing = 'average'
    AND ((class = 'cows' AND quality_grade = 'boner') OR class = 'bulls'))
  OR (commodity = 'replacement_cattle' AND class IN ('bred_cows', 'cow_calf_pairs') AND price_unit <> 'per_cwt')),
  false)`;

/** Columns that define a cell; they are equal in every row of it. */
export const cellColumns = `cell_id, commodity, class, frame, muscle_grade, quality_grade, dressing, age_class,
  pregnancy_stage, weight_bin, lot_descriptors, price_unit, headline`;

/** The columns of a cell that history keeps; `history_no` numbers what is equal in them. */
export const historyColumns = "cell_id, commodity, class, weight_bin, price_unit";

/**
 * Makes the tables of which every price is made: `sold_issues`, `cells`, and `cell_rows`, each accepted row with the numbers of its
 * issue and of its cell, its weight for weighting (`w`, with the middle of a known break where the weight is missing), its head (`h`,
 * null where the head count cannot be right, which `head_excluded` says), its price in cents, whether it can be averaged (`usable`)
 * and whether it is an outlier of its (state, cell, 28 days).
 */
export async function makeCellRows(db: Database, asOf: string): Promise<void> {
  await makeSoldIssues(db, asOf);
  await makeCells(db);
  await db.run(cellRows);
  await flagOutliers(db);
}

/**
 * Makes `cell_keys`, the cell of each kind of row (words and weight bin), and `cells`, the facts of each cell by its `cell_no`.
 * A row's cell is found by two numbers, so that no text is made or compared row by row.
 */
async function makeCells(db: Database): Promise<void> {
  await db.run(`CREATE OR REPLACE TEMP TABLE cell_keys AS
    WITH met AS (
      SELECT DISTINCT words_no, weight_bin_low_lb AS bin_low FROM checked_rows WHERE reject_reason IS NULL
    ), based AS (
      SELECT *, ${baseCell} AS base_cell, ${headline} AS headline, ${binned} AS binned,
        CASE WHEN ${binned} AND bin_low IS NOT NULL THEN bin_low || '-' || (bin_low + 49) END AS weight_bin
      FROM met JOIN known_words USING (words_no)
    ), named AS (
      SELECT *, base_cell || coalesce('--' || nullif(replace(array_to_string(lot_descriptors, '--'), '_', '-'), ''), '')
        || CASE WHEN list_contains(lot_descriptors, 'other') THEN coalesce('-' || nullif(left(${slug("lot_description")}, 40), ''), '') ELSE '' END AS cell_id
      FROM based
    )
    SELECT words_no, bin_low, ${cellColumns}, base_cell, binned, weight_basis = 'estimated' AS weight_estimated,
      dense_rank() OVER (ORDER BY ${cellColumns}, base_cell)::INTEGER AS cell_no,
      dense_rank() OVER (ORDER BY ${historyColumns})::INTEGER AS history_no
    FROM named;
    CREATE OR REPLACE TEMP TABLE cells AS SELECT DISTINCT cell_no, history_no, ${cellColumns}, base_cell FROM cell_keys`);
}

/** SQL: a head count that no row of the sale can have (`docs/design/market.md` section 2, check 6). */
const headCannotBeRight = `head_count NOT BETWEEN 0 AND ${largestLot} OR head_count > ${headTolerance} * event_receipts`;

const cellRows = `CREATE OR REPLACE TEMP TABLE cell_rows AS
  WITH weighed AS (
    SELECT c.issue_no, k.cell_no, row_ordinal, weight_spans_bins, avg_weight_lb, weight_min_lb, weight_max_lb,
      price_avg, price_min, price_max, head_count, coalesce(${headCannotBeRight}, false) AS head_excluded, weight_estimated,
      price_unit = 'per_cwt' AS by_weight, binned AND bin_low IS NULL AS unbinned,
      coalesce(avg_weight_lb, CASE WHEN binned AND bin_low IS NOT NULL THEN bin_low + 25
        ELSE (weight_break_low_lb + weight_break_high_lb + 1) // 2 END)::INTEGER AS w,
      CASE WHEN NOT head_excluded THEN head_count END::BIGINT AS h, (price_avg * 100)::INTEGER AS cents
    FROM checked_rows AS c JOIN cell_keys AS k ON k.words_no = c.words_no AND k.bin_low IS NOT DISTINCT FROM c.weight_bin_low_lb
    JOIN sold_issues USING (issue_no) WHERE reject_reason IS NULL
  )
  SELECT * EXCLUDE (by_weight, unbinned), avg_weight_lb IS NULL AND w IS NOT NULL AND by_weight AS w_imputed,
    coalesce(cents > 0 AND h > 0 AND (NOT by_weight OR w > 0) AND NOT unbinned, false) AS usable,
    false AS outlier, NULL::DOUBLE AS median_price
  FROM weighed`;

/** V7: flags, never deletes. Medians of integer cents are exact, so two runs flag the same rows. */
async function flagOutliers(db: Database): Promise<void> {
  await db.run(`
    CREATE OR REPLACE TEMP TABLE outlier_rows AS
    WITH candidates AS (
      SELECT cell_rows.rowid AS row_no, state, cell_id, cents
      FROM cell_rows JOIN current_issues USING (issue_no) JOIN cells USING (cell_no)
      WHERE report_scope = 'venue' AND usable AND state IS NOT NULL AND age <= ${outlier.days}
    ), medians AS (
      SELECT state, cell_id, median(cents) AS middle, count(*) AS row_count FROM candidates GROUP BY ALL
      HAVING row_count >= ${outlier.minRows}
    ), spreads AS (
      SELECT state, cell_id, middle, median(abs(cents - middle)) AS mad
      FROM candidates JOIN medians USING (state, cell_id) GROUP BY ALL HAVING mad > 0
    )
    SELECT row_no, middle FROM candidates JOIN spreads USING (state, cell_id)
    WHERE abs(0.6745 * (cents - middle) / mad) > ${outlier.z} AND abs(cents - middle) > ${outlier.share} * middle;
    UPDATE cell_rows SET outlier = true, median_price = middle / 100
    FROM outlier_rows WHERE cell_rows.rowid = outlier_rows.row_no;
    DROP TABLE outlier_rows`);
}
