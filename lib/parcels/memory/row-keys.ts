import type {Box} from "../../search/spatial-index.ts";
import {addressKeys} from "../address/address-keys.ts";
import {nameBeginning, nearNameKeys} from "../address/near-names.ts";
import type {AddressStatus} from "../address/parsed-address.ts";
import {placeKeys} from "../matching/known-places.ts";
import {streetKey} from "../matching/known-streets.ts";
import {parcelIdForms, uidTail} from "../parcel-id/parcel-id-forms.ts";
import type {RowValues} from "./memory-table.ts";

type Key = {readonly key: string; readonly form: number};

/** Everything that the indexes hold of a row. */
export type RowKeys = {
  readonly ids: readonly Key[];
  readonly addresses: readonly Key[];
  /** Keys of the address index that stand there once, with one of the rows that have them: towns, ZIPs, near names, streets. */
  readonly shared: readonly Key[];
  readonly owners: readonly string[];
  readonly box: Box | null;
};

/** The keys that the build writes of such a row into the index files (`pipeline/parcels/files`): the same forms. */
export function rowKeys(columns: RowValues): RowKeys {
  const text = (column: string) => (columns[column] ?? null) as string | null;
  const list = (column: string) => (columns[column] ?? []) as readonly string[];
  const {std, loose} = parcelIdForms(text("parcel_id") ?? "");
  const others = list("alt_ids").map(parcelIdForms);
  const tail = uidTail(text("parcel_uid") ?? "", text("county_key") ?? "");
  return {
    ids: [
      {key: std, form: 1},
      {key: loose, form: 2},
      ...(tail === null ? [] : [{key: parcelIdForms(tail).std, form: 1}]),
      ...others.map((forms) => ({key: forms.std, form: 4})),
      ...others.map((forms) => ({key: forms.loose, form: 8})),
    ],
    addresses: situsKeys(columns),
    shared: [...placeKeys(text("city"), text("zip")), ...streetKeys(columns)],
    owners: list("owner_tokens"),
    box: boxOf(columns),
  };
}

function streetKeys(columns: RowValues): readonly Key[] {
  const name = (columns["situs_name"] ?? null) as string | null;
  if (name === null || columns["situs_status"] !== "numbered") return [];
  const type = (columns["situs_type"] ?? null) as string | null;
  const near = /[0-9]/.test(name) ? [] : nearNameKeys(nameBeginning(name));
  return [...near, streetKey({name, type}, (columns["county_key"] ?? "") as string)];
}

function situsKeys(columns: RowValues): Key[] {
  const text = (column: string) => (columns[column] ?? null) as string | null;
  const number = (column: string) => (columns[column] ?? null) as number | null;
  const [lo, hi] = [number("situs_number_lo"), number("situs_number_hi")];
  const parts = {
    number: text("situs_number"),
    numberLo: lo,
    numberHi: hi === lo ? null : hi,
    name: text("situs_name"),
    status: (text("situs_status") ?? "blank") as AddressStatus,
  };
  return addressKeys(parts, text("situs_raw"));
}

function boxOf(columns: RowValues): Box | null {
  const [lon, lat] = [columns["lon"], columns["lat"]];
  if (typeof lon !== "number" || typeof lat !== "number") return null;
  const edge = (column: string, point: number) => (columns[column] ?? point) as number;
  return {
    minX: edge("xmin", lon),
    minY: edge("ymin", lat),
    maxX: edge("xmax", lon),
    maxY: edge("ymax", lat),
  };
}
