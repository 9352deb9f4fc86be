import {type RawColumn, wordColumns} from "../staging.ts";

/** Staging columns that tell one issue of a file from another. */
export const issueColumns = [
  "slug",
  "report_title",
  "market_type",
  "location_name",
  "location_city",
  "location_state",
  "published",
  "final_ind",
  "report_date",
  "report_begin_date",
  "report_end_date",
  "vintage",
] as const satisfies readonly RawColumn[];

/**
 * SQL: keys of the word combination and of the issue of a staging row. They are hashes and live for one run only; that
 * no two combinations share one is checked where the combinations are read.
 */
export const wordKey = `hash(${wordColumns.join(", ")})`;
export const issueKey = `hash(file_no, ${issueColumns.join(", ")})`;

/** Throws when two combinations have the same key: then rows would be given the words of others. Never seen; 64 bits. */
export function refuseSharedKeys(keys: readonly string[]): void {
  if (new Set(keys).size !== keys.length) {
    throw new Error(
      "Two different combinations of report words have the same 64-bit key; their rows cannot be told apart.",
    );
  }
}
