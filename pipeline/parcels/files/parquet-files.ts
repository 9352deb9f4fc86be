import {mkdir} from "node:fs/promises";
import {dirname, join} from "node:path";
import {type AnyModel, model, type Run} from "../../../lib/models/model.ts";
import {sqlName} from "../../../lib/sql/duckdb.ts";
import {type StateTable, stateTablePath} from "../../../lib/storage/build-layout.ts";
import {describedFile} from "../../../schemas/described-files.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
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

/** The limit stops dictionary encoding early for columns with many distinct values per row group, which saves a tenth of the time. */
const compressed = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, DICTIONARY_SIZE_LIMIT 4000";
const parquet = `${compressed}, ROW_GROUP_SIZE 122880`;
/** Spatial readers skip row groups by their extents, and smaller groups are skipped more often. */
const geoParquet = `${compressed}, ROW_GROUP_SIZE 40960`;

/** Where and how a state's tables are written: a folder laid out like a build, the state, and the footer's stamp. */
export type StateTables = {readonly outDir: string; readonly state: string; readonly stamp: PartStamp};

type StateFile = {
  readonly reads: readonly AnyModel[];
  /** SELECT of the rows in the order of the file, with its columns. */
  readonly sql: (run: Run) => string | Promise<string>;
  /** For a file with geometry: its kind, and the extent of all rows. */
  readonly geo?: (run: Run) => Promise<GeoColumn>;
};

/** The model that is a state's table file, with the columns of the table and a footer. */
function stateFile(
  table: StateTable,
  {outDir, state, stamp}: StateTables,
  {reads, sql, geo}: StateFile,
): AnyModel {
  const place = stateTablePath(table, state);
  return model({
    name: table,
    reads,
    columns: describedFile(place)!.columns,
    materialise: "file",
    sql: (_, run) => sql(run),
    writtenTo: async (run) => {
      const path = join(outDir, place);
      await mkdir(dirname(path), {recursive: true});
      const entries = footerEntries(
        place,
        stamp,
        geo === undefined ? {} : {geo: geoMetadata(await geo(run))},
      );
      const all = table === "parcels" ? {...entries, "ARROW:schema": parcelSchema(entries)} : entries;
      return {path, options: [geo === undefined ? parquet : geoParquet, footerOption(all)]};
    },
  });
}

type OrderedParcels = {
  readonly reads: readonly AnyModel[];
  /** SELECT of the parcels in the order of the file. */
  readonly query: (run: Run) => string | Promise<string>;
  /** Covers all points. */
  readonly extent: (run: Run) => Promise<GeoColumn["extent"]>;
};

/** The model `parcels`: GeoParquet 1.1. The rows are thus sorted only once, and read from the file from then on. */
export function parcelsFile({reads, query, extent}: OrderedParcels, tables: StateTables): AnyModel {
  const columns = parcelColumns.map(({name}) => sqlName(name)).join(", ");
  return stateFile("parcels", tables, {
    reads,
    sql: async (run) => `SELECT ${columns}, ${pointColumns} FROM (${await query(run)})`,
    geo: async (run) => ({geometryTypes: ["Point"], extent: await extent(run)}),
  });
}

/** The model `parcel_provenance`. */
export function provenanceFile(provenance: AnyModel, tables: StateTables): AnyModel {
  return stateFile("parcel_provenance", tables, {
    reads: [provenance],
    sql: () =>
      `SELECT * REPLACE (retrieved_at::TIMESTAMPTZ AS retrieved_at) FROM ${provenance.name} ORDER BY provenance_id`,
  });
}

/** The model `parcel_rejects` of such rows, by file and row. */
export function rejectsFile({reads, sql}: {reads: readonly AnyModel[]; sql: string}, tables: StateTables) {
  return stateFile("parcel_rejects", tables, {
    reads,
    sql: () => `FROM (${sql}) ORDER BY source_path, source_row, reason`,
  });
}

/**
 * The model `boundary_rows` (id, county and row of the parcel, WKB, and the row's extent, which covers the outline), of the parcels that
 * have an outline in `outlines`, and `boundaries`, the GeoParquet 1.1 file of them with a covering.
 */
export function boundaryModels(parcels: AnyModel, outlines: AnyModel, tables: StateTables) {
  const rows = model({
    name: "boundary_rows",
    reads: [parcels, outlines],
    columns: {
      ...{VARCHAR: "parcel_uid county_key", BIGINT: "row", BLOB: "wkb"},
      "STRUCT(xmin DOUBLE, ymin DOUBLE, xmax DOUBLE, ymax DOUBLE)": "bbox",
    },
    materialise: "table",
    sql: () => `SELECT parcel_uid, county_key, "row", wkb, bbox FROM (
       SELECT p.parcel_uid, p.county_key, p.rowid AS "row", o.wkb, {'xmin': p.xmin, 'ymin': p.ymin, 'xmax': p.xmax, 'ymax': p.ymax} AS bbox
       FROM ${parcels.name} p JOIN ${outlines.name} o ON o.parcel_uid = p.parcel_uid WHERE o.wkb IS NOT NULL)
     ORDER BY "row"`,
  });
  const corners = "bbox.xmin AS w, bbox.ymin AS s, bbox.xmax AS e, bbox.ymax AS n";
  const boundaries = stateFile("boundaries", tables, {
    reads: [rows],
    sql: () => `SELECT * EXCLUDE (wkb), wkb AS geometry FROM boundary_rows ORDER BY "row"`,
    geo: async ({db}) => ({
      geometryTypes: ["Polygon", "MultiPolygon"],
      extent: await extentOf(db, `SELECT ${corners} FROM boundary_rows`),
    }),
  });
  return {rows, boundaries};
}
