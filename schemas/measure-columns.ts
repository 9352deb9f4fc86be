import {choice, column, type DescribedColumn} from "./vocabulary/described-file.ts";

/** Columns of the measures of `docs/design/market.md` section 7, for analysts. */
export const derivedMeasureColumns: readonly DescribedColumn[] = [
  choice("measure", [
    "spread_to_feeder_futures",
    "value_of_gain",
    "slide",
    "seasonal_index",
    "lot_premium",
    "heifer_difference",
  ]),
  column("venue_id", "VARCHAR", "Venue"),
  column("report_end_date", "DATE", "Sale; for a seasonal index the latest one behind it"),
  column("cell_id", "VARCHAR", "Cell; of two that which is lighter, has a comment, or is of heifers"),
  column(
    "to_cell_id",
    "VARCHAR",
    "The other cell of the same sale: the next heavier bin, lots without comment, or steers; else null",
  ),
  column("month", "INTEGER", "1 to 12 of a seasonal index"),
  column("years", "INTEGER", "Years behind the month of a seasonal index; without a value those that count"),
  column("months_missing", "INTEGER", "Months without a price in the years that count"),
  column("value", "DOUBLE", "Unrounded, in `unit`; if null, `reason` says why"),
  choice("unit", [
    "usd_per_cwt",
    "usd_per_lb_gained",
    "usd_per_cwt_per_cwt",
    "ratio_to_12_month_centred_mean",
  ]),
  column("head_count", "INTEGER", "Head behind the price of the cell"),
  column("to_head_count", "INTEGER", "The same of the other cell"),
  column("contract_month", "VARCHAR", "`YYYY-MM` of the nearby feeder-cattle contract"),
  column("reason", "VARCHAR", "Why there is no value"),
];
