import {findingColumns} from "../../schemas/parcel-columns.ts";
import {parcelIdSpellings} from "../parcels/parcel-id/parcel-id-spellings.ts";
import type {ParcelSet} from "../parcels/parcel-set.ts";
import type {RowValues} from "../storage/arrow-file/memory-table.ts";
import type {RowValue} from "../storage/arrow-file/write.ts";

/** The dataset's row for the same parcel as a found one. */
export type BaseRow = {readonly set: ParcelSet; readonly number: number};

/**
 * Maximum number of rows compared per parcel number; a county has a number once, and few counties share one.
 */
const maxRows = 1_000;

/**
 * Finds the same parcel in a state: a row of the same county whose parcel number or other id has an equal
 * `tok` spelling (`docs/design/parcels.md` section 9). Null without the state or such a row.
 */
export function findBaseRow(set: ParcelSet | undefined, columns: RowValues): BaseRow | null {
  if (set === undefined) return null;
  const {parcels} = set;
  const wanted = new Set(idsOf(columns).map((id) => parcelIdSpellings(id).tok));
  for (const std of new Set(idsOf(columns).map((id) => parcelIdSpellings(id).std))) {
    for (const {row: number} of set.ids.find(std, maxRows)) {
      if (parcels.string("county_key").at(number) !== columns["county_key"]) continue;
      const ids = [parcels.text("parcel_id").at(number) ?? "", ...(parcels.list("alt_ids").at(number) ?? [])];
      if (ids.some((id) => wanted.has(parcelIdSpellings(id).tok))) return {set, number};
    }
  }
  return null;
}

/** The columns by which lookups find the row. */
export function baseColumns({set: {parcels}, number}: BaseRow): RowValues {
  const values = findingColumns.map(({name, kind}): [string, RowValue] => {
    if (kind === "list") return [name, parcels.list(name).at(number)];
    return [name, kind === "text" ? parcels.text(name).at(number) : parcels.value(name).at(number)];
  });
  return {...Object.fromEntries(values), owner_source: parcels.string("owner_source").at(number)};
}

/** The row's bounding box, found by its point; empty for a row without a point. */
export function baseBox({set: {parcels, points}, number}: BaseRow): RowValues {
  const [lon, lat] = [parcels.number("lon").at(number), parcels.number("lat").at(number)];
  if (lon === null || lat === null || points === null) return {};
  let edges: RowValues = {};
  points.within({minX: lon, minY: lat, maxX: lon, maxY: lat}, (row, xmin, ymin, xmax, ymax) => {
    if (row === number) edges = {xmin, ymin, xmax, ymax};
    return false;
  });
  return edges;
}

function idsOf(columns: RowValues): string[] {
  const ids = [columns["parcel_id"], ...((columns["alt_ids"] ?? []) as readonly string[])];
  return ids.filter((id): id is string => typeof id === "string" && id !== "");
}
