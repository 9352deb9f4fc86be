import type {ScoredAddress} from "../../../lib/parcels/address/parsed-address.ts";
import type {ParcelSet} from "../../../lib/parcels/artifacts.ts";
import type {OwnerName} from "../../../lib/parcels/owner/owner-names.ts";
import {parseOwner} from "../../../lib/parcels/owner/parse-owner.ts";
import {parcelIdForms} from "../../../lib/parcels/parcel-id/parcel-id-forms.ts";
import {ownerOrder, type SourceRegistry} from "../../../lib/parcels/record/source-facts.ts";
import {rowAddress} from "../../../lib/parcels/record/values.ts";

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
  const row = set.row(number);
  const text = (column: string) => row.text(column);
  const [id, altIds] = [text("parcel_id"), row.list("alt_ids")];
  const line = text("owner_name");
  return {
    set,
    row: number,
    uid: text("parcel_uid") ?? "",
    state: set.state,
    county: text("county_key") ?? "",
    std: text("parcel_id_std") ?? "",
    category: text("land_use_category"),
    lat: row.number("lat"),
    lon: row.number("lon"),
    area: row.number("geom_acres") ?? row.number("acres") ?? Number.POSITIVE_INFINITY,
    address: rowAddress(row),
    id,
    altIds,
    idForms: new Set([...(id === null ? [] : [id]), ...altIds].flatMap(bothForms)),
    owner: line === null ? null : plainOwner(line, {row, sources}),
  };
}

function bothForms(id: string): string[] {
  const {std, loose} = parcelIdForms(id);
  return [std, loose];
}

function plainOwner(
  line: string,
  {row, sources}: {row: ReturnType<ParcelSet["row"]>; sources: SourceRegistry},
): PlainOwner {
  const lines = line.split("; ").filter((each) => each !== "");
  const {names} = parseOwner(lines, ownerOrder(sources(row.provenance("owner").sourceId)));
  return {lines, tokens: row.list("owner_tokens"), names};
}
