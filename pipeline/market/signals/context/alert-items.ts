import type {GatheredRow} from "../gather.ts";
import {contextItem, type PlacedItem} from "./items.ts";

const severities = ["unknown", "minor", "moderate", "severe", "extreme"];
const sentence =
  "Alerts in force at the build's date; compare valid_to with the clock. Not a statement that any route or load is safe.";

/** Events that bear on livestock or hauling wherever they are in a state (`docs/design/market.md` section 13). */
const bearing =
  /heat|cold|freez|frost|wind|winter|blizzard|snow|ice storm|sleet|flood|fire|red flag|drought|air quality|air stagnation|tornado/i;

/**
 * Alerts in force: each of them by county; by state one item for each kind of event that bears on livestock or hauling, with the
 * number of alerts.
 */
export function alertItems(rows: readonly GatheredRow[], asOf: string): PlacedItem[] {
  const inForce = rows.filter((row) => row["in_force"] === true);
  const counties = inForce.flatMap((row) =>
    (row["county_fips"] as string[]).map((key) => countyItem(row, key, asOf)),
  );
  const byStateAndEvent = Map.groupBy(
    inForce
      .filter((row) => bearing.test(String(row["event"])))
      .flatMap((row) => (row["states"] as string[]).map((state) => ({state, row}))),
    ({state, row}) => `${state}\n${String(row["event"])}`,
  );
  const states = [...byStateAndEvent.values()].map((group) =>
    stateItem(
      group[0]!.state,
      group.map(({row}) => row),
      asOf,
    ),
  );
  return [...counties, ...states];
}

function countyItem(row: GatheredRow, key: string, asOf: string): PlacedItem {
  const values = {
    event: row["event"],
    severity: row["severity"],
    certainty: row["certainty"],
    onset: row.valid_from,
    ends: row["valid_to"],
  };
  return {keyType: "county", key, item: alertItem("county", key, values, [row], asOf)};
}

function stateItem(state: string, rows: readonly GatheredRow[], asOf: string): PlacedItem {
  const worst = rows.reduce((most, row) => Math.max(most, severities.indexOf(String(row["severity"]))), 0);
  const counties = new Set(
    rows.flatMap((row) => row["county_fips"] as string[]).filter((county) => county !== ""),
  );
  const values = {
    event: rows[0]!["event"],
    alerts: rows.length,
    counties_named: counties.size,
    worst_severity: severities[worst],
  };
  return {keyType: "state", key: state, item: alertItem("state", state, values, rows, asOf)};
}

function alertItem(
  keyType: "county" | "state",
  key: string,
  values: Record<string, unknown>,
  rows: readonly GatheredRow[],
  asOf: string,
) {
  const texts = (name: string) => rows.map((row) => String(row[name])).sort();
  return contextItem(
    {
      signal: "weather_alert",
      source_id: "nws",
      key_type: keyType,
      key,
      values,
      valid_from: texts("valid_from")[0]!,
      valid_to: texts("valid_to").at(-1)!,
      source_date: texts("source_date").at(-1)!,
      limitations: [sentence],
    },
    asOf,
  );
}
