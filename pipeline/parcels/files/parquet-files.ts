import {mkdir} from "node:fs/promises";
import {dirname, join} from "node:path";
import {type AnyModel, model, type Run, type WrittenTo} from "../../../lib/models/model.ts";
import {sqlName} from "../../../lib/sql/duckdb.ts";
import {type StateTable, stateTablePath} from "../../../lib/storage/build-layout.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {column, geometryType, parquetTypes} from "../../../schemas/vocabulary/described-file.ts";
import {
  extentOf,
  footerEntries,
  footerOption,
  type GeoColumn,
  geoMetadata,
  type PartStamp,
  pointColumns,
} from "../../tables/footer.ts";
import {parcelSchema} from "./parquet-schema.ts";
import {provenanceColumns} from "./provenance-table.ts";

/** The limit stops dictionary encoding early for columns with many distinct values per row group, which saves a tenth of the time. */
const compressed = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, DICTIONARY_SIZE_LIMIT 4000";
const parquet = `${compressed}, ROW_GROUP_SIZE 122880`;
/** Spatial readers skip row groups by their extents, and smaller groups are skipped more often. */
const geoParquet = `${compressed}, ROW_GROUP_SIZE 40960`;

/** Where and how a state's tables are written: a folder laid out like a build, the state, and the footer's stamp. */
export type StateTables = {readonly outDir: string; readonly state: string; readonly stamp: PartStamp};

/** Where a state's table file is written, with its footer; creates the folder. */
async function placeOf(
  table: StateTable,
  {outDir, state, stamp}: StateTables,
  geo?: GeoColumn,
): Promise<WrittenTo> {
  const path = join(outDir, stateTablePath(table, state));
  await mkdir(dirname(path), {recursive: true});
  const entries = footerEntries(
    stateTablePath(table, state),
    stamp,
    geo === undefined ? {} : {geo: geoMetadata(geo)},
  );
  const footer = footerOption(
    table === "parcels" ? {...entries, "ARROW:schema": parcelSchema(entries)} : entries,
  );
  return {path, options: [geo === undefined ? parquet : geoParquet, footer]};
}

type ParcelsFile = {
  readonly reads: readonly AnyModel[];
  /** SELECT of the parcels in the order of the file. */
  readonly query: (run: Run) => string | Promise<string>;
  /** Covers all points. */
  readonly extent: (run: Run) => Promise<GeoColumn["extent"]>;
};

/** The model `parcels`: the GeoParquet 1.1 file of that name. The rows are thus sorted only once, and read from the file from then on. */
export function parcelsFile({reads, query, extent}: ParcelsFile, tables: StateTables): AnyModel {
  const columns = parcelColumns.map(({name}) => sqlName(name)).join(", ");
  return model({
    name: "parcels",
    reads,
    columns: [
      ...parcelColumns.map(({name, kind}) => column(name, parquetTypes[kind], "")),
      column("geometry", geometryType, ""),
      column("bbox", "STRUCT(xmin DOUBLE, ymin DOUBLE, xmax DOUBLE, ymax DOUBLE)", ""),
    ],
    materialise: "file",
    sql: async (_, run) => `SELECT ${columns}, ${pointColumns} FROM (${await query(run)})`,
    writtenTo: async (run) =>
      placeOf("parcels", tables, {geometryTypes: ["Point"], extent: await extent(run)}),
  });
}

/** The model `parcel_provenance`: the file of that name. */
export function provenanceFile(provenance: AnyModel, tables: StateTables): AnyModel {
  return model({
    name: "parcel_provenance",
    reads: [provenance],
    columns: provenanceColumns,
    materialise: "file",
    sql: () =>
      `SELECT * REPLACE (retrieved_at::TIMESTAMPTZ AS retrieved_at) FROM ${provenance.name} ORDER BY provenance_id`,
    writtenTo: () => placeOf("parcel_provenance", tables),
  });
}

/** The model `parcel_rejects`: the file of that name, dropped rows with the reason, by file and row. */
export function rejectsFile(rejects: AnyModel, tables: StateTables): AnyModel {
  return model({
    name: "parcel_rejects",
    reads: [rejects],
    columns: rejects.columns,
    materialise: "file",
    sql: () =>
      "FROM rejects ORDER BY source_path, source_row, reason",
    writtenTo: () => placeOf("parcel_rejects", tables),
  });
}

const outlined = {VARCHAR: "parcel_uid county_key", BIGINT: "row"};
const box = {"STRUCT(xmin DOUBLE, ymin DOUBLE, xmax DOUBLE, ymax DOUBLE)": "bbox"};

/**
 * The model `boundary_rows` (id, county and row of the parcel, WKB, and the row's extent, which covers the outline), of the parcels that
 * have an outline in `outlines`, and `boundaries`, the GeoParquet 1.1 file of them with a covering.
 */
export function boundaryModels(parcels: AnyModel, outlines: AnyModel, tables: StateTables) {
  const rows = model({
    name: "boundary_rows",
    reads: [parcels, outlines],
    columns: {...outlined, BLOB: "wkb", ...box},
    materialise: "table",
    sql: () => `SELECT parcel_uid, county_key, "row", wkb, bbox FROM (
       SELECT p.parcel_uid, p.county_key, p.rowid AS "row", o.wkb, {'xmin': p.xmin, 'ymin': p.ymin, 'xmax': p.xmax, 'ymax': p.ymax} AS bbox
       FROM ${parcels.name} p JOIN ${outlines.name} o ON o.parcel_uid = p.parcel_uid WHERE o.wkb IS NOT NULL)
     ORDER BY "row"`,
  });
  const boundaries = model({
    name: "boundaries",
    reads: [rows],
    columns: {...outlined, [geometryType]: "geometry", ...box},
    materialise: "file",
    sql: () =>
      `SELECT parcel_uid, county_key, "row", wkb AS geometry, bbox FROM boundary_rows ORDER BY "row"`,
    writtenTo: async ({db}) => {
      const corners = "bbox.xmin AS w, bbox.ymin AS s, bbox.xmax AS e, bbox.ymax AS n";
      const extent = await extentOf(db, `SELECT ${corners} FROM boundary_rows`);
      return placeOf("boundaries", tables, {geometryTypes: ["Polygon", "MultiPolygon"], extent});
    },
  });
  return {rows, boundaries};
}
