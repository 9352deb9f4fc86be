/** SQL condition: the cattle of a weight curve (`docs/design/market.md` section 7.1). Other frames and grades never enter one. */
export const ofCurve = `commodity = 'feeder_cattle' AND class IN ('steers', 'heifers') AND frame = 'medium_and_large' AND muscle_grade IN ('1', '1-2')
  AND price_unit = 'per_cwt' AND len(lot_descriptors) = 0 AND delivery IS NULL AND region IS NULL`;
