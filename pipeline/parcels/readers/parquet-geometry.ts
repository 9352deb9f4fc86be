import type {StatedCrs} from "@open-cattle/parcel-files";
import {geometryFromGeoJson, geometryFromWkb} from "@open-cattle/parcel-outlines";
import type {Geometry} from "geojson";
import {z} from "zod";
import {UserError} from "../../../lib/errors.ts";
import {blobBytes} from "../../../lib/parcels/dedupe/merge-outlines.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {parquetMetadata, parquetRelation} from "../../../lib/sql/sql-path.ts";
import type {Dataset} from "./file-reader.ts";
import {isGeometryName} from "./geometry-text.ts";

/** A column with its DuckDB type. */
export type ParquetColumn = {readonly name: string; readonly type: string};

/** Kinds of GeoArrow that are read. */
type ListsKind = "Point" | "Polygon" | "MultiPolygon";

/** A column of geometry; `sql` gives its WKB, or the JSON of its lists where it is GeoArrow. */
export type ParquetGeometry = {
  readonly name: string;
  readonly sql: string;
  readonly crs: StatedCrs;
  readonly lists?: ListsKind;
  /** Nothing declares it, so that a cell may be something else. */
  readonly isGuessed?: true;
};

/** The `geo` key of a GeoParquet file (geoparquet.org, specification 1.1). */
const GeoMetadata = z.looseObject({
  primary_column: z.string(),
  columns: z.record(z.string(), z.looseObject({encoding: z.string(), crs: z.unknown().optional()})),
});
type GeoMetadata = z.infer<typeof GeoMetadata>;

/** Coordinate system of a column without `crs`: WGS 84 in degrees. A null `crs` means unknown. */
const degrees = "EPSG:4326";
/** Rows whose bytes show that a column is WKB. */
const sampleRows = 20;

/** Returns the geometry metadata of a Parquet file; null if it is not GeoParquet. Throws a `UserError` if the metadata are broken. */
async function geoMetadata(db: Database, path: string, shownPath: string): Promise<GeoMetadata | null> {
  const [row] = await db.rows<{geo: string}>(
    `SELECT decode(value) AS geo FROM ${parquetMetadata(path)} WHERE decode(key) = 'geo'`,
  );
  if (row === undefined) return null;
  let value: unknown;
  try {
    value = JSON.parse(row.geo);
  } catch {
    throw new UserError(`${shownPath}: the metadata "geo" is not JSON.`);
  }
  const parsed = GeoMetadata.safeParse(value);
  if (!parsed.success)
    throw new UserError(
      `${shownPath}: the metadata "geo" is not that of GeoParquet: no primary_column with its encoding.`,
    );
  return parsed.data;
}

/**
 * Returns the geometry column of a Parquet file: that of the metadata `geo`, one of Parquet's own type, one whose bytes are WKB, or lists
 * of coordinates (GeoArrow). Null for a table without geometry. Throws a `UserError` if the column that the metadata name is missing or has
 * another encoding, and for broken metadata.
 */
export async function parquetGeometry(
  db: Database,
  {path, shownPath}: Dataset,
  columns: readonly ParquetColumn[],
): Promise<ParquetGeometry | null> {
  const geo = await geoMetadata(db, path, shownPath);
  if (geo === null && !columns.some(({type}) => isTyped(type))) return undeclared(db, path, columns);
  const name = geo?.primary_column ?? columns.find(({type}) => isTyped(type))!.name;
  const column = columns.find((each) => each.name === name);
  if (column === undefined)
    throw new UserError(`${shownPath}: no column "${name}", which the metadata "geo" names.`);
  const declared = geo?.columns[name];
  if (isTyped(column.type))
    return {
      name,
      sql: `st_asbinary(${sqlName(name)})`,
      crs: declared === undefined ? crsOfType(column.type) : crsOf(declared),
    };
  if (declared !== undefined && declared.encoding.toUpperCase() !== "WKB") {
    throw new UserError(
      `${shownPath}: geometry in the encoding "${declared.encoding}"; WKB is read (ogr2ogr -lco GEOMETRY_ENCODING=WKB).`,
    );
  }
  return {name, sql: sqlName(name), crs: declared === undefined ? {} : crsOf(declared)};
}

/** A column of bytes that are WKB, else one of GeoArrow; both in degrees, as the points of the county will show. */
async function undeclared(
  db: Database,
  path: string,
  columns: readonly ParquetColumn[],
): Promise<ParquetGeometry | null> {
  for (const {name} of columns.filter(({type}) => type === "BLOB"))
    if (await isWkb(db, path, name)) return {name, sql: sqlName(name), crs: {code: 4326}, isGuessed: true};
  const nested = columns.flatMap(({name, type}) => {
    const kind = kindOfLists(type);
    return kind === null || (kind === "Point" && !isGeometryName(name)) ? [] : [{name, kind}];
  });
  const [first] = nested;
  if (first === undefined) return null;
  return {
    name: first.name,
    sql: `to_json(${sqlName(first.name)})::VARCHAR`,
    crs: {code: 4326},
    lists: first.kind,
  };
}

/** True where at least half of the first filled cells of a column are geometries; empty ones say nothing. */
async function isWkb(db: Database, path: string, name: string): Promise<boolean> {
  const rows = await db.rows<{value: unknown}>(
    `SELECT ${sqlName(name)} AS value FROM ${parquetRelation(path)} WHERE octet_length(${sqlName(name)}) > 0 LIMIT ${sampleRows}`,
  );
  const read = rows.map(({value}) => geometryOrFault(blobBytes(value))).filter((each) => each !== null);
  return read.length > 0 && read.filter((each) => each !== undefined).length >= read.length / 2;
}

/** The geometry of well-known binary; null for an empty one, undefined for other bytes. */
function geometryOrFault(bytes: Buffer): Geometry | null | undefined {
  try {
    return geometryFromWkb(bytes);
  } catch {
    return undefined;
  }
}

/** The kind of geometry of a type of GeoArrow, by the depth of its lists: pairs of numbers, or structs of x and y. */
function kindOfLists(type: string): ListsKind | null {
  const struct = /^STRUCT\(x DOUBLE, y DOUBLE(?:, [zm] DOUBLE)*\)((?:\[\])*)$/i.exec(type);
  const pairs = /^DOUBLE(?:\[[234]?\])((?:\[\])*)$/.exec(type);
  const depth = ((struct ?? pairs)?.[1]?.length ?? Number.NaN) / 2;
  return ({0: "Point", 2: "Polygon", 3: "MultiPolygon"} as const)[depth] ?? null;
}

/** The geometry of a cell of GeoArrow, from its JSON. */
export function geometryFromLists(json: string, kind: ListsKind): Geometry | null {
  const pairs = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(pairs)
      : typeof value === "object" && value !== null
        ? [(value as {x: unknown}).x, (value as {y: unknown}).y]
        : value;
  return geometryFromGeoJson({type: kind, coordinates: pairs(JSON.parse(json))});
}

function isTyped(type: string): boolean {
  return type.startsWith("GEOMETRY");
}

/** Parses the coordinate system of a type such as `GEOMETRY('EPSG:2277')`; Parquet's default is WGS 84 in degrees. */
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
