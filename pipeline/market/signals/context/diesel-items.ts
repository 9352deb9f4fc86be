import {states} from "../../../../lib/geography/states.ts";
import {regionsOfState} from "../diesel/regions.ts";
import type {GatheredRow} from "../gather.ts";
import {contextItem, newestBy, type PlacedItem, within} from "./items.ts";

/** Days from the week's date for which a diesel price is shown. */
const windowDays = 10;

/** The newest price of each state's own region: the state, its sub-region, else its district; never of another region. */
export function dieselItems(rows: readonly GatheredRow[], asOf: string): PlacedItem[] {
  const shown = rows.filter(({valid_from}) => within(valid_from, asOf, windowDays));
  const prices = new Map(newestBy(shown, ({key}) => key).map((row) => [row.key, row]));
  return states.flatMap(({state}) => {
    const row = regionsOfState(state).flatMap((region) => prices.get(region) ?? [])[0];
    return row === undefined ? [] : [{keyType: "state" as const, key: state, item: dieselItem(row, asOf)}];
  });
}

function dieselItem(row: GatheredRow, asOf: string) {
  return contextItem(
    {
      signal: "diesel",
      source_id: "diesel",
      key_type: "padd",
      key: row.key,
      values: {
        price_usd_per_gal: row["price_usd_per_gal"],
        change_week_usd_per_gal: row["change_week_usd_per_gal"],
        week_date: row.valid_from,
      },
      valid_from: row.valid_from,
      valid_to: row["valid_to"] as string,
      source_date: row.source_date,
      limitations: ["A weekly average at the pump of the region; not a carrier quote."],
    },
    asOf,
  );
}
