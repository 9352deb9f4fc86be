import {contradiction} from "../../../lib/market/contradictions.ts";
import type {UnitSlips} from "../../../lib/market/price-checks.ts";
import {unitSlip} from "../../../lib/market/pricing-rules.ts";
import {model, type Run} from "../../../lib/models/model.ts";
import {roundHalfAway} from "../../../lib/rounding.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {checked_rows} from "../normalise/checked-rows.ts";
import {known_words} from "../normalise/word-map.ts";
import {valueSql} from "./price-cells.ts";
import {current_issues} from "./sold-issues.ts";

type SlippedRow = {
  issue_id: string;
  commodity: string;
  source: string;
  row_ordinal: number;
  stated: number;
  other: number;
};

/** Rows of current issues that were refused because their unit is wrong, with their value per head in both units. */
export const slipped_rows = model({
  name: "slipped_rows",
  reads: [checked_rows, known_words, current_issues],
  columns: {
    VARCHAR: "issue_id commodity source",
    INTEGER: "row_ordinal w",
    DOUBLE: "stated other",
  },
  sql: () => `
    SELECT issue_id, commodity, source_id AS source, row_ordinal, coalesce(avg_weight_lb, (weight_break_low_lb + weight_break_high_lb + 1) // 2) AS w,
      ${valueSql.stated("price_avg", "w")} AS stated, ${valueSql.other("price_avg", "w")} AS other
    FROM checked_rows JOIN known_words USING (words_no) JOIN current_issues USING (issue_no)
    WHERE reject_reason = 'implausible_unit' ORDER BY issue_id, row_ordinal`,
});

/** Reads `slipped_rows`. */
export async function readUnitSlips({db}: Run): Promise<UnitSlips> {
  const bySale = Map.groupBy(await db.rows<SlippedRow>("FROM slipped_rows"), (row) =>
    [row.issue_id, row.commodity].join(" "),
  );
  return {of: (issue, commodity) => bySale.get(`${issue} ${commodity}`)?.map(slipOf) ?? null};
}

function slipOf({issue_id, source, row_ordinal, stated, other}: SlippedRow): Contradiction {
  const ref = `${issue_id} row ${row_ordinal}`;
  return contradiction(
    {
      kind: "implausible_unit",
      field: "value_per_head",
      resolution: "row refused: like cattle bring the other value",
    },
    {source, ref: `${ref} in its stated unit`, value: roundHalfAway(stated, 2)},
    {source, ref: `${ref} in the other unit`, value: roundHalfAway(other, 2)},
    {tolerance: (Math.exp(unitSlip.near) - 1) * other},
  );
}
