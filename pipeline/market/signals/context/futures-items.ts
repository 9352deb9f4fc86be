import {ageDays} from "../../../../lib/dates.ts";
import {states} from "../../../../lib/geography/states.ts";
import type {GatheredRow} from "../gather.ts";
import {contextItem, newestWithin, type SignalItems} from "./items.ts";

/** Calendar days for which a settlement is shown. */
const windowDays = 4;

/**
 * The newest day of each product's nearby contract, for every state. Without a licence there is no value, and an item without a
 * value is left out.
 */
export function futuresItems(rows: readonly GatheredRow[], asOf: string): SignalItems {
  const {shown, old} = newestWithin([...rows].sort(nearbyLast), (row) => String(row["product"]), {
    asOf,
    days: () => windowDays,
  });
  const items = shown.filter((row) => row["settlement"] !== null).map((row) => futuresItem(row, asOf));
  const unlicensed = shown.length > items.length ? [null] : [];
  const ages = old.map((row) => ageDays(row.valid_from, asOf)).sort((a, b) => a - b);
  const everywhere = states.map(({state}) => ({keyType: "state" as const, key: state}));
  return {
    items: everywhere.flatMap((place) => items.map((item) => ({...place, item}))),
    leftOut: everywhere.flatMap((place) =>
      [...unlicensed, ...ages.slice(0, 1)].map((age) => ({...place, signal: "futures", ageDays: age})),
    ),
  };
}

function futuresItem(row: GatheredRow, asOf: string) {
  return contextItem(
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
      limitations: ["Delayed or derived background; not a local price."],
    },
    asOf,
  );
}

/** Of one day the nearest contract counts: `newestBy` keeps the first of equal days. */
function nearbyLast(a: GatheredRow, b: GatheredRow): number {
  const [left, right] = [a, b].map((row) => `${String(row["contract_month"])} ${row.key}`);
  return left! < right! ? -1 : 1;
}
