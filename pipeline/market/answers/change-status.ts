import {hash} from "node:crypto";
import type {ChangeStatus} from "../../../schemas/market-evidence.ts";

/** A record as the build before had it. */
export type EarlierRecord = {
  record_key: string;
  value_hash: string;
  change_status: string;
  price_avg: number | null;
  price_low: number | null;
  price_high: number | null;
  head_count: number | null;
};

type PreviousValues = Pick<EarlierRecord, "price_avg" | "price_low" | "price_high" | "head_count">;

/**
 * The status of a record against the build before: revised (same key and period, other values; with the earlier ones),
 * new (key or period unseen, or the key was a tombstone), stale (equal and older than `recent`), or unchanged.
 */
export function changeStatusOf(
  earlier: EarlierRecord | undefined,
  valueHash: string,
  age: number | null,
): {status: ChangeStatus; previous: PreviousValues | null} {
  if (earlier === undefined || earlier.change_status === "withdrawn") return {status: "new", previous: null};
  if (earlier.value_hash !== valueHash) {
    const {price_avg, price_low, price_high, head_count} = earlier;
    return {status: "revised", previous: {price_avg, price_low, price_high, head_count}};
  }
  return {status: age !== null && age > 21 ? "stale" : "unchanged", previous: null};
}

/** Hash over value fields only: names in byte order, so that neither field order nor ages nor build ids move it. */
export function valueHashOf(values: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(values).sort();
  return hash("sha256", JSON.stringify(names.map((name) => [name, values[name] ?? null]))).slice(0, 16);
}

/** The value fields of a price record: prices, head, weights, dates, basis. */
export function priceValues(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = [
    "price_basis",
    "price_avg",
    "price_low",
    "price_high",
    "price_min",
    "price_max",
    "head_count",
    "contributing_head",
    "rows",
    "avg_weight_lb",
    "weight_min_lb",
    "weight_max_lb",
    "described_head",
    "first_sale_date",
    "last_sale_date",
    "issue_status",
    "receipts",
    "receipts_prior",
    "receipts_year_ago",
    "contributing_venues",
  ];
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
}
