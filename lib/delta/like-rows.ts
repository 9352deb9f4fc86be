import {parcelIdSpellings} from "../parcels/parcel-id/parcel-id-spellings.ts";
import type {ParcelSet} from "../parcels/parcel-set.ts";
import type {RowValues} from "../storage/arrow-file/memory-table.ts";

/**
 * Maximum number of rows compared per parcel number; a county has a number once, and few counties share one.
 */
const maxRows = 1_000;

/** Leading zeros that a county may add to a number when it prints it in another form. */
const maxFrontZeros = 10;

/** The rows of a parcel's county that have one of its ids in any form, in order: one of them may be the same parcel. */
export function likeRows(set: ParcelSet, columns: RowValues): number[] {
  const keys = idsOf(columns).flatMap((id) => {
    const {std, loose} = parcelIdSpellings(id);
    const front = std.replace(/^0+/, "");
    const padded = Array.from({length: maxFrontZeros + 1}, (_, zeros) => "0".repeat(zeros) + front);
    return front === "" ? [std] : [std, loose, ...padded];
  });
  const rows = [...new Set(keys)].flatMap((key) => set.ids.find(key, maxRows).map(({row}) => row));
  const county = set.parcels.string("county_key");
  return [...new Set(rows)].filter((row) => county.at(row) === columns["county_key"]).sort((a, b) => a - b);
}

/** The forms that parcels of a county share when they may be one, of all ids of a parcel. */
export function likeForms(columns: RowValues): string[] {
  const forms = idsOf(columns).flatMap((id) => {
    const {std, loose} = parcelIdSpellings(id);
    return [`front ${std.replace(/^0+/, "")}`, `loose ${loose}`];
  });
  return [...new Set(forms)].map((form) => `${columns["county_key"]} ${form}`);
}

/** The ids of a row by which other parcels are compared with it. */
export function rowIds({parcels}: ParcelSet, row: number): RowValues {
  return {
    county_key: parcels.string("county_key").at(row),
    parcel_id: parcels.text("parcel_id").at(row),
    alt_ids: parcels.list("alt_ids").at(row),
  };
}

function idsOf(columns: RowValues): string[] {
  const ids = [columns["parcel_id"], ...((columns["alt_ids"] ?? []) as readonly string[])];
  return ids.filter((id): id is string => typeof id === "string" && id !== "");
}
