import type {RecordMeasure} from "../market/record-measures.ts";
import {type ColumnOf, joined, numberText, type Readable, tableOf} from "./readable.ts";

const names = {
  value_of_gain: "value of gain",
  slide: "slide",
  seasonal_index: "seasonal index",
} as const;

const units: Readonly<Record<string, string>> = {
  usd_per_lb_gained: "USD/lb gained",
  usd_per_cwt_per_cwt: "USD/cwt per cwt",
  ratio_to_12_month_centred_mean: "of the 12-month mean",
};

/** Gives a cell of feeder cattle in words that a narrow column can break: `steers-ml1 550-599 lb`. */
function cellWords(cellId: string): string {
  return cellId.replace(/^feeder-(.+)-0*(\d+)-0*(\d+)-cwt$/, "$1 $2-$3 lb");
}

const columns: readonly ColumnOf<RecordMeasure>[] = [
  {name: "measure", cell: ({measure}) => names[measure]},
  {name: "value", cell: ({value}) => value?.toFixed(2) ?? "none", right: true},
  {name: "unit", cell: ({value, unit, reason}) => (value === null ? (reason ?? "") : (units[unit] ?? unit))},
  {name: "cattle", cell: ({cell_id}) => cellWords(cell_id)},
  {name: "to", cell: ({to_cell_id}) => cellWords(to_cell_id ?? ""), optional: 1},
  {name: "month", cell: ({month}) => month?.toString() ?? "", right: true},
  {name: "barn", cell: ({venue_name, city, state}) => joined([venue_name, city, state])},
  {name: "sale", cell: ({report_end_date}) => report_end_date},
  {
    name: "head",
    cell: ({head_count, to_head_count}) =>
      joined([numberText(head_count), numberText(to_head_count)], " and "),
    right: true,
    optional: 2,
  },
];

/** Adds the measures to a price answer in words: a table below its own, or a sentence that says why it has no row. */
export function withMeasures(readable: Readable, measures: readonly RecordMeasure[]): Readable {
  if (measures.length === 0) {
    const none: [string, string] = [
      "Measures",
      "none: no barn of these records sold enough head of neighbouring weights",
    ];
    return {...readable, below: [none, ...readable.below]};
  }
  const title = "Measures of single sales, from prices of neighbouring weights or of past years";
  return {...readable, tables: [...readable.tables, tableOf(columns, measures, title)]};
}
