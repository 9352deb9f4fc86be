import {mkdirSync, rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {outlineToWkb} from "@open-cattle/parcel-outlines";
import {parseAddress} from "@open-cattle/us-address";
import {ModelRun} from "../../../lib/models/model-run.ts";
import type {OwnerOrder} from "../../../lib/parcels/owner/owner-names.ts";
import {parseOwner} from "../../../lib/parcels/owner/parse-owner.ts";
import {parcelIdSpellings} from "../../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import {openStateArtifacts, type StateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import type {SourceEntry, SourceRegistry} from "../../../lib/parcels/record/source-facts.ts";
import {type Database, openDatabase, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {writeBlockSums} from "../../../lib/storage/arrow-file/block-sums.ts";
import type {RowValue} from "../../../lib/storage/arrow-file/write.ts";
import {stateServing} from "../../../lib/storage/build-layout.ts";
import {addressedParcels} from "../../../pipeline/parcels/files/addressed-rows.ts";
import {parcelsFile} from "../../../pipeline/parcels/files/parquet-files.ts";
import {writeIndexes, writePoints, writeTables} from "../../../pipeline/parcels/files/write-serving-files.ts";
import type {StatePart} from "../../../schemas/manifest.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {parquetTypes} from "../../../schemas/vocabulary/described-file.ts";

/** The registry entry of the invented source. */
export const inventedSource: SourceEntry = {
  id: "us-zz-invented",
  name: "Invented land parcels",
  publisher: "Office of Inventions",
  licence: "CC0-1.0",
  url: "https://parcels.example.org/invented",
  owners: {published: true, order: "last_first"},
};

/** A registry of the invented source alone. */
export const inventedSources: SourceRegistry = (id) =>
  id === inventedSource.id ? inventedSource : undefined;

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
  const {tok, std, loose} = parcelIdSpellings(id);
  const stds = [...new Set(alt.map((each) => parcelIdSpellings(each).std))].sort();
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

type StateOptions = {
  parcels: readonly InventedParcel[];
  provenance?: readonly InventedProvenance[];
  part?: Partial<StatePart>;
  sources?: SourceRegistry;
};

/** Writes the serving files and the parcel table of a state into `root` as a build does, and opens them. */
export async function writeState(
  root: string,
  state: string,
  {parcels, provenance = [usualProvenance], part = {}, sources = inventedSources}: StateOptions,
): Promise<StateArtifacts> {
  const outDir = join(root, stateServing(state));
  mkdirSync(outDir, {recursive: true});
  const rows = inventedRows(state, parcels);
  const points = rows.filter((row) => typeof row["lon"] === "number").length;
  const db = await openDatabase();
  await makeRows(db, rows, outDir);
  await makeProvenance(db, provenance);
  const outlines = await makeOutlines(db, parcels);
  const query = `SELECT ${parcelColumns.map(({name}) => sqlName(name)).join(", ")} FROM invented ORDER BY rowid`;
  const stamp = {part: state, inputsSha256: null, asOf: "2026-11-21", sample: false, licence: "of the test"};
  const filed = parcelsFile(
    {reads: [], query: () => query, extent: async () => null},
    {outDir: root, state, stamp},
  );
  const addressed = addressedParcels(filed);
  await new ModelRun(db).make(addressed);
  const table = filed.name;
  const served = {table, rows: rows.length, constants: new Map<string, null>(), hasOutlines: outlines > 0};
  await writeTables(db, served, {outDir, asOf: "2026-11-21", sources});
  await writeIndexes(db, {table, addressed: addressed.name}, outDir);
  await writePoints(db, {table, outDir, points});
  await writeBlockSums(outDir);
  db.close();
  return openStateArtifacts(outDir, partOf(rows, points, {...part, country: state === "MB" ? "CA" : "US"}));
}

async function makeRows(
  db: Database,
  rows: readonly Record<string, RowValue>[],
  folder: string,
): Promise<void> {
  const path = join(folder, "rows.ndjson");
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const types = parcelColumns.map(({name, kind}) => `${sqlText(name)}: ${sqlText(parquetTypes[kind])}`);
  await db.run(
    `CREATE TABLE invented AS SELECT * FROM read_json(${sqlText(path)}, format = 'newline_delimited', columns = {${types.join(", ")}})`,
  );
  rmSync(path);
}

async function makeProvenance(db: Database, provenance: readonly InventedProvenance[]): Promise<void> {
  const rows = provenance.map(
    ({source, vintage, basis, retrieved, authority}, id) =>
      `(${[String(id), ...[source, vintage, basis, retrieved, authority].map(sqlText)].join(", ")})`,
  );
  await db.run(
    `CREATE TABLE provenance AS SELECT *, false AS proposed_map, false AS retrieved_assumed FROM (VALUES ${rows.join(", ")}) t (provenance_id, source_id, vintage, vintage_basis, retrieved_at, authority)`,
  );
}

/** Makes table `boundary_rows`, and gives the number of outlines. */
async function makeOutlines(db: Database, parcels: readonly InventedParcel[]): Promise<number> {
  const sorted = [...parcels].sort((a, b) => Number(a.lon === undefined) - Number(b.lon === undefined));
  const rows = sorted.flatMap(({outline}, row) =>
    outline === undefined ? [] : [`(${row}, unhex('${outlineToWkb([[outline]]).toString("hex")}'))`],
  );
  if (rows.length > 0) {
    await db.run(`CREATE TABLE boundary_rows AS SELECT * FROM (VALUES ${rows.join(", ")}) t ("row", wkb)`);
  }
  return rows.length;
}

/** The part of a manifest that follows from rows of the serving table. */
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
