import {BLOB, BOOLEAN, DOUBLE, type DuckDBType, VARCHAR} from "@duckdb/node-api";
import type {FileAccount, FileRow} from "@open-cattle/parcel-files";
import type {GeometrySummary} from "@open-cattle/parcel-outlines";
import {createTable, RowAppender} from "../../sql/append-rows.ts";
import {type Database, sqlName, sqlText} from "../../sql/duckdb.ts";
import {CellResolver, stagedNames} from "./file-cells.ts";

/** A staged file of an entry. */
export type SourceTable = {
  /** Number of the file in reports and provenance. */
  readonly file: number;
  readonly table: string;
  /** `YYYY-MM-DD`. */
  readonly retrieved: string;
  /** Date of the last edit according to the server, or null. */
  readonly layerEdit: string | null;
};

/** The staged rows of several files, each row with the facts of its file (`factsSql`). */
export type GatheredTable = {readonly gathered: string};

/** The columns of `factsSql`. */
export const factColumns = ['"~file"', '"~row"', '"~retrieved"', '"~layer_edit"'] as const;

/** The staged files of an entry: the main ones, and those of each joined table by prefix. */
export type EntrySources = {
  readonly main: readonly (SourceTable | GatheredTable)[];
  readonly joins: Readonly<Record<string, readonly (SourceTable | GatheredTable)[]>>;
};

/** Counts of a joined file's rows that did not become rows of their own. */
export type JoinedRows = {
  readonly file: number;
  readonly merged: number;
  readonly rejected: Record<string, number>;
};

/** Columns of a staged table besides the cells; source fields named in an entry never begin with `~`. */
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
  ["~geometry_unread", BOOLEAN],
  ["~partly_read", BOOLEAN],
] as const satisfies readonly (readonly [string, DuckDBType])[];

/** The rows of a source unchanged: every cell as text, under the names that the entry uses. */
export type StagedTable = {
  readonly table: string;
  /** All column names of the source, in order of appearance. */
  readonly sourceColumns: readonly string[];
  /** The names in the entry that the source has. */
  readonly entryColumns: ReadonlySet<string>;
  readonly rows: number;
  /** Number of rows that could not be split into cells and were left out. */
  readonly malformed: number;
  /** What a person should know of how the file was read. */
  readonly remark?: string | null;
  /** A column of geometry that the file has, by its own name. */
  readonly geometry?: string | null;
  /** The counts of read and skipped parts of the file; absent where a library reads its bytes. */
  readonly account?: FileAccount | undefined;
  /** Column of the table whose text gives the geometry of rows without one; it may stand beside `wantedColumns`. */
  readonly outline?: string | null;
};

/**
 * Creates a table from records: the `wantedColumns` as text columns, then the geometry columns; `rowid` is the
 * position of the record. Holds only one chunk of rows in memory. Errors from `records` are rethrown, and the
 * table is dropped.
 */
export async function stageRecords(
  db: Database,
  {table, wantedColumns}: {table: string; wantedColumns: readonly string[]},
  records: AsyncIterable<FileRow> | Iterable<FileRow>,
): Promise<StagedTable> {
  const columns = [
    ...stagedNames(wantedColumns).map((name) => ({name, type: VARCHAR})),
    ...geometryColumns.map(([name, type]) => ({name, type})),
  ];
  await createTable(db, table, columns);
  const appender = await RowAppender.open(db, table, columns);
  try {
    const resolver = new CellResolver(wantedColumns);
    for await (const {cells, geometry} of records)
      appender.append([...resolver.texts(cells), ...geometryValues(geometry)]);
    const rows = appender.close();
    return {table, sourceColumns: resolver.seen(), entryColumns: resolver.found(), rows, malformed: 0};
  } catch (fault) {
    appender.abandon();
    await db.run(`DROP TABLE IF EXISTS ${sqlName(table)}`);
    throw fault;
  }
}

function geometryValues(geometry: GeometrySummary | null): unknown[] {
  if (geometry === null) return geometryColumns.map(() => null);
  const {lon, lat, xmin, ymin, xmax, ymax, acres, pointMethod, invalid, wkb, partlyRead} = geometry;
  return [lon, lat, xmin, ymin, xmax, ymax, acres, pointMethod, invalid, wkb, false, partlyRead];
}

/** The name of a staged table. */
export function tableOf(source: SourceTable | GatheredTable): string {
  return "gathered" in source ? source.gathered : source.table;
}

/**
 * SQL for the file facts stored with each row: file, row, retrieval date and date of the layer's last edit.
 */
export function factsSql({file, retrieved, layerEdit}: Omit<SourceTable, "table">): string[] {
  return [
    `${file}::INTEGER AS "~file"`,
    `rowid AS "~row"`,
    `${sqlText(retrieved)} AS "~retrieved"`,
    `${layerEdit === null ? "NULL::VARCHAR" : sqlText(layerEdit)} AS "~layer_edit"`,
  ];
}
