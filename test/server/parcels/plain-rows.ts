import type {ScoredAddress} from "@open-cattle/us-address";
import {rowAddress} from "../../../lib/parcels/matching/row-address.ts";
import type {OwnerName} from "../../../lib/parcels/owner/owner-names.ts";
import {parseOwner} from "../../../lib/parcels/owner/parse-owner.ts";
import {parcelIdSpellings} from "../../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import type {ParcelSet} from "../../../lib/parcels/parcel-set.ts";
import {ownerOrder, type SourceRegistry} from "../../../lib/parcels/record/source-facts.ts";

/** A row of a set as a plain scan compares it: everything read out once. */
export type PlainRow = {
  readonly set: ParcelSet;
  readonly row: number;
  readonly uid: string;
  readonly state: string;
  readonly county: string;
  readonly std: string;
  readonly category: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  /** Acres of the outline, else as stated; infinite where neither is known. */
  readonly area: number;
  readonly address: ScoredAddress;
  readonly id: string | null;
  readonly altIds: readonly string[];
  /** Two forms of all its numbers: numbers that are equal in any form are equal in one of these. */
  readonly idForms: ReadonlySet<string>;
  readonly owner: PlainOwner | null;
};

export type PlainOwner = {
  readonly lines: readonly string[];
  readonly tokens: readonly string[];
  readonly names: readonly OwnerName[];
};

/** Every row of every set, read one by one. */
export function plainRows(sets: readonly ParcelSet[], sources: SourceRegistry): PlainRow[] {
  return sets.flatMap((set) =>
    Array.from({length: set.parcels.rows}, (_, row) => plainRow(set, row, sources)),
  );
}

function plainRow(set: ParcelSet, number: number, sources: SourceRegistry): PlainRow {
  const {parcels} = set;
  const text = (column: string) => parcels.string(column).at(number);
  const [id, altIds] = [text("parcel_id"), parcels.list("alt_ids").at(number) ?? []];
  const line = text("owner_name");
  return {
    set,
    row: number,
    uid: text("parcel_uid") ?? "",
    state: set.state,
    county: text("county_key") ?? "",
    std: text("parcel_id_std") ?? "",
    category: text("land_use_category"),
    lat: parcels.number("lat").at(number),
    lon: parcels.number("lon").at(number),
    area:
      parcels.number("geom_acres").at(number) ??
      parcels.number("acres").at(number) ??
      Number.POSITIVE_INFINITY,
    address: rowAddress(set, number),
    id,
    altIds,
    idForms: new Set([...(id === null ? [] : [id]), ...altIds].flatMap(bothForms)),
    owner: line === null ? null : plainOwner(line, {set, row: number, sources}),
  };
}

function bothForms(id: string): string[] {
  const {std, loose} = parcelIdSpellings(id);
  return [std, loose];
}

function plainOwner(
  line: string,
  {set: {parcels}, row, sources}: {set: ParcelSet; row: number; sources: SourceRegistry},
): PlainOwner {
  const lines = line.split("; ").filter((each) => each !== "");
  const {names} = parseOwner(lines, ownerOrder(sources(parcels.string("owner_source").at(row) ?? "")));
  return {lines, tokens: parcels.list("owner_tokens").at(row) ?? [], names};
}
