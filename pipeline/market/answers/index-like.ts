import {aggregateSql, saleCellsSql} from "./aggregates.ts";
import {servedIssue} from "./sold-issues.ts";

/** Slug of the cell that follows the exchange's feeder index: not one of the served cells. */
const indexLikeCell = "feeder-steers-index-like-cwt";

/** SQL of the served cells whose rows are counted together; what the index does not ask for stays apart. */
const members = `SELECT cell_no, min(cell_no) OVER (PARTITION BY quality_grade, dressing, age_class, pregnancy_stage) AS index_no FROM cells
  WHERE commodity = 'feeder_cattle' AND class = 'steers' AND frame = 'medium_and_large' AND muscle_grade IN ('1', '1-2')
    AND price_unit = 'per_cwt' AND NOT list_has_any(lot_descriptors, ['dairy_cross', 'beef_cross', 'brahman_x', 'exotic'])`;

/**
 * The exchange's feeder index counts these rows (specification since the May 2019 contract): steers, Medium and
 * Large 1 and 1-2, 700-899 lb, no dairy, Brahman or exotic descriptor, pooled over pounds whatever else is said of the lot.
 */
const pool = {
  saleCells: `(${saleCellsSql(`(SELECT * REPLACE (index_no AS cell_no) FROM cell_rows JOIN (${members}) USING (cell_no) WHERE w BETWEEN 700 AND 899)`)})`,
  cells: `(SELECT * REPLACE ('${indexLikeCell}' AS cell_id, '${indexLikeCell}' AS base_cell, NULL::VARCHAR AS muscle_grade,
    '700-899' AS weight_bin, []::VARCHAR[] AS lot_descriptors, false AS headline) FROM cells)`,
};

/** SQL of the pooled figures of the index-like cell per key, over the served issues for which a condition holds. */
export function indexLikeSql(keys: readonly string[], where: string): string {
  return aggregateSql(keys, `${where} AND ${servedIssue}`, pool);
}
