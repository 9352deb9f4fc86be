import type {DatabaseSync} from "node:sqlite";
import {UserError} from "../../../lib/errors.ts";
import {sqlText} from "../../../lib/sql/duckdb.ts";
import type {StatedCrs} from "./source-crs.ts";

/** A table of rows in a GeoPackage. */
export type GeopackageLayer = {
  readonly name: string;
  /** Columns without the geometry. */
  readonly columns: readonly string[];
  /** Column of the geometry; null for a table of attributes. */
  readonly geometry: string | null;
  readonly crs: StatedCrs;
};

type SqliteRow = Record<string, unknown>;

/**
 * Gives the layers of features and tables of attributes of a GeoPackage, in the order of its contents (GeoPackage 1.4, sections 1.1.3
 * and 2.1.5). Throws a `UserError` for an SQLite file that is not a GeoPackage.
 */
export function layersOf(database: DatabaseSync, shown: string): GeopackageLayer[] {
  if (!hasTable(database, "gpkg_contents")) {
    throw new UserError(`${shown}: an SQLite file without gpkg_contents: a GeoPackage was expected.`);
  }
  const contents = database
    .prepare(
      "SELECT table_name FROM gpkg_contents WHERE data_type IN ('features', 'attributes', 'aspatial') ORDER BY rowid",
    )
    .all() as SqliteRow[];
  const geometries = new Map<string, SqliteRow>();
  if (hasTable(database, "gpkg_geometry_columns")) {
    for (const row of database.prepare("SELECT * FROM gpkg_geometry_columns").all() as SqliteRow[])
      geometries.set(String(row.table_name).toLowerCase(), row);
  }
  return contents.map(({table_name}) => {
    const name = String(table_name);
    const columns = (
      database.prepare(`SELECT name FROM pragma_table_info(${sqlText(name)})`).all() as SqliteRow[]
    ).map((column) => String(column.name));
    if (columns.length === 0)
      throw new UserError(`${shown}: the layer "${name}" of the contents is not there. The file is damaged.`);
    const stated = geometries.get(name.toLowerCase());
    const geometry =
      stated === undefined
        ? null
        : (columns.find((column) => column.toLowerCase() === String(stated.column_name).toLowerCase()) ??
          null);
    return {
      name,
      columns: columns.filter((column) => column !== geometry),
      geometry,
      crs: stated === undefined ? {} : crsOf(database, Number(stated.srs_id)),
    };
  });
}

/** Gives the coordinate system of a number; empty for 0 and -1, which mean that it is not known. */
function crsOf(database: DatabaseSync, srsId: number): StatedCrs {
  if (srsId <= 0) return {};
  const row = database.prepare("SELECT * FROM gpkg_spatial_ref_sys WHERE srs_id = ?").get(srsId) as
    | SqliteRow
    | undefined;
  if (row === undefined) return {};
  return {
    authority: String(row.organization ?? ""),
    code: Number(row.organization_coordsys_id),
    wkt: String(row.definition ?? ""),
  };
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return (
    database
      .prepare("SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND lower(name) = ?")
      .get(name) !== undefined
  );
}
