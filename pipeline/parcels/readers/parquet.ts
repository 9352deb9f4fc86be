import type {DuckDBValue} from "@duckdb/node-api";
import {messageOf, UserError} from "../../../lib/errors.ts";
import {type GeometrySummary, summarizeGeometry} from "../../../lib/geography/geometry/summarize.ts";
import type {ToLonLat} from "../../../lib/geography/projection.ts";
import type {SourceRecord} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, openDatabase, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {geoMetadata, geometryColumnOf, type ParquetColumn} from "./parquet-geometry.ts";
import type {Reader} from "./reader.ts";
import {sourceProjection} from "./source-crs.ts";
import {stageColumns} from "./stage-columns.ts";
import {geometryFromWkb} from "./wkb-geometry.ts";

/** Limit of the database through which the rows of the file pass in chunks. */
const memoryLimit = "400MB";

/** Reads Parquet and GeoParquet (1.0, 1.1 and the geometry type of Parquet itself) with DuckDB. */
export const parquetReader: Reader = {
  name: "Parquet",
  knows: ({extension, head}) =>
    extension === "parquet" || extension === "geoparquet" || head.toString("latin1", 0, 4) === "PAR1",
  async read(request) {
    const {path, shown} = request.dataset;
    // The file has a database of its own, from which rows stream while they are appended to the other.
    const source = await openDatabase({memoryLimit, tempDirectory: request.tempDir});
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
    } finally {
      source.close();
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
  return `read_parquet(${sqlText(path)}, hive_partitioning = false)`;
}

/** Gives the SQL of a cell: numbers and logical values unchanged, lists and structs as JSON, bytes that are text and all else as text. */
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
