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
import type {PlacedItem} from "./items.ts";

/**
 * The items that answers carry beside their records, by county and state (`docs/design/market.md` section 13). A signal that
 * is missing or past its window has no item; `current` has the paths of the newest fetches of lists.
 */
export function contextItems(tables: SignalTables, asOf: string, current: ReadonlySet<string>): PlacedItem[] {
  const of = (table: SignalTable) => tables.get(table) ?? [];
  const health = of("animal_health")
    .filter((row) => current.has(String(row["source_path"])))
    .map((row) =>
      row["area_type"] === "county" ? {...row, state_of_county: stateOfCounty(String(row["area"]))} : row,
    );
  return [
    ...droughtItems(of("drought"), asOf),
    ...alertItems(of("alerts"), asOf),
    ...dieselItems(of("diesel"), asOf),
    ...futuresItems(of("futures"), asOf),
    ...healthItems(health, asOf),
    ...facilityItems(of("facilities"), asOf),
    ...inventoryItems(of("inventory"), asOf),
  ];
}

/** Fills the table `context` that the server's file is made from. */
export async function fillContext(
  db: Database,
  items: readonly PlacedItem[],
  tempDir: string,
): Promise<void> {
  const columns = ["key_type", "key", "signal", "item"].map((name) => ({name, type: "VARCHAR", about: name}));
  const rows = items.map(({keyType, key, item}) => ({
    key_type: keyType,
    key,
    signal: item.signal,
    item: JSON.stringify(item),
  }));
  await fillTable(db, "context", columns, rows, tempDir);
}
