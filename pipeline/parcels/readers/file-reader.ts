import type {FileRow, ParcelFile} from "@open-cattle/parcel-files";
import {UserError} from "../../../lib/errors.ts";
import {resolveColumn} from "../../../lib/parcels/conform/file-cells.ts";
import {type StagedTable, stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";

/** A table in unpacked files. */
export type Dataset = ParcelFile;

export type ReadRequest = {
  readonly db: Database;
  readonly dataset: Dataset;
  /** Table to create. */
  readonly table: string;
  /** Column names used by the entry; they become the table's columns. */
  readonly wantedColumns: readonly string[];
  /** Encoding from the entry, which overrides the file's; so do the next two. */
  readonly encoding?: string | undefined;
  readonly crs?: string | undefined;
  readonly layer?: string | number | undefined;
  /** Column names that replace the header of delimited text. */
  readonly header?: readonly string[] | undefined;
  /** Temporary folder for the reader. */
  readonly tempDir: string;
};

/**
 * A format of parcel files. `accepts` looks only at the name and the first bytes. `read` creates and returns the table
 * (`lib/parcels/conform/staged-table.ts`), or throws a `UserError` with what came and what was expected.
 */
export type Reader = {
  readonly name: string;
  /** True where a statement of DuckDB reads the file; other readers run in a child process. */
  readonly isOfDuckdb?: true;
  accepts(dataset: Dataset): boolean;
  read(request: ReadRequest): Promise<StagedTable>;
};

/** A sound file without rows of its own; it is skipped, with the message as the reason. */
export class NotATable extends UserError {
  override name = "NotATable";
}

/**
 * Stages the rows of a format that names its columns up front. `records` receives the needed columns in file order and yields all of them
 * in every row. Throws a `UserError` for a table without rows.
 */
export async function stageColumns(
  {db, dataset, table, wantedColumns}: ReadRequest,
  columns: readonly string[],
  records: (needed: readonly string[]) => AsyncIterable<FileRow> | Iterable<FileRow>,
): Promise<StagedTable> {
  const needed = new Set(wantedColumns.map((name) => resolveColumn(name, columns)));
  const staged = await stageRecords(
    db,
    {table, wantedColumns},
    records(columns.filter((column) => needed.has(column))),
  );
  if (staged.rows > 0) return {...staged, sourceColumns: columns};
  await db.run(`DROP TABLE ${sqlName(table)}`);
  throw new UserError(`${dataset.shownPath}: no rows; expected at least one.`);
}
