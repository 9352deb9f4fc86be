import {model} from "../../../lib/models/model.ts";
import {cells} from "../normalise/cell-rows.ts";
import {sale_cells} from "./aggregates.ts";
import {reporter_trends} from "./reporter-trends.ts";
import {current_issues} from "./sold-issues.ts";

/**
 * SQL condition: a statement `t` of `reporter_trends` says that there was no market test of a kind of cattle in the bounds of its weight. Of
 * calves or yearlings without weights it says nothing: they are of an unknown part of the weights.
 */
export function notTested({
  commodity,
  class: kind,
  grade,
  low,
  high,
}: Readonly<Record<"commodity" | "class" | "grade" | "low" | "high", string>>): string {
  const isBounded = "coalesce(t.weight_low_lb, t.weight_high_lb) IS NOT NULL";
  return `t.direction = 'not_tested' AND coalesce(t.class, ${kind}) = ${kind} AND coalesce(t.commodity, ${commodity}) = ${commodity}
    AND coalesce(t.grade = ${grade}, t.grade IS NULL) AND (t.kind IS NULL OR ${isBounded} AND t.kind IN ('calves', 'yearlings'))
    AND (NOT ${isBounded} OR coalesce(coalesce(t.weight_low_lb, 0) <= ${low} AND ${high} <= coalesce(t.weight_high_lb, 99999), false))`;
}

/** SQL condition: the same of a cell `c`. */
export const cellNotTested = notTested({
  ...{commodity: "c.commodity", class: "c.class", grade: "coalesce(c.quality_grade, c.muscle_grade)"},
  low: "split_part(c.weight_bin, '-', 1)::INTEGER",
  high: "split_part(c.weight_bin, '-', 2)::INTEGER",
});

/** The cells of current issues whose reporter says that there was no market test of them. */
export const untested_cells = model({
  name: "untested_cells",
  reads: [sale_cells, cells, current_issues, reporter_trends],
  columns: {INTEGER: "issue_no cell_no"},
  sql: () => `
  SELECT DISTINCT issue_no, cell_no FROM sale_cells JOIN current_issues USING (issue_no) JOIN cells AS c USING (cell_no) JOIN reporter_trends AS t USING (issue_id)
  WHERE ${cellNotTested}`,
});
