import {mkdir} from "node:fs/promises";
import {dirname, join} from "node:path";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {copySql, parquetRelation} from "../../../lib/sql/sql-path.ts";
import {type StateTable, stateTablePath} from "../../../lib/storage/build-layout.ts";
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
import {provenanceColumns} from "./provenance-table.ts";

/** The limit stops dictionary encoding early for columns with many distinct values per row group, which saves a tenth of the time. */
const compressed = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, DICTIONARY_SIZE_LIMIT 4000";
const parquet = `${compressed}, ROW_GROUP_SIZE 122880`;
/** Spatial readers skip row groups by their extents, and smaller groups are skipped more often. */
const geoParquet = `${compressed}, ROW_GROUP_SIZE 40960`;

/** Where and how a state's tables are written: a folder laid out like a build, the state, and the footer's stamp. */
export type StateTables = {readonly outDir: string; readonly state: string; readonly stamp: PartStamp};

/** Returns the COPY option with the footer of a state's table file. */
function footer(table: StateTable, {state, stamp}: StateTables, geo?: GeoColumn): string {
  const entries = footerEntries(
    stateTablePath(table, state),
    stamp,
    geo === undefined ? {} : {geo: geoMetadata(geo)},
  );
  return footerOption(table === "parcels" ? {...entries, "ARROW:schema": parcelSchema(entries)} : entries);
}

/** Creates the folder of a table and returns its file path. */
async function placeOf(
  table: StateTable,
  {outDir, state}: Pick<StateTables, "outDir" | "state">,
): Promise<string> {
  const path = join(outDir, stateTablePath(table, state));
  await mkdir(dirname(path), {recursive: true});
  return path;
}

/**
 * Writes the table `parcels` as GeoParquet 1.1 from an ordered query, and creates the view `into` on the file, whose `rowid` is the row
 * number. The rows are thus sorted only once. `extent` covers all points.
 */
export async function writeParcelsParquet(
  db: Database,
  {query, extent, into}: {query: string; extent: GeoColumn["extent"]; into: string},
  tables: StateTables,
): Promise<void> {
  const path = await placeOf("parcels", tables);
  const columns = parcelColumns.map(({name}) => sqlName(name)).join(", ");
  const geo = {geometryTypes: ["Point"], extent} as const;
  await db.run(
    copySql(
      `SELECT ${columns}, ${pointColumns} FROM (${query})`,
      path,
      geoParquet,
      footer("parcels", tables, geo),
    ),
  );
  await db.run(
    `CREATE VIEW ${sqlName(into)} AS SELECT ${columns}, file_row_number AS rowid FROM ${parquetRelation(path, "file_row_number = true")}`,
  );
}

/** Writes the table `parcel_provenance` from the table `provenance`. */
export async function writeProvenanceParquet(db: Database, tables: StateTables): Promise<void> {
  await db.run(
    copySql(
      `SELECT * REPLACE (retrieved_at::TIMESTAMPTZ AS retrieved_at)
       FROM (SELECT ${provenanceColumns.join(", ")} FROM provenance) ORDER BY provenance_id`,
      await placeOf("parcel_provenance", tables),
      parquet,
      footer("parcel_provenance", tables),
    ),
  );
}

/**
 * Creates the table `boundaries` (id, county and row of the parcel, WKB, and the row's extent, which covers the outline) for the parcels in
 * `table` that have an outline in `outlines`, and returns their number.
 */
export async function makeBoundaries(
  db: Database,
  {table, outlines}: {table: string; outlines: string},
): Promise<number> {
  await db.run(
    `CREATE TABLE boundaries AS SELECT parcel_uid, county_key, "row", wkb, bbox FROM (
       SELECT p.parcel_uid, p.county_key, p.rowid AS "row", o.wkb, {'xmin': p.xmin, 'ymin': p.ymin, 'xmax': p.xmax, 'ymax': p.ymax} AS bbox
       FROM ${sqlName(table)} p JOIN ${sqlName(outlines)} o ON o.parcel_uid = p.parcel_uid WHERE o.wkb IS NOT NULL)
     ORDER BY "row"`,
  );
  const [counted] = await db.rows<{n: bigint}>("SELECT count(*) AS n FROM boundaries");
  return Number(counted!.n);
}

/** Writes the table `boundaries` as GeoParquet 1.1 with a covering, from the table of that name. */
export async function writeBoundariesParquet(db: Database, tables: StateTables): Promise<void> {
  const extent = await extentOf(
    db,
    "SELECT bbox.xmin AS w, bbox.ymin AS s, bbox.xmax AS e, bbox.ymax AS n FROM boundaries",
  );
  const geo = {geometryTypes: ["Polygon", "MultiPolygon"], extent} as const;
  await db.run(
    copySql(
      `SELECT parcel_uid, county_key, "row", wkb AS geometry, bbox FROM boundaries ORDER BY "row"`,
      await placeOf("boundaries", tables),
      geoParquet,
      footer("boundaries", tables, geo),
    ),
  );
}

/** Writes the table `parcel_rejects` from the table `rejects`: dropped rows with the reason, by file and row. */
export async function writeRejectsParquet(db: Database, tables: StateTables): Promise<void> {
  await db.run(
    copySql(
      "SELECT source_id, source_path, source_row, reason, county_key, parcel_id, situs_raw FROM rejects ORDER BY source_path, source_row, reason",
      await placeOf("parcel_rejects", tables),
      parquet,
      footer("parcel_rejects", tables),
    ),
  );
}
