import type {ParcelSet} from "../parcels/artifacts.ts";
import type {RowValues} from "../parcels/memory/memory-table.ts";
import {parcelIdForms} from "../parcels/parcel-id/parcel-id-forms.ts";
import type {BaseRow} from "./merge-rows.ts";

/** Most rows of one number that are compared; a county has a number once, and few counties share one. */
const mostRows = 1_000;

/**
 * The row of a state for the same parcel, which has the same county and an equal `tok` form of the number or of another id
 * (`docs/design/parcels.md` section 9); null without the state or such a row.
 */
export function findBaseRow(set: ParcelSet | undefined, columns: RowValues): BaseRow | null {
  if (set === undefined) return null;
  const wanted = new Set(idsOf(columns).map((id) => parcelIdForms(id).tok));
  for (const std of new Set(idsOf(columns).map((id) => parcelIdForms(id).std))) {
    for (const {row: number} of set.ids.find(std, mostRows)) {
      const row = set.row(number);
      if (row.text("county_key") !== columns["county_key"]) continue;
      const ids = [row.text("parcel_id") ?? "", ...row.list("alt_ids")];
      if (ids.some((id) => wanted.has(parcelIdForms(id).tok))) return {row, number, outlines: set.outlines};
    }
  }
  return null;
}

function idsOf(columns: RowValues): string[] {
  const ids = [columns["parcel_id"], ...((columns["alt_ids"] ?? []) as readonly string[])];
  return ids.filter((id): id is string => typeof id === "string" && id !== "");
}
