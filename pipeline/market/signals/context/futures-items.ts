import {states} from "../../../../lib/geography/states.ts";
import {limitations} from "../../../../lib/limitations.ts";
import type {GatheredRow} from "../gather.ts";
import {contextItem, newestBy, type PlacedItem, within} from "./items.ts";

/** Calendar days for which a settlement is shown. */
const windowDays = 4;

/** The newest day of each product's nearby contract, for every state. Without a licence the value is null, with L12. */
export function futuresItems(rows: readonly GatheredRow[], asOf: string): PlacedItem[] {
  const shown = rows.filter(({valid_from}) => within(valid_from, asOf, windowDays));
  const items = newestBy([...shown].sort(nearbyLast), (row) => String(row["product"])).map((row) =>
    contextItem(
      {
        signal: "futures",
        source_id: "futures",
        key_type: "contract",
        key: `${String(row["product"])}/${String(row["contract_month"])}`,
        values: {
          product: row["product"],
          contract_month: row["contract_month"],
          settlement: row["settlement"],
          unit: row["unit"],
          date: row.valid_from,
        },
        valid_from: row.valid_from,
        valid_to: row.valid_from,
        source_date: row.source_date,
        limitations:
          row["settlement"] === null
            ? [limitations.L12]
            : ["Delayed or derived background; not a local price."],
      },
      asOf,
    ),
  );
  return states.flatMap(({state}) => items.map((item) => ({keyType: "state" as const, key: state, item})));
}

/** Of one day the nearest contract counts: `newestBy` keeps the first of equal days. */
function nearbyLast(a: GatheredRow, b: GatheredRow): number {
  const [left, right] = [a, b].map((row) => `${String(row["contract_month"])} ${row.key}`);
  return left! < right! ? -1 : 1;
}
