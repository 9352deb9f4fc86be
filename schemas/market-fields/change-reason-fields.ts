import {fieldsOf, oneOf, orNull} from "./market-field.ts";

/** SQL for the reason why a record has no change; an estimate and a withdrawn record have nothing to compare. */
const noChangeReason = (earlier: "week" | "year") =>
  `CASE WHEN ${earlier}_change IS NOT NULL OR withdrawn THEN NULL ELSE coalesce(${earlier}_reason, 'not_comparable') END`;

const field = fieldsOf(["county", "state", "latest"]);
const reason = orNull(oneOf(["not_tested", "too_few", "no_earlier_sale", "not_comparable"]));

/** Why price records have no change; `sql` as in `priceFields`. */
export const changeReasonFields = {
  change_week_reason: field(
    reason,
    "Why `change_week` is null: the reporter says that there was no market test, the cell is thin, no earlier sale of such cattle, or an estimate",
    {sql: noChangeReason("week")},
  ),
  change_year_reason: field(reason, "Why `change_year` is null, in the same way", {
    sql: noChangeReason("year"),
  }),
};
