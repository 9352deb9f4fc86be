import type {Box, KeyEntry, KeyHit, KeyIndex} from "@open-cattle/mapped-index";
import {type AddressStatus, addressKeys, nameBeginning, nearNameKeys} from "@open-cattle/us-address";
import type {RowValues} from "../../storage/arrow-file/memory-table.ts";
import {placeKeys, streetKey} from "../matching/known-places.ts";
import {otherAddress} from "../matching/row-address.ts";
import {parcelIdSpellings, uidTail} from "../parcel-id/parcel-id-spellings.ts";
import {createSortedTexts} from "./memory-terms.ts";

type Key = {readonly key: string; readonly form: number};

/** All index entries of a row. */
type RowKeys = {
  readonly ids: readonly Key[];
  readonly addresses: readonly Key[];
  /** Address index keys that are stored once, with one of their rows: towns, ZIPs, near names, streets. */
  readonly shared: readonly Key[];
  readonly owners: readonly string[];
  readonly box: Box | null;
};

/** A mutable key index in memory. */
export type MemoryKeys = {
  readonly index: KeyIndex;
  /** Adds a key of a row; repeated pairs of key and row merge their forms. */
  add(key: string, hit: KeyHit): void;
  /** Removes a row from this key. */
  remove(key: string, row: number): void;
};

/** Creates an empty index; empty keys are ignored, as in the files. */
export function createMemoryKeys(): MemoryKeys {
  const hits = new Map<string, KeyHit[]>();
  const keys = createSortedTexts();
  return {
    add(key, {row, form}) {
      if (key === "") return;
      const existing = hits.get(key);
      if (existing === undefined) {
        hits.set(key, [{row, form}]);
        keys.add(key);
        return;
      }
      // Rows arrive in row order, so the list stays sorted and a repeated row can only be its last entry.
      const last = existing.at(-1);
      if (last?.row === row) existing[existing.length - 1] = {row, form: last.form | form};
      else existing.push({row, form});
    },
    remove(key, row) {
      const existing = hits.get(key) ?? [];
      const left = existing.filter((hit) => hit.row !== row);
      if (left.length > 0) hits.set(key, left);
      else if (existing.length > 0) {
        hits.delete(key);
        keys.remove(key);
      }
    },
    index: {
      find: (key, limit = Number.POSITIVE_INFINITY) => (hits.get(key) ?? []).slice(0, limit),
      prefix(prefix, limit) {
        const {from, to} = keys.withPrefix(prefix);
        const found: KeyEntry[] = [];
        for (let i = from; i < to && found.length < limit; i++)
          for (const hit of hits.get(keys.at(i))!) found.push({key: keys.at(i), ...hit});
        return found.slice(0, limit);
      },
    },
  };
}

/**
 * Reference-counted keys that only tell that some row has them: each is indexed once, with its first row,
 * until its last row is removed.
 */
export function createSharedKeys(keys: MemoryKeys): {
  add(key: string, hit: KeyHit): void;
  remove(key: string): void;
} {
  const users = new Map<string, {row: number; count: number}>();
  return {
    add(key, hit) {
      const existing = users.get(key);
      if (existing !== undefined) existing.count += 1;
      else {
        users.set(key, {row: hit.row, count: 1});
        keys.add(key, hit);
      }
    },
    remove(key) {
      const existing = users.get(key);
      if (existing === undefined) return;
      existing.count -= 1;
      if (existing.count > 0) return;
      users.delete(key);
      keys.remove(key, existing.row);
    },
  };
}

/** The keys that the build writes into the index files for such a row (`pipeline/parcels/files`). */
export function rowKeys(columns: RowValues): RowKeys {
  const text = (column: string) => (columns[column] ?? null) as string | null;
  const list = (column: string) => (columns[column] ?? []) as readonly string[];
  const {std, loose} = parcelIdSpellings(text("parcel_id") ?? "");
  const others = list("alt_ids").map(parcelIdSpellings);
  const tail = uidTail(text("parcel_uid") ?? "", text("county_key") ?? "");
  const addressed = [columns, ...list("alt_situs").map((line) => otherColumns(line, columns))];
  return {
    ids: [
      {key: std, form: 1},
      {key: loose, form: 2},
      ...(tail === null ? [] : [{key: parcelIdSpellings(tail).std, form: 1}]),
      ...others.map((spellings) => ({key: spellings.std, form: 4})),
      ...others.map((spellings) => ({key: spellings.loose, form: 8})),
    ],
    addresses: addressed.flatMap(situsKeys),
    shared: addressed.flatMap((each) => [
      ...placeKeys((each["city"] ?? null) as string | null, (each["zip"] ?? null) as string | null),
      ...streetKeys(each),
    ]),
    owners: list("owner_tokens"),
    box: boxOf(columns),
  };
}

/** The columns of a further address of a row. */
function otherColumns(line: string, {state, county_key}: RowValues): RowValues {
  const {number, numberLo, numberHi, name, type, status, city, zip} = otherAddress(line, state as string);
  return {
    county_key,
    situs_raw: line,
    situs_number: number,
    situs_number_lo: numberLo,
    situs_number_hi: numberHi ?? numberLo,
    situs_name: name,
    situs_type: type,
    situs_status: status,
    city: city?.toUpperCase() ?? null,
    zip,
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
