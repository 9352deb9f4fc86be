import {latestMaxAgeDays} from "../../../lib/market/pricing-rules.ts";
import {model} from "../../../lib/models/model.ts";
import {cells} from "../normalise/cell-rows.ts";
import {sale_cells, salePricesSql} from "./aggregates.ts";
import {current_issues} from "./sold-issues.ts";

/** The columns in which two feeder cells of one sale must be equal to be neighbours by weight. */
export const cellWords = [
  "class",
  "frame",
  "muscle_grade",
  "quality_grade",
  "dressing",
  "age_class",
  "pregnancy_stage",
];
const served = `report_scope = 'venue' AND venue_id IS NOT NULL AND age <= ${latestMaxAgeDays}`;
const columns = {
  VARCHAR: "venue_id cell_id class frame muscle_grade quality_grade dressing age_class pregnancy_stage",
  DATE: "report_end_date",
  DOUBLE: "price avg_weight",
  INTEGER: "head head_count bin",
} as const;

const salesOf = (lots: string) => `
  SELECT venue_id, report_end_date, cell_id, ${cellWords.join(", ")}, price, avg_weight, head, head AS head_count, split_part(weight_bin, '-', 1)::INTEGER AS bin
  FROM (${salePricesSql(["venue_id", "report_end_date"], served)})
  WHERE commodity = 'feeder_cattle' AND price_unit = 'per_cwt' AND weight_bin IS NOT NULL AND ${lots}
    AND NOT thin AND price IS NOT NULL AND avg_weight IS NOT NULL`;

/** Sales of feeder cattle by weight bin, from which prices of weight are derived: lots without comment. */
export const feeder_sales = model({
  name: "feeder_sales",
  reads: [sale_cells, cells, current_issues],
  columns,
  sql: () => salesOf("len(lot_descriptors) = 0"),
});

/** The same of lots with a comment, such as weaned or value-added ones, each kind apart. */
export const described_sales = model({
  name: "described_sales",
  reads: [sale_cells, cells, current_issues],
  columns,
  sql: () => salesOf("len(lot_descriptors) > 0"),
});
