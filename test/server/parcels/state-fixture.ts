import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {outlineToWkb} from "../../../lib/geography/geometry/wkb.ts";
import {addressKeys} from "../../../lib/parcels/address/address-keys.ts";
import {nearNameKeys} from "../../../lib/parcels/address/near-names.ts";
import {parseAddress} from "../../../lib/parcels/address/parse-address.ts";
import {openStateArtifacts, type StateArtifacts} from "../../../lib/parcels/artifacts.ts";
import {placeKeys} from "../../../lib/parcels/matching/known-places.ts";
import {streetKey} from "../../../lib/parcels/matching/known-streets.ts";
import type {OwnerOrder} from "../../../lib/parcels/owner/owner-names.ts";
import {parseOwner} from "../../../lib/parcels/owner/parse-owner.ts";
import {parcelIdForms} from "../../../lib/parcels/parcel-id/parcel-id-forms.ts";
import {writeKeyIndex} from "../../../lib/search/key-index.ts";
import {writeSpatialIndex} from "../../../lib/search/spatial-index.ts";
import {writeTermIndex} from "../../../lib/search/term-index.ts";
import {type Database, openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {type RowValue, writeArrowRows} from "../../../lib/storage/arrow-file/write-rows.ts";
import type {StatePart} from "../../../schemas/manifest.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";

/** An invented parcel: what a county would print of it, and any column of the row by its name. */
export type InventedParcel = {
  county: string;
  id: string | null;
  alt?: string[];
  situs?: string;
  owner?: string;
  order?: OwnerOrder;
  lon?: number;
  lat?: number;
  /** Outline, counter-clockwise, closed. */
  outline?: [number, number][];
  columns?: Record<string, RowValue>;
};

export type InventedProvenance = {
  source: string;
  vintage: string;
  basis: string;
  retrieved: string;
  authority: string;
};

const usualProvenance: InventedProvenance = {
  source: "us-zz-invented",
  vintage: "2025-08-01",
  basis: "row_date",
  retrieved: "2026-11-14T03:10:00Z",
  authority: "aggregate",
};

/** Rows of the serving table, conformed as the build would; parcels without a point come last. */
export function inventedRows(state: string, parcels: readonly InventedParcel[]): Record<string, RowValue>[] {
  const sorted = [...parcels].sort((a, b) => Number(a.lon === undefined) - Number(b.lon === undefined));
  return sorted.map((parcel) => rowOf(state, parcel));
}

function rowOf(state: string, parcel: InventedParcel): Record<string, RowValue> {
  const {county, id, alt = [], lon, lat, outline, columns = {}} = parcel;
  const xs = [...(outline ?? []).map(([x]) => x), ...(lon === undefined ? [] : [lon])];
  const ys = [...(outline ?? []).map(([, y]) => y), ...(lat === undefined ? [] : [lat])];
  return {
    parcel_uid: `${county}-${id ?? "~0123456789ab"}`,
    country: state === "MB" ? "CA" : "US",
    state,
    county_key: county,
    county_name: `COUNTY ${county}`,
    ...idColumns(id, alt),
    ...situsColumns(state, parcel.situs ?? null),
    ...ownerColumns(parcel.owner ?? null, parcel.order ?? "last_first"),
    lon: lon ?? null,
    lat: lat ?? null,
    point_method: lon === undefined ? null : "centroid",
    xmin: lon === undefined ? null : Math.min(...xs),
    ymin: lon === undefined ? null : Math.min(...ys),
    xmax: lon === undefined ? null : Math.max(...xs),
    ymax: lon === undefined ? null : Math.max(...ys),
    flags: [],
    prov_default: 0,
    ...columns,
  };
}

function idColumns(id: string | null, alt: readonly string[]): Record<string, RowValue> {
  if (id === null) return {};
  const {tok, std, loose} = parcelIdForms(id);
  const stds = [...new Set(alt.map((each) => parcelIdForms(each).std))].sort();
  return {
    parcel_id: id,
    parcel_id_tok: tok,
    parcel_id_std: std,
    parcel_id_loose: loose,
    alt_ids: [...alt].sort(),
    alt_ids_std: stds,
  };
}

function situsColumns(state: string, situs: string | null): Record<string, RowValue> {
  if (situs === null) return {situs_status: "blank"};
  const {number, fraction, pre, name, type, post, unitType, unit, city, zip, numberLo, numberHi, status} =
    parseAddress(situs, {state});
  return {
    situs_raw: situs,
    situs_number: number,
    situs_fraction: fraction,
    situs_pre: pre,
    situs_name: name,
    situs_type: type,
    situs_post: post,
    situs_unit_type: unitType,
    situs_unit: unit,
    city,
    zip,
    situs_number_lo: numberLo,
    situs_number_hi: numberHi ?? numberLo,
    situs_status: status,
  };
}

function ownerColumns(owner: string | null, order: OwnerOrder): Record<string, RowValue> {
  const {kind, ownerName, tokens, withheld} = parseOwner(owner, order);
  return {
    owner_raw: owner,
    owner_name: ownerName,
    owner_kind: kind,
    owner_tokens: owner === null || withheld ? null : tokens,
    owner_withheld: withheld,
  };
}

const columns = parcelColumns.map(({name, kind, required}) => ({name, kind, nullable: required !== true}));

/** Writes the serving files of a state into `<root>/state=<XX>` with the storage writers, and opens them. */
export async function writeState(
  root: string,
  state: string,
  {
    parcels,
    provenance = [usualProvenance],
    part = {},
  }: {
    parcels: readonly InventedParcel[];
    provenance?: readonly InventedProvenance[];
    part?: Partial<StatePart>;
  },
): Promise<StateArtifacts> {
  const folder = join(root, `state=${state}`);
  mkdirSync(folder, {recursive: true});
  const path = (name: string) => join(folder, name);
  const rows = inventedRows(state, parcels);
  await writeArrowRows({path: path("parcels.arrow"), columns, rows});
  await writeProvenance(path("provenance.arrow"), provenance);
  await writeOutlines(path("boundaries.arrow"), parcels);
  const db = await openDatabase();
  await writeIndexes(db, rows, folder);
  db.close();
  const points = rows.filter((row) => typeof row["lon"] === "number");
  const edge = (name: string) => Float64Array.from(points, (row) => row[name] as number);
  await writeSpatialIndex({
    minX: edge("xmin"),
    minY: edge("ymin"),
    maxX: edge("xmax"),
    maxY: edge("ymax"),
    path: path("parcels.flatbush"),
  });
  return openStateArtifacts(
    folder,
    partOf(rows, points.length, {...part, country: state === "MB" ? "CA" : "US"}),
  );
}

async function writeProvenance(path: string, provenance: readonly InventedProvenance[]): Promise<void> {
  const names = ["source_id", "vintage", "vintage_basis", "retrieved_at", "source_url_pattern", "authority"];
  await writeArrowRows({
    path,
    columns: [
      {name: "provenance_id", kind: "int32", nullable: false},
      ...names.map((name) => ({name, kind: "text" as const, nullable: true})),
    ],
    rows: provenance.map((entry, id) => ({
      provenance_id: id,
      source_id: entry.source,
      vintage: entry.vintage,
      vintage_basis: entry.basis,
      retrieved_at: entry.retrieved,
      authority: entry.authority,
    })),
  });
}

async function writeOutlines(path: string, parcels: readonly InventedParcel[]): Promise<void> {
  const sorted = [...parcels].sort((a, b) => Number(a.lon === undefined) - Number(b.lon === undefined));
  const rows = sorted.flatMap(({outline}, row) =>
    outline === undefined ? [] : [{row, wkb: new Uint8Array(outlineToWkb([[outline]]))}],
  );
  if (rows.length === 0) return;
  await writeArrowRows({
    path,
    columns: [
      {name: "row", kind: "int64", nullable: false},
      {name: "wkb", kind: "binary", nullable: false},
    ],
    rows,
  });
}

async function writeIndexes(
  db: Database,
  rows: readonly Record<string, RowValue>[],
  folder: string,
): Promise<void> {
  const query = async (name: string, items: readonly object[], types: string) => {
    const path = join(folder, `${name}.ndjson`);
    writeFileSync(path, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
    return `SELECT * FROM read_json(${sqlText(path)}, format = 'newline_delimited', columns = ${types})`;
  };
  const keyTypes = "{'key': 'VARCHAR', 'row_no': 'UINTEGER', 'form': 'UTINYINT'}";
  const ids = rows.flatMap(idKeys);
  await writeKeyIndex(db, {query: await query("ids", ids, keyTypes), path: join(folder, "parcel_ids.arrow")});
  const addresses = [...rows.flatMap(situsKeys), ...knownPlaces(rows)];
  await writeKeyIndex(db, {
    query: await query("addresses", addresses, keyTypes),
    path: join(folder, "addresses.arrow"),
  });
  const terms = rows.flatMap((row, row_no) =>
    ((row["owner_tokens"] ?? []) as string[]).map((term) => ({term, row_no})),
  );
  await writeTermIndex(db, {
    query: await query("owners", terms, "{'term': 'VARCHAR', 'row_no': 'UINTEGER'}"),
    path: join(folder, "owners.arrow"),
  });
}

function idKeys(row: Record<string, RowValue>, row_no: number) {
  const alts = (row["alt_ids"] ?? []) as string[];
  return [
    {key: row["parcel_id_std"], row_no, form: 1},
    {key: row["parcel_id_loose"], row_no, form: 2},
    ...alts.map((alt) => ({key: parcelIdForms(alt).std, row_no, form: 4})),
    ...alts.map((alt) => ({key: parcelIdForms(alt).loose, row_no, form: 8})),
  ].filter(({key}) => key !== undefined && key !== null);
}

function situsKeys(row: Record<string, RowValue>, row_no: number) {
  const parts = {
    number: (row["situs_number"] ?? null) as string | null,
    numberLo: (row["situs_number_lo"] ?? null) as number | null,
    numberHi: row["situs_number_hi"] === row["situs_number_lo"] ? null : (row["situs_number_hi"] as number),
    name: (row["situs_name"] ?? null) as string | null,
    status: row["situs_status"] as "numbered",
  };
  const near = parts.status === "numbered" ? nearNameKeys(parts.name ?? "") : [];
  const street = {name: parts.name ?? "", type: (row["situs_type"] ?? null) as string | null};
  const streets = parts.status === "numbered" ? [streetKey(street, row["county_key"] as string)] : [];
  const keys = [...addressKeys(parts, (row["situs_raw"] ?? null) as string | null), ...near, ...streets];
  return keys.map(({key, form}) => ({key, row_no, form}));
}

/** Each town and ZIP once, with the first row that has it. */
function knownPlaces(rows: readonly Record<string, RowValue>[]) {
  const first = new Map<string, number>();
  for (const [row_no, row] of rows.entries()) {
    for (const {key} of placeKeys(
      (row["city"] ?? null) as string | null,
      (row["zip"] ?? null) as string | null,
    )) {
      if (!first.has(key)) first.set(key, row_no);
    }
  }
  return [...first].map(([key, row_no]) => ({key, row_no, form: 8}));
}

/** What a manifest would say of rows of the serving table. */
export function partOf(
  rows: readonly Record<string, RowValue>[],
  points: number,
  part: Partial<StatePart>,
): StatePart {
  const counties = [...new Set(rows.map((row) => row["county_key"] as string))].sort();
  return {
    status: "built",
    built_in: "20261121-3f9c1a",
    inputs_sha256: "0".repeat(64),
    attempted_inputs_sha256: null,
    held_back_because: null,
    delta: [],
    files: [],
    country: "US",
    coverage: "live",
    rows: rows.length,
    point_count: points,
    counties: counties.map((county_key) => ({
      county_key,
      county_name: `COUNTY ${county_key}`,
      rows: rows.filter((row) => row["county_key"] === county_key).length,
      complete: true,
      vintage: "2025-08-01",
      sources: ["us-zz-invented"],
    })),
    sources: [{id: "us-zz-invented", vintage: "2025", complete: true}],
    fill: {},
    figures: {},
    ...part,
  };
}
