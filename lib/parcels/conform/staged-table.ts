import {
  BLOB,
  BOOLEAN,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBVector,
  VARCHAR,
} from "@duckdb/node-api";
import type {GeometrySummary} from "../../geography/geometry/summarize.ts";
import {type Database, sqlName} from "../../sql/duckdb.ts";
import {type Cells, cellResolver, stagedNames} from "./cells.ts";

/** Columns of a staged table beside the cells; no source field that an entry names begins with `~`. */
export const geometryColumns = [
  ["~lon", DOUBLE],
  ["~lat", DOUBLE],
  ["~xmin", DOUBLE],
  ["~ymin", DOUBLE],
  ["~xmax", DOUBLE],
  ["~ymax", DOUBLE],
  ["~acres", DOUBLE],
  ["~point_method", VARCHAR],
  ["~invalid", BOOLEAN],
  ["~wkb", BLOB],
] as const satisfies readonly (readonly [string, DuckDBType])[];

/** A table of the rows of a source as they came: every cell as text, under the names that the entry uses. */
export type StagedTable = {
  readonly table: string;
  /** Names of all columns of the source, in order of appearance. */
  readonly seen: readonly string[];
  /** The names of the entry that the source has. */
  readonly found: ReadonlySet<string>;
  readonly rows: number;
  /** Number of rows that could not be split into cells, and are not in the table. */
  readonly malformed: number;
};

/** One row of a source before staging. */
export type SourceRecord = {readonly cells: Cells; readonly geometry: GeometrySummary | null};

const chunkRows = 2048;

/**
 * Makes table `table` from records: the `wanted` names as text columns, then the geometry columns; `rowid` is the place of
 * the record. Only one chunk of rows is held in memory. An error of the records passes through, and the table is dropped.
 */
export async function stageRecords(
  db: Database,
  {table, wanted}: {table: string; wanted: readonly string[]},
  records: AsyncIterable<SourceRecord> | Iterable<SourceRecord>,
): Promise<StagedTable> {
  await db.run(`CREATE TABLE ${sqlName(table)} (${columnList(wanted)})`);
  try {
    const resolver = cellResolver(wanted);
    const rows = await append(db, table, wanted, resolver.texts, records);
    return {table, seen: resolver.seen(), found: resolver.found(), rows, malformed: 0};
  } catch (fault) {
    await db.run(`DROP TABLE IF EXISTS ${sqlName(table)}`);
    throw fault;
  }
}

function columnList(wanted: readonly string[]): string {
  const cells = stagedNames(wanted).map((name) => `${sqlName(name)} VARCHAR`);
  return [...cells, ...geometryColumns.map(([name, type]) => `${sqlName(name)} ${type}`)].join(", ");
}

async function append(
  db: Database,
  table: string,
  wanted: readonly string[],
  texts: (cells: Cells) => (string | null)[],
  records: AsyncIterable<SourceRecord> | Iterable<SourceRecord>,
): Promise<number> {
  const types = [...wanted.map(() => VARCHAR), ...geometryColumns.map(([, type]) => type)];
  const appender = await db.connection.createAppender(table);
  const chunk = DuckDBDataChunk.create(types, chunkRows);
  let rows = 0;
  let filled = 0;
  let vectors = vectorsOf(chunk, types.length);
  const flush = () => {
    chunk.rowCount = filled;
    for (const vector of vectors) vector.flush();
    appender.appendDataChunk(chunk);
    chunk.reset();
    vectors = vectorsOf(chunk, types.length);
    filled = 0;
  };
  chunk.rowCount = chunkRows;
  for await (const {cells, geometry} of records) {
    const values: DuckDBValue[] = [...texts(cells), ...geometryValues(geometry)];
    for (const [column, value] of values.entries()) vectors[column]!.setItem(filled, value);
    rows += 1;
    filled += 1;
    if (filled === chunkRows) {
      flush();
      chunk.rowCount = chunkRows;
      vectors = vectorsOf(chunk, types.length);
    }
  }
  if (filled > 0) flush();
  appender.closeSync();
  return rows;
}

function vectorsOf(chunk: DuckDBDataChunk, columns: number): DuckDBVector[] {
  return Array.from({length: columns}, (_, column) => chunk.getColumnVector(column));
}

function geometryValues(geometry: GeometrySummary | null): DuckDBValue[] {
  if (geometry === null) return geometryColumns.map(() => null);
  const {lon, lat, xmin, ymin, xmax, ymax, acres, pointMethod, invalid, wkb} = geometry;
  return [
    lon,
    lat,
    xmin,
    ymin,
    xmax,
    ymax,
    acres,
    pointMethod,
    invalid,
    wkb === null ? null : new DuckDBBlobValue(wkb),
  ];
}
