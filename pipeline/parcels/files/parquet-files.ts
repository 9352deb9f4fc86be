import {join} from "node:path";
import {type Database, sqlName, sqlText} from "../../../lib/duckdb.ts";
import {parcelColumns} from "../../../schemas/parcel-columns.ts";
import {provenanceColumns} from "../provenance.ts";
import {type GeoColumn, geoMetadataOption} from "./geo-metadata.ts";

const parquet = "FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880";

/** WKB of a point from two numbers, null for null: DuckDB rewrites the big-endian form, bit for bit (`engineering-notes.md` section 4). */
const pointWkb = "st_asbinary(st_geomfromwkb(unhex('0000000001') || lon::BIT::BLOB || lat::BIT::BLOB))";

/** Writes `parcels.parquet`, GeoParquet 1.1, from a table in row order. */
export async function writeParcelsParquet(db: Database, table: string, outDir: string): Promise<void> {
  const columns = [...parcelColumns.map(({name}) => sqlName(name)), `${pointWkb} AS geometry`];
  const extent = await extentOf(
    db,
    `SELECT lon AS w, lat AS s, lon AS e, lat AS n FROM ${sqlName(table)} WHERE lon IS NOT NULL`,
  );
  await db.run(
    `COPY (SELECT ${columns.join(", ")} FROM ${sqlName(table)} ORDER BY rowid)
     TO ${sqlText(join(outDir, "parcels.parquet"))} (${parquet}, ${geoMetadataOption({geometryTypes: ["Point"], extent})})`,
  );
}

/** Writes `provenance.parquet` from table `provenance`. */
export async function writeProvenanceParquet(db: Database, outDir: string): Promise<void> {
  await db.run(
    `COPY (SELECT ${provenanceColumns.join(", ")} FROM provenance ORDER BY provenance_id)
     TO ${sqlText(join(outDir, "provenance.parquet"))} (${parquet})`,
  );
}

/** Makes table `boundaries` (row, WKB, and the row's extent, which holds the outline) of the rows with an outline, and gives their number. */
export async function makeBoundaries(db: Database, table: string): Promise<number> {
  await db.run(
    `CREATE TABLE boundaries AS SELECT rowid::BIGINT AS "row", _wkb AS wkb, {'xmin': xmin, 'ymin': ymin, 'xmax': xmax, 'ymax': ymax} AS bbox
     FROM ${sqlName(table)} WHERE _wkb IS NOT NULL ORDER BY rowid`,
  );
  const [counted] = await db.rows<{n: bigint}>("SELECT count(*) AS n FROM boundaries");
  return Number(counted!.n);
}

/** Writes `boundaries.parquet`, GeoParquet 1.1 with a covering, from table `boundaries`. */
export async function writeBoundariesParquet(db: Database, outDir: string): Promise<void> {
  const extent = await extentOf(
    db,
    "SELECT bbox.xmin AS w, bbox.ymin AS s, bbox.xmax AS e, bbox.ymax AS n FROM boundaries",
  );
  const geo = geoMetadataOption({geometryTypes: ["Polygon", "MultiPolygon"], extent, coveringColumn: "bbox"});
  await db.run(
    `COPY (SELECT "row", wkb AS geometry, bbox FROM boundaries ORDER BY "row")
     TO ${sqlText(join(outDir, "boundaries.parquet"))} (${parquet}, ${geo})`,
  );
}

/** Writes `rejects.parquet` from table `rejects`: dropped rows with the reason, by file and row. */
export async function writeRejectsParquet(db: Database, outDir: string): Promise<void> {
  await db.run(
    `COPY (SELECT source_id, source_path, source_row, reason, county_key, parcel_id, situs_raw FROM rejects ORDER BY source_path, source_row, reason)
     TO ${sqlText(join(outDir, "rejects.parquet"))} (${parquet})`,
  );
}

async function extentOf(db: Database, query: string): Promise<GeoColumn["extent"]> {
  const [box] = await db.rows<{w: number | null; s: number; e: number; n: number}>(
    `SELECT min(w) AS w, min(s) AS s, max(e) AS e, max(n) AS n FROM (${query})`,
  );
  return box === undefined || box.w === null ? null : [box.w, box.s, box.e, box.n];
}
