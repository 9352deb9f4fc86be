import type {DuckDBValue} from "@duckdb/node-api";
import type {FileRow} from "@open-cattle/parcel-files";
import {sourceProjection} from "@open-cattle/parcel-files";
import {
  type GeometrySummary,
  geometryFromWkb,
  summarizeGeometry,
  type ToLonLat,
} from "@open-cattle/parcel-outlines";
import {isUserError, messageOf, UserError} from "../../../lib/errors.ts";
import {type Database, openDatabase, sqlName} from "../../../lib/sql/duckdb.ts";
import {refuseCutStream} from "../../../lib/sql/sql-error.ts";
import {parquetRelation} from "../../../lib/sql/sql-path.ts";
import {asUserError} from "../../raw/file-faults.ts";
import {type Reader, stageColumns} from "./file-reader.ts";
import {geometryText, type SampledColumn, stagedText, withText} from "./geometry-text.ts";
import {
  geometryFromLists,
  type ParquetColumn,
  type ParquetGeometry,
  parquetGeometry,
} from "./parquet-geometry.ts";

/** Memory limit of the database that streams the file's rows. */
const memoryLimit = "400MB";
/** Filled cells among which those are found that tell a column of text with geometries. */
const sampleCells = 200;

/** Reads Parquet and GeoParquet (1.0, 1.1 and Parquet's own geometry type) with DuckDB. */
export const parquetReader: Reader = {
  name: "Parquet",
  accepts: ({extension, head}) =>
    extension === "parquet" || extension === "geoparquet" || head.toString("latin1", 0, 4) === "PAR1",
  async read(request) {
    const {path, shownPath} = request.dataset;
    // The file gets its own database, so that its rows can stream while they are appended to the other one.
    using source = await openDatabase({memoryLimit, tempDirectory: request.tempDir});
    try {
      await source.run("SET enable_geoparquet_conversion = false");
      const columns = await source.rows<ParquetColumn>(
        `SELECT column_name AS name, column_type AS type FROM (DESCRIBE SELECT * FROM ${scan(path)})`,
      );
      const geometry = await parquetGeometry(source, request.dataset, columns);
      const project = geometry === null ? undefined : sourceProjection(request.crs, geometry.crs, shownPath);
      const cells = columns.filter(({name, type}) => name !== geometry?.name && type !== "GEOMETRY");
      const names = cells.map(({name}) => name);
      const text = geometry === null ? await textColumn(source, path, cells) : undefined;
      const wantedColumns = withText(request.wantedColumns, text, names);
      const staged = await stageColumns({...request, wantedColumns}, names, (needed) =>
        records(source, {
          path,
          shownPath,
          cells: cells.filter(({name}) => needed.includes(name)),
          geometry,
          project,
        }),
      );
      return {...staged, geometry: geometry?.name, ...stagedText(wantedColumns, text, names)};
    } catch (thrown) {
      const error = asUserError(thrown);
      throw isUserError(error) ? error : new UserError(`${shownPath}: ${messageOf(error).split("\n")[0]}`);
    }
  },
};

type ParquetRows = {
  readonly path: string;
  readonly shownPath: string;
  readonly cells: readonly ParquetColumn[];
  readonly geometry: ParquetGeometry | null;
  readonly project: ToLonLat | undefined;
};

async function* records(
  source: Database,
  {path, shownPath, cells, geometry, project}: ParquetRows,
): AsyncGenerator<FileRow> {
  const selected = [...cells.map(cellSql), `${geometry?.sql ?? "NULL"} AS "~geometry"`];
  const sql = `SELECT ${selected.join(", ")} FROM ${scan(path)}`;
  const result = await source.connection.stream(sql);
  let row = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return refuseCutStream(source.connection, result, sql);
    for (const values of chunk.getRows()) {
      row += 1;
      yield {
        cells: Object.fromEntries(cells.map(({name}, i) => [name, values[i] ?? null])),
        geometry: geometryOf(
          values[cells.length],
          {project, lists: geometry?.lists, isGuessed: geometry?.isGuessed},
          `${shownPath}: row ${row}`,
        ),
      };
    }
  }
}

/** The column of text that holds geometries, by the first cells of each that are not empty. */
async function textColumn(db: Database, path: string, columns: readonly ParquetColumn[]) {
  const sampled: SampledColumn[] = [];
  for (const {name} of columns.filter(({type}) => type === "VARCHAR")) {
    const cell = sqlName(name);
    const rows = await db.rows<{cell: string}>(
      `SELECT ${cell} AS cell FROM ${scan(path)} WHERE trim(${cell}) <> '' LIMIT ${sampleCells}`,
    );
    sampled.push({name, cells: rows.map((row) => row.cell)});
  }
  return geometryText(sampled);
}

function scan(path: string): string {
  return parquetRelation(path);
}

/**
 * SQL for a cell: numbers and booleans unchanged, decimals without those that are all zeros, lists and structs as JSON, bytes that are text
 * and everything else as text.
 */
function cellSql({name, type}: ParquetColumn): string {
  const column = sqlName(name);
  if (/^(?:U?(?:TINY|SMALL|BIG)?INT(?:EGER)?|FLOAT|DOUBLE|BOOLEAN|VARCHAR)$/.test(type)) return column;
  if (type === "BLOB") return `try(decode(${column}))`;
  if (type === "TIMESTAMP WITH TIME ZONE")
    return `strftime(${column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')`;
  if (type.startsWith("TIMESTAMP")) return `strftime(${column}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S')`;
  if (/^DECIMAL\([^)]*\)$/.test(type)) return `regexp_replace(${column}::VARCHAR, '\\.0+$', '')`;
  return /[[(]/.test(type) && !type.startsWith("DECIMAL")
    ? `to_json(${column})::VARCHAR`
    : `${column}::VARCHAR`;
}

function geometryOf(
  value: DuckDBValue | undefined,
  {
    project,
    lists,
    isGuessed,
  }: {project: ToLonLat | undefined} & {[Name in "lists" | "isGuessed"]: ParquetGeometry[Name]},
  place: string,
): GeometrySummary | null {
  if (value === null || value === undefined) return null;
  try {
    const geometry =
      lists === undefined
        ? geometryFromWkb((value as {bytes: Uint8Array}).bytes)
        : geometryFromLists(value as string, lists);
    return summarizeGeometry(geometry, project);
  } catch (error) {
    if (isGuessed === true) return null;
    throw new UserError(`${place}: ${messageOf(error)}`);
  }
}
