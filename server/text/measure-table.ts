import type {RecordMeasure} from "../market/record-measures.ts";
import {type ColumnOf, type Description, joined, tableOf} from "./description.ts";

const units: Readonly<Record<string, string>> = {
  usd_per_lb_gained: "USD/lb gained",
  usd_per_cwt_per_cwt: "USD/cwt per cwt",
  ratio_to_12_month_centred_mean: "of the 12-month mean",
};

/** Formats a feeder-cattle cell so that a narrow column can wrap it: `steers-ml1 550-599 lb`. */
function cellWords(cellId: string): string {
  return cellId.replace(/^feeder-(.+)-0*(\d+)-0*(\d+)-cwt$/, "$1 $2-$3 lb");
}

const columns: readonly ColumnOf<RecordMeasure>[] = [
  {header: "measure", cell: ({measure}) => measure.replaceAll("_", " ")},
  {header: "value", cell: ({value}) => value?.toFixed(2) ?? "none", right: true},
  {
    header: "unit",
    cell: ({value, unit, reason}) => (value === null ? (reason ?? "") : (units[unit] ?? unit)),
  },
  {header: "cattle", cell: ({cell_id}) => cellWords(cell_id)},
  {header: "to", cell: ({to_cell_id}) => to_cell_id && cellWords(to_cell_id), priority: 1},
  {header: "month", cell: ({month}) => month},
  {header: "barn", cell: ({venue_name, city, state}) => joined([venue_name, city, state])},
  {header: "sale", cell: ({report_end_date}) => report_end_date},
  {
    header: "head",
    cell: ({head_count, to_head_count}) => joined([head_count, to_head_count], " and "),
    right: true,
    priority: 2,
  },
];

const title = "Measures of single sales, from prices of neighbouring weights or of past years";

/** Adds the measures to the description of a price answer, as a last table, or as a note that says why there are none. */
export function withMeasures(answer: Description, measures: readonly RecordMeasure[]): Description {
  if (measures.length > 0)
    return {...answer, tables: [...answer.tables, ...tableOf(columns, measures, title)]};
  const none = "none: no barn of these records sold enough head of neighbouring weights";
  return {...answer, notes: [["Measures", none], ...answer.notes]};
}
