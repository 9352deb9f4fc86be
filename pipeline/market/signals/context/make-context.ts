import type {Database} from "../../../../lib/sql/duckdb.ts";
import type {SignalTable} from "../../../../schemas/signal-files.ts";
import {fillTable} from "../../files/record-table.ts";
import {stateOfCounty} from "../areas.ts";
import type {SignalTables} from "../gather.ts";
import {alertItems} from "./alert-items.ts";
import {dieselItems} from "./diesel-items.ts";
import {droughtItems} from "./drought-items.ts";
import {facilityItems} from "./facility-items.ts";
import {futuresItems} from "./futures-items.ts";
import {healthItems} from "./health-items.ts";
import {inventoryItems} from "./inventory-items.ts";
import type {SignalItems} from "./items.ts";

/**
 * The items that answers carry beside their records, by county and state (`docs/design/market.md` section 13). A signal that
 * is missing or past its window has no item, and one past its window is left out by name; `current` has the paths of the newest
 * fetches of lists.
 */
export function contextItems(tables: SignalTables, asOf: string, current: ReadonlySet<string>): SignalItems {
  const of = (table: SignalTable) => tables.get(table) ?? [];
  const health = of("animal_health")
    .filter((row) => current.has(String(row["source_path"])))
    .map((row) =>
      row["area_type"] === "county" ? {...row, state_of_county: stateOfCounty(String(row["area"]))} : row,
    );
  const windowed = [
    droughtItems(of("drought"), asOf),
    dieselItems(of("diesel"), asOf),
    futuresItems(of("futures"), asOf),
    facilityItems(of("facilities"), asOf),
    inventoryItems(of("inventory"), asOf),
  ];
  return {
    items: [
      ...alertItems(of("alerts"), asOf),
      ...healthItems(health, asOf),
      ...windowed.flatMap(({items}) => items),
    ],
    leftOut: windowed.flatMap(({leftOut}) => leftOut),
  };
}

/** Fills the table `context` that the server's file is made from; a row without an item is a signal that is left out. */
export async function fillContext(db: Database, {items, leftOut}: SignalItems): Promise<void> {
  const columns = [
    ...["key_type", "key", "signal", "item"].map((name) => ({name, type: "VARCHAR", about: name})),
    {name: "age_days", type: "INTEGER", about: "age_days"},
  ];
  const rows = [
    ...items.map(({keyType, key, item}) => ({
      key_type: keyType,
      key,
      signal: item.signal,
      item: JSON.stringify(item),
      age_days: item.age_days,
    })),
    ...leftOut.map(({keyType, key, signal, ageDays}) => ({
      key_type: keyType,
      key,
      signal,
      item: null,
      age_days: ageDays,
    })),
  ];
  await fillTable(db, "context", columns, rows);
}
