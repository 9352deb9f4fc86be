import {fieldsOf, oneOf, orNull, structure} from "./market-field.ts";
import {ComparedSale, YearSales} from "./structures.ts";

/** SQL for the reason why a record has no change; an estimate and a withdrawn record have nothing to compare. */
const noChangeReason = (earlier: "week" | "year") =>
  `CASE WHEN ${earlier}_change IS NOT NULL OR withdrawn THEN NULL ELSE coalesce(${earlier}_reason, 'not_comparable') END`;

const field = fieldsOf(["county", "state", "latest"]);
const reason = orNull(oneOf(["not_tested", "too_few", "no_earlier_sale", "not_comparable"]));

/** Fields that tell the changes of price records: each change's reason if it is null, and the two sales that it compares. `sql` as in `priceFields`. */
export const changeFields = {
  change_week_reason: field(
    reason,
    "Why `change_week` is null: the reporter says that there was no market test or nothing to compare with, the cell is thin, no earlier sale of such cattle, or an estimate",
    {sql: noChangeReason("week")},
  ),
  change_year_reason: field(reason, "Why `change_year` is null, in the same way", {
    sql: noChangeReason("year"),
  }),
  last_sale: field(
    orNull(structure(ComparedSale)),
    "Last sale of the cell at the venues behind the price; of several, at those that `change_week` compares. `change_week` is its price less that of `then_sale`",
    {sql: "week_now"},
  ),
  then_sale: field(
    orNull(structure(ComparedSale)),
    "Sale of the cell a week earlier at the same venues, also where it is no match; null without one",
    {sql: "week_then"},
  ),
  year_sales: field(
    orNull(structure(YearSales)),
    "The two sales of which `change_year` is the difference; null without it",
    {sql: "year_both"},
  ),
};
