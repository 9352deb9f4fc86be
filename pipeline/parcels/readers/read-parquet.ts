import type {DuckDBValue} from "@duckdb/node-api";
import {z} from "zod";
import {messageOf, UserError} from "../../../lib/errors.ts";
import {type GeometrySummary, summarizeGeometry} from "../../../lib/geography/geometry/summarize.ts";
import type {ToLonLat} from "../../../lib/geography/projection.ts";
import type {SourceRecord} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, openDatabase, sqlName} from "../../../lib/sql/duckdb.ts";
import {parquetMetadata, parquetRelation} from "../../../lib/sql/sql-path.ts";
import {type Reader, stageColumns} from "./file-reader.ts";
import {type StatedCrs, sourceProjection} from "./source-crs.ts";
import {geometryFromWkb} from "./wkb-geometry.ts";

/** A column with its DuckDB type. */
type ParquetColumn = {readonly name: string; readonly type: string};

/** The `geo` key of a GeoParquet file (geoparquet.org, specification 1.1). */
const GeoMetadata = z.looseObject({
  primary_column: z.string(),
  columns: z.record(z.string(), z.looseObject({encoding: z.string(), crs: z.unknown().optional()})),
});
type GeoMetadata = z.infer<typeof GeoMetadata>;

/** Coordinate system of a column without `crs`: WGS 84 in degrees. A null `crs` means unknown. */
const degrees = "EPSG:4326";
/** Usual names of a WKB column, for files that are not marked as GeoParquet. */
const usualNames = ["geometry", "geom", "wkb_geometry", "shape", "wkb"];

/** Memory limit of the database that streams the file's rows. */
const memoryLimit = "400MB";

/** Reads Parquet and GeoParquet (1.0, 1.1 and Parquet's own geometry type) with DuckDB. */
export const parquetReader: Reader = {
  name: "Parquet",
  accepts: ({extension, head}) =>
    extension === "parquet" || extension === "geoparquet" || head.toString("latin1", 0, 4) === "PAR1",
  async read(request) {
    const {path, shown} = request.dataset;
    // The file gets its own database, so that its rows can stream while they are appended to the other one.
    using source = await openDatabase({memoryLimit, tempDirectory: request.tempDir});
    try {
      await source.run("SET enable_geoparquet_conversion = false");
      const columns = await source.rows<ParquetColumn>(
        `SELECT column_name AS name, column_type AS type FROM (DESCRIBE SELECT * FROM ${scan(path)})`,
      );
      const geometry = geometryColumnOf(columns, await geoMetadata(source, path, shown), shown);
      const project = geometry === null ? undefined : sourceProjection(request.crs, geometry.crs, shown);
      const cells = columns.filter(({name, type}) => name !== geometry?.name && type !== "GEOMETRY");
      return await stageColumns(
        request,
        cells.map(({name}) => name),
        (needed) =>
          records(source, {
            path,
            shown,
            cells: cells.filter(({name}) => needed.includes(name)),
            geometry: geometry?.sql ?? null,
            project,
          }),
      );
    } catch (error) {
      throw error instanceof UserError
        ? error
        : new UserError(`${shown}: ${messageOf(error).split("\n")[0]}`);
    }
  },
};

type ParquetRows = {
  readonly path: string;
  readonly shown: string;
  readonly cells: readonly ParquetColumn[];
  /** SQL of the WKB. */
  readonly geometry: string | null;
  readonly project: ToLonLat | undefined;
};

async function* records(
  source: Database,
  {path, shown, cells, geometry, project}: ParquetRows,
): AsyncGenerator<SourceRecord> {
  const selected = [...cells.map(cellSql), `${geometry ?? "NULL::BLOB"} AS "~wkb"`];
  const result = await source.connection.stream(`SELECT ${selected.join(", ")} FROM ${scan(path)}`);
  let row = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    for (const values of chunk.getRows()) {
      row += 1;
      yield {
        cells: Object.fromEntries(cells.map(({name}, i) => [name, values[i] ?? null])),
        geometry: geometryOf(values[cells.length], project, `${shown}: row ${row}`),
      };
    }
  }
}

function scan(path: string): string {
  return parquetRelation(path);
}

/** SQL for a cell: numbers and booleans unchanged, lists and structs as JSON, bytes that are text and everything else as text. */
function cellSql({name, type}: ParquetColumn): string {
  const column = sqlName(name);
  if (/^(?:U?(?:TINY|SMALL|BIG)?INT(?:EGER)?|FLOAT|DOUBLE|BOOLEAN|VARCHAR)$/.test(type)) return column;
  if (type === "BLOB") return `try(decode(${column}))`;
  if (type === "TIMESTAMP WITH TIME ZONE")
    return `strftime(${column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')`;
  if (type.startsWith("TIMESTAMP")) return `strftime(${column}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S')`;
  return /[[(]/.test(type) && !type.startsWith("DECIMAL")
    ? `to_json(${column})::VARCHAR`
    : `${column}::VARCHAR`;
}

function geometryOf(
  value: DuckDBValue | undefined,
  project: ToLonLat | undefined,
  place: string,
): GeometrySummary | null {
  if (value === null || value === undefined) return null;
  try {
    return summarizeGeometry(geometryFromWkb((value as {bytes: Uint8Array}).bytes), project);
  } catch (error) {
    throw new UserError(`${place}: ${messageOf(error)}`);
  }
}

/** Returns the geometry metadata of a Parquet file; null if it is not GeoParquet. Throws a `UserError` if the metadata are broken. */
async function geoMetadata(db: Database, path: string, shown: string): Promise<GeoMetadata | null> {
  const [row] = await db.rows<{geo: string}>(
    `SELECT decode(value) AS geo FROM ${parquetMetadata(path)} WHERE decode(key) = 'geo'`,
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
 * Returns the geometry column, its SQL as WKB, and its coordinate system; null for a table without geometry. Throws a `UserError` if the
 * column is missing or has another encoding.
 */
function geometryColumnOf(
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
