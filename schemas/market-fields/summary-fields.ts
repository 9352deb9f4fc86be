import {count, fieldsOf, orNull, structure} from "./market-field.ts";
import {NewerSales, OfficialFigure, SummaryCompleteness} from "./structures.ts";

const field = fieldsOf(["state"]);

/** What records of states say of an official summary beside its figures; `sql` as in `priceFields`. */
export const summaryFields = {
  receipts_known: field(
    orNull(count),
    "Receipts of the venues that state them; `receipts` of a roll-up is null unless all do",
    {unit: "head"},
  ),
  completeness: field(
    orNull(structure(SummaryCompleteness)),
    "Official summaries: whether known sales of the period are missing; null for a roll-up, and where there is no sale to compare with",
  ),
  newer_sales: field(
    orNull(structure(NewerSales)),
    "Official summaries: what the venues sold after its period; null for a roll-up, and where these sales are thin",
  ),
  official: field(
    orNull(structure(OfficialFigure)),
    "Roll-ups that outrank an older official summary: that summary's figure, else null",
  ),
};
