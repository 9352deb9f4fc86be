import {latestMaxAgeDays} from "../../../lib/market/pricing-rules.ts";
import {model} from "../../../lib/models/model.ts";
import {marketFiles} from "../../../schemas/market-files.ts";
import {cells} from "../normalise/cell-rows.ts";
import {previous_evidence, previous_issue_cells} from "./previous-build.ts";
import {cell_rows} from "./price-cells.ts";
import {current_issues} from "./sold-issues.ts";

/** SQL: the values of a row that a record shows; sums of their hashes are the same in any order. */
const values = "head_count, avg_weight_lb, price_avg, price_min, price_max";

/**
 * What each issue that a record may cite says of each cell, as a hash: the next build tells by it which issues were not read before, and in
 * which a cell was corrected.
 */
export const issue_cells = model({
  name: "issue_cells",
  reads: [cell_rows, current_issues, cells],
  columns: marketFiles.issue_cells.columns,
  materialise: "table",
  sql: () => `SELECT issue_id, cell_id, sum(hash(${values}))::VARCHAR AS content
    FROM cell_rows JOIN current_issues USING (issue_no) JOIN cells USING (cell_no) WHERE age <= ${latestMaxAgeDays} GROUP BY issue_id, cell_id`,
});

/** The cells of which an issue says something else than in the previous build: more, less or other values. `loss` says of which it says nothing. */
export const corrected_cells = model({
  name: "corrected_cells",
  reads: [issue_cells, previous_issue_cells],
  columns: {VARCHAR: "issue_id cell_id loss"},
  sql: () => `
    SELECT issue_id, cell_id,
      CASE WHEN n.content IS NULL THEN issue_id || CASE WHEN issue_id IN (SELECT issue_id FROM issue_cells) THEN ' has no such rows any more' ELSE ' is gone' END END AS loss
    FROM issue_cells AS n FULL JOIN previous_issue_cells AS e USING (issue_id, cell_id)
    WHERE n.content IS DISTINCT FROM e.content AND issue_id IN (SELECT issue_id FROM previous_issue_cells)`,
});

/** The issues that each piece of evidence of the previous build cited. */
export const cited_issues = model({
  name: "cited_issues",
  reads: [previous_evidence],
  columns: {VARCHAR: "evidence_id issue_id"},
  sql: () =>
    "SELECT evidence_id, unnest(from_json(transformation->'inputs', '[\"VARCHAR\"]')) AS issue_id FROM previous_evidence",
});
