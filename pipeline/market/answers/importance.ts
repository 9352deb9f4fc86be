/**
 * SQL of the order of records within an area (`docs/design/market.md` section 9), what matters first: headline cells in their
 * order; plain cells that are not thin, described ones, and thin ones, each by head, most first; ties by cell.
 */
export const importanceOrder = `
  CASE WHEN NOT headline THEN CASE WHEN thin THEN 10 WHEN len(lot_descriptors) > 0 THEN 9 ELSE 8 END
    WHEN commodity = 'feeder_cattle' THEN CASE class WHEN 'steers' THEN 0 ELSE 2 END + CASE weight_bin WHEN '500-549' THEN 0 ELSE 1 END
    WHEN commodity = 'slaughter_cattle' THEN CASE class WHEN 'cows' THEN 4 ELSE 5 END
    ELSE CASE class WHEN 'bred_cows' THEN 6 ELSE 7 END END,
  coalesce(head_count, contributing_head) DESC NULLS LAST, cell_id`;
