import {findingColumns} from "../../schemas/parcel-columns.ts";
import {parcelIdSpellings} from "../parcels/parcel-id/parcel-id-spellings.ts";
import {formOf, type ParcelNumber, sameParcels} from "../parcels/parcel-id/same-parcel.ts";
import type {ParcelSet} from "../parcels/parcel-set.ts";
import type {RowValues} from "../storage/arrow-file/memory-table.ts";
import type {RowValue} from "../storage/arrow-file/write.ts";

/** The dataset's row for the same parcel as a found one. */
export type BaseRow = {readonly set: ParcelSet; readonly number: number};

/**
 * Maximum number of rows compared per parcel number; a county has a number once, and few counties share one.
 */
const maxRows = 1_000;

/** Leading zeros that a county may add to a number when it prints it in another form. */
const maxFrontZeros = 10;

/**
 * Finds the same parcel in a state, among the rows of its county, by `sameParcels`: an equal number, then a
 * number among the other's ids, then numbers that are alike without separators or zeros. `rivals` are further
 * parcels found by the same source, of which each pairs with one row only. Null without the state or such a row.
 */
export function findBaseRow(
  set: ParcelSet | undefined,
  columns: RowValues,
  rivals: readonly RowValues[] = [],
): BaseRow | null {
  if (set === undefined) return null;
  const rows = rowsAlike(set, columns);
  const ours = [columns, ...rivals].flatMap((each) => numberOf(each) ?? []);
  if (rows.length === 0 || typeof columns["parcel_id"] !== "string" || ours.length === 0) return null;
  const theirs = rows.map((number) => numberOfRow(set, number));
  const pairs = sameParcels(ours.slice(0, 1), theirs).filter(({by}) => by !== "form");
  const pair = pairs[0] ?? sameParcels(ours, theirs).find((each) => each.ours === 0);
  return pair === undefined ? null : {set, number: rows[pair.theirs]!};
}

/** The forms that two numbers of one parcel share, by which rivals are told. */
export function sharedForms(columns: RowValues): string[] {
  const {parcel_id: id, county_key: county} = columns;
  if (typeof id !== "string" || id === "") return [];
  const {tok} = parcelIdSpellings(id);
  return [`${county} ${formOf(tok, "front")}`, `${county} ${formOf(tok, "loose")}`];
}

/** Rows of the county with one of the parcel's ids in any form. */
function rowsAlike(set: ParcelSet, columns: RowValues): number[] {
  const spellings = idsOf(columns).map((id) => parcelIdSpellings(id));
  const keys = spellings.flatMap(({std, loose}) => {
    const front = std.replace(/^0+/, "");
    const padded = Array.from({length: maxFrontZeros + 1}, (_, zeros) => "0".repeat(zeros) + front);
    return front === "" ? [std] : [std, loose, ...padded];
  });
  const rows = [...new Set(keys)].flatMap((key) => set.ids.find(key, maxRows).map(({row}) => row));
  const county = set.parcels.string("county_key");
  return [...new Set(rows)].filter((row) => county.at(row) === columns["county_key"]).sort((a, b) => a - b);
}

function numberOfRow({parcels}: ParcelSet, row: number): ParcelNumber {
  const text = (name: string) => parcels.text(name).at(row);
  return (
    numberOf({
      parcel_id: text("parcel_id"),
      alt_ids: parcels.list("alt_ids").at(row),
      situs_number: text("situs_number"),
      situs_name: text("situs_name"),
    }) ?? {tok: "", alts: [], houses: [], streets: []}
  );
}

/** Null for a parcel without a number. */
function numberOf(columns: RowValues): ParcelNumber | null {
  const {parcel_id: id, situs_number: house, situs_name: street} = columns;
  if (typeof id !== "string" || id === "") return null;
  const isAddressed = typeof house === "string" && typeof street === "string";
  return {
    tok: parcelIdSpellings(id).tok,
    alts: ((columns["alt_ids"] ?? []) as readonly string[]).map((alt) => parcelIdSpellings(alt).tok),
    houses: isAddressed ? [house] : [],
    streets: isAddressed ? [street] : [],
  };
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
