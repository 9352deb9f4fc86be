import {aggregateSql, saleCellsSql} from "./aggregates.ts";
import {servedIssue} from "./sold-issues.ts";

/** Slug of the cell that follows the exchange's feeder index; not a served cell. */
const indexLikeCell = "feeder-steers-index-like-cwt";

/** SQL: served cells and the number of the index cell that pools them; properties that the index ignores stay separate. */
const members = `SELECT cell_no, min(cell_no) OVER (PARTITION BY quality_grade, dressing, age_class, pregnancy_stage) AS index_no FROM cells
  WHERE commodity = 'feeder_cattle' AND class = 'steers' AND frame = 'medium_and_large' AND muscle_grade IN ('1', '1-2')
    AND price_unit = 'per_cwt' AND NOT list_has_any(lot_descriptors, ['dairy_cross', 'beef_cross', 'brahman_x', 'exotic'])`;

/**
 * The rows that the exchange's feeder index counts (specification since the May 2019 contract): steers, Medium and Large 1 and
 * 1-2, 700-899 lb, no dairy, Brahman or exotic descriptor, pooled by pounds across all other descriptors.
 */
const pool = {
  saleCells: `(${saleCellsSql(`(SELECT * REPLACE (index_no AS cell_no) FROM cell_rows JOIN (${members}) USING (cell_no) WHERE w BETWEEN 700 AND 899)`)})`,
  cells: `(SELECT * REPLACE ('${indexLikeCell}' AS cell_id, '${indexLikeCell}' AS base_cell, NULL::VARCHAR AS muscle_grade,
    '700-899' AS weight_bin, []::VARCHAR[] AS lot_descriptors, false AS headline) FROM cells)`,
};

/** SQL: pooled figures of the index-like cell per key, over served issues that meet the condition. */
export function indexLikeSql(keys: readonly string[], where: string): string {
  return aggregateSql(keys, `${where} AND ${servedIssue}`, pool);
}
