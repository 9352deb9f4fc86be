import {z} from "zod";
import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import type {StatedCrs} from "./source-crs.ts";

/** A column with its type in DuckDB. */
export type ParquetColumn = {readonly name: string; readonly type: string};

/** The `geo` key of a GeoParquet file (geoparquet.org, specification 1.1). */
const GeoMetadata = z.looseObject({
  primary_column: z.string(),
  columns: z.record(z.string(), z.looseObject({encoding: z.string(), crs: z.unknown().optional()})),
});
type GeoMetadata = z.infer<typeof GeoMetadata>;

/** The system of a column without `crs`: WGS 84 in degrees. A `crs` of null says that the system is not known. */
const degrees = "EPSG:4326";
/** Usual names of a column of WKB, for files that are not marked as GeoParquet. */
const usualNames = ["geometry", "geom", "wkb_geometry", "shape", "wkb"];

/** Gives the geometry metadata of a Parquet file; null for a file that is not GeoParquet. Throws a `UserError` for broken metadata. */
export async function geoMetadata(db: Database, path: string, shown: string): Promise<GeoMetadata | null> {
  const [row] = await db.rows<{geo: string}>(
    `SELECT decode(value) AS geo FROM parquet_kv_metadata(${sqlText(path)}) WHERE decode(key) = 'geo'`,
  );
  if (row === undefined) return null;
  let value: unknown;
  try {
    value = JSON.parse(row.geo);
  } catch {
    throw new UserError(`${shown}: the metadata "geo" is no JSON.`);
  }
  const parsed = GeoMetadata.safeParse(value);
  if (!parsed.success)
    throw new UserError(
      `${shown}: the metadata "geo" is not that of GeoParquet: no primary_column with its encoding.`,
    );
  return parsed.data;
}

/**
 * Gives the column of the geometry, the SQL of it as WKB, and its coordinate system; null for a table without geometry. Throws a
 * `UserError` for a column that is missing or has another encoding.
 */
export function geometryColumnOf(
  columns: readonly ParquetColumn[],
  geo: GeoMetadata | null,
  shown: string,
): {name: string; sql: string; crs: StatedCrs} | null {
  const name = geo?.primary_column ?? columns.find(isGeometry)?.name;
  const column = columns.find((each) => each.name === name);
  if (name === undefined) return null;
  if (column === undefined)
    throw new UserError(`${shown}: no column "${name}", which the metadata "geo" names.`);
  const stated = geo?.columns[name];
  if (isTyped(column.type))
    return {
      name,
      sql: `st_asbinary(${sqlName(name)})`,
      crs: stated === undefined ? crsOfType(column.type) : crsOf(stated),
    };
  if (stated !== undefined && stated.encoding.toUpperCase() !== "WKB") {
    throw new UserError(
      `${shown}: geometry in the encoding "${stated.encoding}"; WKB is read (ogr2ogr -lco GEOMETRY_ENCODING=WKB).`,
    );
  }
  return {name, sql: sqlName(name), crs: stated === undefined ? {} : crsOf(stated)};
}

function isGeometry({name, type}: ParquetColumn): boolean {
  return isTyped(type) || (type === "BLOB" && usualNames.includes(name.toLowerCase()));
}

function isTyped(type: string): boolean {
  return type.startsWith("GEOMETRY");
}

/** Gives the system of a type such as `GEOMETRY('EPSG:2277')`; without a name it is WGS 84 in degrees, as Parquet defines. */
function crsOfType(type: string): StatedCrs {
  const named = /'(.*)'/s.exec(type)?.[1] ?? degrees;
  const [, authority, code] = /^(\w+):(\d+)$/.exec(named) ?? [];
  if (authority !== undefined) return {authority, code: Number(code)};
  if (/^(?:OGC:)?CRS84$/i.test(named)) return {code: 4326};
  return named.startsWith("{") ? crsOf({crs: JSON.parse(named) as unknown}) : {wkt: named};
}

function crsOf(stated: {crs?: unknown}): StatedCrs {
  if (!("crs" in stated)) return {code: 4326};
  const {crs} = stated;
  if (crs === null || typeof crs !== "object") return {};
  const {authority, code} = ((crs as {id?: unknown}).id ?? {}) as {authority?: unknown; code?: unknown};
  if (authority === "OGC" && code === "CRS84") return {code: 4326};
  return {authority: String(authority ?? "none"), code: Number(code ?? 0), projJson: crs};
}
