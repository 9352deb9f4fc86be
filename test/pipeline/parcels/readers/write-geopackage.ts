import {DatabaseSync} from "node:sqlite";
import {columns, type SampleRow} from "./sample-rows.ts";
import {wkbOf} from "./write-wkb.ts";

/** Writes a GeoPackage with a layer of features for each name, in the system of `srs`. */
export function writeGeopackage(
  path: string,
  rows: readonly SampleRow[],
  {layers = ["parcels"], srs = {id: 4326, organization: "EPSG", code: 4326, definition: "undefined"}} = {},
): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY, organization TEXT, organization_coordsys_id INTEGER, definition TEXT);
    CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT, srs_id INTEGER);
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT, srs_id INTEGER, z TINYINT, m TINYINT)`);
  database
    .prepare("INSERT INTO gpkg_spatial_ref_sys VALUES ('', ?, ?, ?, ?)")
    .run(srs.id, srs.organization, srs.code, srs.definition);
  database.exec("BEGIN");
  for (const layer of layers) {
    database.exec(
      `CREATE TABLE "${layer}" (fid INTEGER PRIMARY KEY, geom BLOB, parcel_no TEXT, owner TEXT, address TEXT, acreage REAL, account INTEGER, use_code TEXT)`,
    );
    database.prepare("INSERT INTO gpkg_contents VALUES (?, 'features', ?, ?)").run(layer, layer, srs.id);
    database
      .prepare("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 'GEOMETRY', ?, 0, 0)")
      .run(layer, srs.id);
    const insert = database.prepare(
      `INSERT INTO "${layer}" (geom, ${columns.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const row of rows) {
      const geometry = row.geometry === null ? null : Buffer.concat([gpkgHead(srs.id), wkbOf(row.geometry)]);
      insert.run(geometry, ...columns.map((column) => row[column]));
    }
  }
  database.exec("COMMIT");
  database.close();
}

/** With an envelope of four doubles, which readers must skip. */
function gpkgHead(srsId: number): Buffer {
  const head = Buffer.alloc(8 + 32);
  head.write("GP", "latin1");
  head[3] = 0b0000_0011;
  head.writeInt32LE(srsId, 4);
  return head;
}
