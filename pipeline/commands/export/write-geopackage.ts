import {DatabaseSync, type SQLInputValue} from "node:sqlite";
import {makeWhole} from "@open-cattle/safe-files";
import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {countExported, type ExportRequest, type Layer, layerOf} from "./export-layers.ts";

/** Rows per transaction. */
const transactionRows = 50_000;

/** Tables required in every GeoPackage (OGC 12-128r19, annex C), with WGS 84 longitude and latitude. */
const frame = `
  PRAGMA application_id = ${0x47504b47};
  PRAGMA user_version = 10300;
  CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
    organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
  INSERT INTO gpkg_spatial_ref_sys VALUES
    ('Undefined cartesian SRS', -1, 'NONE', -1, 'undefined', NULL),
    ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', NULL),
    ('WGS 84 geodetic', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]', 'longitude and latitude');
  CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '',
    last_change DATETIME NOT NULL DEFAULT '1970-01-01T00:00:00.000Z', min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
    CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
  CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
    srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
    CONSTRAINT uk_gc_table_name UNIQUE (table_name),
    CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
    CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));`;

/** Precedes each WKB geometry: "GP", version 0, little-endian without an envelope, SRS 4326. */
const geometryHeader = Buffer.from([0x47, 0x50, 0, 1, 0xe6, 0x10, 0, 0]);

const geometryTypes = {parcels: "POINT", boundaries: "GEOMETRY"} as const;

/**
 * Writes a state's parcels as a GeoPackage with the layers `parcels` (points) and, if the state has outlines, `boundaries`; returns the
 * number of parcels. Throws a `UserError` if the file cannot be written.
 */
export async function exportGeoPackage(db: Database, request: ExportRequest): Promise<number> {
  const rows = await countExported(db, request);
  await makeWhole(request.path, (beside) => fill(beside, db, request)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ERR_SQLITE_ERROR") throw error;
      throw new UserError(`${request.path}: cannot be written: ${error.message}`);
    },
  );
  return rows;
}

async function fill(path: string, db: Database, {state, hasOutlines}: ExportRequest): Promise<void> {
  using file = new DatabaseSync(path);
  // A partial file is discarded, so no journal is needed; the whole file is synced at the end.
  file.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  file.exec(frame);
  await writeLayer(db, file, layerOf("parcels", state));
  if (hasOutlines) await writeLayer(db, file, layerOf("boundaries", state));
}

async function writeLayer(db: Database, file: DatabaseSync, {name, columns, sql}: Layer): Promise<void> {
  const type = geometryTypes[name];
  const shape = columns.map(([column, sqlite]) => `${sqlName(column)} ${sqlite}`).join(", ");
  file.exec(`CREATE TABLE ${name} (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom ${type}, ${shape})`);
  const marks = Array.from({length: columns.length + 1}, () => "?").join(", ");
  const names = columns.map(([column]) => sqlName(column)).join(", ");
  const insert = file.prepare(`INSERT INTO ${name} (geom, ${names}) VALUES (${marks})`);
  let written = 0;
  file.exec("BEGIN");
  const ordered = `${sql} ORDER BY county_key, parcel_uid`;
  for await (const rows of (await db.stream(ordered)).batches) {
    for (const [wkb, ...values] of rows) insert.run(geometryOf(wkb), ...(values as SQLInputValue[]));
    written += rows.length;
    if (written % transactionRows < rows.length) file.exec("COMMIT; BEGIN");
  }
  const geometry = file.prepare("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, 4326, 0, 0)");
  const contents = file.prepare(
    "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES (?, 'features', ?, 4326)",
  );
  contents.run(name, name);
  geometry.run(name, type);
  file.exec("COMMIT");
}

function geometryOf(wkb: unknown): Buffer | null {
  return wkb instanceof Uint8Array ? Buffer.concat([geometryHeader, wkb]) : null;
}
