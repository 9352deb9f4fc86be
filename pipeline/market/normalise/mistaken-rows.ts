import {model} from "../../../lib/models/model.ts";
import {measured_rows, valueColumns} from "./measured-rows.ts";
import {unit_slips} from "./unit-slips.ts";

/** Check 5: of rows of one issue that are equal in all fields, all but the first. */
const duplicate_rows = model({
  name: "duplicate_rows",
  reads: [measured_rows, unit_slips],
  columns: {BIGINT: "row_no"},
  sql: () => `
    WITH suspects AS (
      SELECT issue_no, value_hash FROM measured_rows ANTI JOIN unit_slips USING (row_no) WHERE reject_reason IS NULL GROUP BY ALL HAVING count(*) > 1
    ), ranked AS (
      SELECT row_no, row_number() OVER (PARTITION BY issue_no, ${valueColumns} ORDER BY row_no) AS place
      FROM measured_rows SEMI JOIN suspects USING (issue_no, value_hash) ANTI JOIN unit_slips USING (row_no) WHERE reject_reason IS NULL
    )
    SELECT row_no FROM ranked WHERE place > 1`,
});

/** Rows that comparing with other rows rejects, with the reason. */
export const mistaken_rows = model({
  name: "mistaken_rows",
  reads: [unit_slips, duplicate_rows],
  columns: {BIGINT: "row_no", VARCHAR: "reason detail"},
  materialise: "view",
  sql: () => `SELECT row_no, 'implausible_unit' AS reason, detail FROM unit_slips
    UNION ALL SELECT row_no, 'duplicate_row', 'printed twice: all fields equal' FROM duplicate_rows`,
});
