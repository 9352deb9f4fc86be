import {DatabaseSync} from "node:sqlite";
import {outlineToWkb, type Ring} from "@open-cattle/parcel-outlines";
import type {Geometry} from "geojson";
import {columns, type SampleRow} from "./sample-rows.ts";

type Srs = {
  readonly id: number;
  readonly organization: string;
  readonly code: number;
  readonly definition: string;
};
type Cell = string | number | bigint | null;
type LayerRow = {readonly geometry: Geometry | null; readonly cells: readonly Cell[]};

const degrees: Srs = {id: 4326, organization: "EPSG", code: 4326, definition: "undefined"};
const sampleTypes = "parcel_no TEXT, owner TEXT, address TEXT, acreage REAL, account INTEGER, use_code TEXT";

/** Writes a GeoPackage with a layer of the sample's features for each name, in the system of `srs`. */
export function writeGeopackage(
  path: string,
  rows: readonly SampleRow[],
  {layers = ["parcels"], srs = degrees} = {},
): void {
  const layerRows = rows.map((row) => ({
    geometry: row.geometry,
    cells: columns.map((column) => row[column]),
  }));
  writeLayers(
    path,
    layers.map((name) => ({name, columns, types: sampleTypes, rows: layerRows})),
    srs,
  );
}

/** Writes a GeoPackage with one layer, whose columns hold texts and numbers as they are. */
export function writeLayer(
  path: string,
  {name, columns: names, rows}: {name: string; columns: readonly string[]; rows: readonly LayerRow[]},
): void {
  writeLayers(
    path,
    [{name, columns: names, types: names.map((each) => `"${each}"`).join(", "), rows}],
    degrees,
  );
}

type Layer = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly types: string;
  readonly rows: readonly LayerRow[];
};

function writeLayers(path: string, layers: readonly Layer[], srs: Srs): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY, organization TEXT, organization_coordsys_id INTEGER, definition TEXT);
    CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT, srs_id INTEGER);
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT, srs_id INTEGER, z TINYINT, m TINYINT)`);
  database
    .prepare("INSERT INTO gpkg_spatial_ref_sys VALUES ('', ?, ?, ?, ?)")
    .run(srs.id, srs.organization, srs.code, srs.definition);
  database.exec("BEGIN");
  for (const {name, columns: names, types, rows} of layers) {
    database.exec(`CREATE TABLE "${name}" (fid INTEGER PRIMARY KEY, geom BLOB, ${types})`);
    database.prepare("INSERT INTO gpkg_contents VALUES (?, 'features', ?, ?)").run(name, name, srs.id);
    database
      .prepare("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', 'GEOMETRY', ?, 0, 0)")
      .run(name, srs.id);
    const named = names.map((each) => `"${each}"`).join(", ");
    const insert = database.prepare(
      `INSERT INTO "${name}" (geom, ${named}) VALUES (?${", ?".repeat(names.length)})`,
    );
    for (const {geometry, cells} of rows)
      insert.run(geometry === null ? null : Buffer.concat([gpkgHead(srs.id), wkbOf(geometry)]), ...cells);
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

/** A point or outline as two-dimensional WKB. */
export function wkbOf(geometry: Geometry): Buffer {
  if (geometry.type === "Polygon") return outlineToWkb([geometry.coordinates as Ring[]]);
  if (geometry.type === "MultiPolygon") return outlineToWkb(geometry.coordinates as Ring[][]);
  if (geometry.type !== "Point") throw new Error(`${geometry.type} is not written`);
  const wkb = Buffer.alloc(21);
  wkb.writeUInt8(1, 0);
  wkb.writeUInt32LE(1, 1);
  geometry.coordinates.slice(0, 2).forEach((value, i) => {
    wkb.writeDoubleLE(value, 5 + i * 8);
  });
  return wkb;
}
