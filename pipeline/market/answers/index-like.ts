import type {Database} from "../../../lib/sql/duckdb.ts";
import {type Aggregate, aggregate} from "./aggregates.ts";

/** Slug of the cell that follows the exchange's feeder index: not one of the served cells. */
const indexLikeCell = "feeder-steers-index-like-cwt";

/**
 * The rows that the exchange's feeder index would count (specification since the May 2019 contract): steers, Medium and
 * Large 1 and 1-2, 700-899 lb, no dairy, Brahman or exotic descriptor, pooled over pounds whatever else is said of the lot.
 */
const rows = `(SELECT * REPLACE ('${indexLikeCell}' AS cell_id, '${indexLikeCell}' AS base_cell, NULL::VARCHAR AS muscle_grade,
    '700-899' AS weight_bin, []::VARCHAR[] AS lot_descriptors, false AS headline)
  FROM cell_rows
  WHERE commodity = 'feeder_cattle' AND class = 'steers' AND frame = 'medium_and_large' AND muscle_grade IN ('1', '1-2')
    AND price_unit = 'per_cwt' AND w BETWEEN 700 AND 899
    AND NOT list_has_any(lot_descriptors, ['dairy_cross', 'brahman_x', 'exotic']))`;

/** The index-like price per key (`venue_id`, `report_end_date` and so on) of the given rows of `cell_rows`. */
export async function indexLikePrices<Key extends string>(
  db: Database,
  keys: readonly Key[],
  where: string,
): Promise<(Aggregate & Record<Key, string>)[]> {
  return aggregate(db, keys, where, rows);
}
