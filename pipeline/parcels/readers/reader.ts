import {UserError} from "../../../lib/errors.ts";
import {resolveColumn} from "../../../lib/parcels/conform/cells.ts";
import {
  type SourceRecord,
  type StagedTable,
  stageRecords,
} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";

/** A table of rows in unpacked files: a single file, or one with the files beside it (a shapefile). */
export type Dataset = {
  /** Absolute path of the main file. */
  readonly path: string;
  /** Name in messages: the path below the raw folder, with the member of an archive after it. */
  readonly shown: string;
  /** Lower-case extension without the dot. */
  readonly extension: string;
  /** First bytes of the main file. */
  readonly head: Buffer;
  /** Absolute paths of all files unpacked with it. */
  readonly siblings: readonly string[];
};

export type ReadRequest = {
  readonly db: Database;
  readonly dataset: Dataset;
  /** Table to be made. */
  readonly table: string;
  /** Names that the entry uses; they become the columns of the table. */
  readonly wanted: readonly string[];
  /** Encoding of the entry, which overrides that of the file; so do the next two. */
  readonly encoding?: string | undefined;
  readonly crs?: string | undefined;
  readonly layer?: string | number | undefined;
  /** Names of the columns of delimited text, in place of its header. */
  readonly header?: readonly string[] | undefined;
  /** Folder for files of the reader's own. */
  readonly tempDir: string;
};

/**
 * A format of parcel files. `accepts` looks at name and first bytes only. `read` makes and gives the table
 * (`lib/parcels/conform/staged-table.ts`), or throws a `UserError` with what came and what was expected.
 */
export type Reader = {
  readonly name: string;
  accepts(dataset: Dataset): boolean;
  read(request: ReadRequest): Promise<StagedTable>;
};

/** The fault of a sound file without rows of its own, which is left out with the message as the reason. */
export class NotATable extends UserError {
  override name = "NotATable";
}

/**
 * Stages the rows of a format that names its columns first: `records` gets the needed columns only, in the order of the file, and
 * gives all of them in every row. Throws a `UserError` for a table without rows.
 */
export async function stageColumns(
  {db, dataset, table, wanted}: ReadRequest,
  columns: readonly string[],
  records: (needed: readonly string[]) => AsyncIterable<SourceRecord> | Iterable<SourceRecord>,
): Promise<StagedTable> {
  const needed = new Set(wanted.map((name) => resolveColumn(name, columns)));
  const staged = await stageRecords(
    db,
    {table, wanted},
    records(columns.filter((column) => needed.has(column))),
  );
  if (staged.rows > 0) return {...staged, seen: columns};
  await db.run(`DROP TABLE ${sqlName(table)}`);
  throw new UserError(`${dataset.shown}: no rows; expected at least one.`);
}
