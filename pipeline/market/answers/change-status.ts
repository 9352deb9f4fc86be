import {hash} from "node:crypto";
import type {ChangeStatus} from "../../../schemas/market-evidence.ts";

/** A record as the build before had it. */
export type EarlierRecord = {record_key: string; value_hash: string; change_status: string};

/**
 * The status of a record without a price against the build before: revised (same key, other values), new (key unseen, or a tombstone), or
 * unchanged.
 */
export function changeStatusOf(earlier: EarlierRecord | undefined, valueHash: string): ChangeStatus {
  if (earlier === undefined || earlier.change_status === "withdrawn") return "new";
  return earlier.value_hash === valueHash ? "unchanged" : "revised";
}

/** Hash over value fields only: names in byte order, so that neither field order nor ages nor build ids move it. */
export function valueHashOf(values: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(values).sort();
  return hash("sha256", JSON.stringify(names.map((name) => [name, values[name] ?? null]))).slice(0, 16);
}
