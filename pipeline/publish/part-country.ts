import type {PlannedPart} from "./plan.ts";

/** The country of a state's entries; of its found parcels where there is no other source. */
export function countryOf({entries, delta}: Pick<PlannedPart, "entries" | "delta">): "US" | "CA" {
  return entries[0]?.coverage.country ?? delta?.records[0]?.record.country ?? "US";
}
