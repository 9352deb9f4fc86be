import {
  BLOB,
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  DuckDBBlobValue,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBVector,
  VARCHAR,
} from "@duckdb/node-api";
import type {GeometrySummary} from "../../geography/geometry/summarize.ts";
import {type Database, sqlName} from "../../sql/duckdb.ts";
import {CellResolver, type Cells, stagedNames} from "./cells.ts";

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
    const resolver = new CellResolver(wanted);
    const appender = new RowAppender(await db.connection.createAppender(table), wanted.length);
    for await (const {cells, geometry} of records)
      appender.append([...resolver.texts(cells), ...geometryValues(geometry)]);
    const rows = appender.close();
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

/** Appends rows to a staged table in chunks. */
class RowAppender {
  private readonly appender: DuckDBAppender;
  private readonly columns: number;
  private readonly chunk: DuckDBDataChunk;
  private vectors: DuckDBVector[] = [];
  private rows = 0;
  private filled = 0;

  constructor(appender: DuckDBAppender, cells: number) {
    const types = [...Array.from({length: cells}, () => VARCHAR), ...geometryColumns.map(([, type]) => type)];
    this.appender = appender;
    this.columns = types.length;
    this.chunk = DuckDBDataChunk.create(types, chunkRows);
    this.begin();
  }

  append(values: readonly DuckDBValue[]): void {
    for (const [column, value] of values.entries()) this.vectors[column]!.setItem(this.filled, value);
    this.rows += 1;
    this.filled += 1;
    if (this.filled === chunkRows) this.flush();
  }

  /** Appends the rows that remain, closes the appender and gives the number of all rows. */
  close(): number {
    if (this.filled > 0) this.flush();
    this.appender.closeSync();
    return this.rows;
  }

  private begin(): void {
    this.filled = 0;
    this.chunk.rowCount = chunkRows;
    this.vectors = Array.from({length: this.columns}, (_, column) => this.chunk.getColumnVector(column));
  }

  private flush(): void {
    this.chunk.rowCount = this.filled;
    for (const vector of this.vectors) vector.flush();
    this.appender.appendDataChunk(this.chunk);
    this.chunk.reset();
    this.begin();
  }
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
