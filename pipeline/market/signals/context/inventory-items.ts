import {ageDays} from "../../../../lib/dates.ts";
import {limitations} from "../../../../lib/limitations.ts";
import {countyVintage} from "../areas.ts";
import type {GatheredRow} from "../gather.ts";
import {contextItem, newestWithin, type SignalItems} from "./items.ts";

/** Days from the reference date for which a figure is the latest: surveys come yearly, the census every fifth year. */
const windows: Readonly<Record<string, number>> = {survey: 400, census: 2_300};

/** Statistics that answers carry: cattle in head, corn and hay in dollars. The others are in the files only. */
const carried = /^(CATTLE.* - INVENTORY$|(CORN|HAY).* - PRICE RECEIVED)/;

/** The latest published figure of each item by county and state, without suppressed figures and pooled counties. */
export function inventoryItems(rows: readonly GatheredRow[], asOf: string): SignalItems {
  const figures = rows.filter(
    (row) =>
      ["county", "state"].includes(String(row["area_type"])) &&
      row["value"] !== null &&
      row["domain"] === null &&
      carried.test(String(row["item"])),
  );
  const name = (row: GatheredRow) => `${String(row["area"])}\n${String(row["item"])}`;
  const {shown, old} = newestWithin([...figures].sort(bySource), name, {asOf, days: windowOf});
  const leftOut = old.map((row) => ({
    keyType: row["area_type"] as "county" | "state",
    key: String(row["area"]),
    signal: row.signal,
    ageDays: ageDays(row.valid_from, asOf),
  }));
  const items = shown.map((row) => {
    const keyType = row["area_type"] as "county" | "state";
    const key = String(row["area"]);
    const item = contextItem(
      {
        signal: row.signal,
        source_id: "nass-quickstats",
        key_type: keyType,
        key,
        values: {
          item: row["item"],
          value: row["value"],
          unit: row["unit"],
          year: row["year"],
          period: row["period"],
          program: row["program"],
        },
        valid_from: row.valid_from,
        valid_to: null,
        source_date: row.source_date,
        lasting: true,
        limitations: [
          "An official figure of its reference date until the next release; not a current count.",
          ...(keyType === "county" && countyVintage(key) !== null ? [limitations.L19] : []),
        ],
      },
      asOf,
    );
    return {keyType, key, item};
  });
  return {items, leftOut};
}

function windowOf(row: GatheredRow): number {
  return windows[String(row["program"])] ?? windows["survey"]!;
}

/** Of one reference day the survey counts before the census, then the later published. */
function bySource(a: GatheredRow, b: GatheredRow): number {
  const order = (row: GatheredRow) => `${row["program"] === "survey" ? 0 : 1} ${row.key}`;
  return order(a) < order(b) ? -1 : 1;
}
