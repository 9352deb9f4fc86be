import {ageDays} from "../../../../lib/dates.ts";
import {states} from "../../../../lib/geography/states.ts";
import {regionsOfState} from "../diesel/regions.ts";
import type {GatheredRow} from "../gather.ts";
import {contextItem, type LeftOutSignal, newestWithin, type PlacedItem, type SignalItems} from "./items.ts";

/** Days from the week's date for which a diesel price is shown. */
const windowDays = 10;

/** The newest price of each state's own region: the state, its sub-region, else its district; never of another region. */
export function dieselItems(rows: readonly GatheredRow[], asOf: string): SignalItems {
  const {shown, old} = newestWithin(rows, ({key}) => key, {asOf, days: () => windowDays});
  const [prices, oldPrices] = [shown, old].map((some) => new Map(some.map((row) => [row.key, row])));
  const items: PlacedItem[] = [];
  const leftOut: LeftOutSignal[] = [];
  for (const {state} of states) {
    const place = {keyType: "state" as const, key: state};
    const own = (known: ReadonlyMap<string, GatheredRow>) =>
      regionsOfState(state).flatMap((region) => known.get(region) ?? [])[0];
    const [row, past] = [own(prices!), own(oldPrices!)];
    if (row !== undefined) items.push({...place, item: dieselItem(row, asOf)});
    else if (past !== undefined)
      leftOut.push({...place, signal: "diesel", ageDays: ageDays(past.valid_from, asOf)});
  }
  return {items, leftOut};
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
