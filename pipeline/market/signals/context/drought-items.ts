import {ageDays} from "../../../../lib/dates.ts";
import {limitations} from "../../../../lib/limitations.ts";
import type {GatheredRow} from "../gather.ts";
import {contextItem, newestWithin, type SignalItems} from "./items.ts";

/** Days from the map's date for which a drought map is shown (`docs/design/market.md` section 13). */
const windowDays = 10;

/** Shares of at least D0 to D4 and the worst class, of the newest map, by county and state. */
export function droughtItems(rows: readonly GatheredRow[], asOf: string): SignalItems {
  const placed = rows.filter((row) => ["county", "state"].includes(String(row["area_type"])));
  const {shown, old} = newestWithin(placed, ({key}) => key, {asOf, days: () => windowDays});
  const leftOut = old.map((row) => ({
    keyType: row["area_type"] as "county" | "state",
    key: row.key,
    signal: "drought",
    ageDays: ageDays(row.valid_from, asOf),
  }));
  const items = shown.map((row) => {
    const keyType = row["area_type"] as "county" | "state";
    const shares = ["none", "d0", "d1", "d2", "d3", "d4"].map((name) => [`${name}_pct`, row[`${name}_pct`]]);
    const item = contextItem(
      {
        signal: "drought",
        source_id: "us-drought-monitor",
        key_type: keyType,
        key: row.key,
        values: {...Object.fromEntries(shares), worst_class: row["worst_class"], map_date: row.valid_from},
        valid_from: row.valid_from,
        valid_to: row["valid_to"] as string,
        source_date: row.source_date,
        limitations: [
          "Shares of the area by drought class, each class with the worse ones; not a measure of any property.",
          ...(row["county_vintage"] === null ? [] : [limitations.L19]),
        ],
      },
      asOf,
    );
    return {keyType, key: row.key, item};
  });
  return {items, leftOut};
}
