import {rm} from "node:fs/promises";
import {join} from "node:path";
import {type Database, sqlName} from "./duckdb.ts";
import {copySql, parquetRelation} from "./sql-path.ts";

/**
 * Name of a relation and, to keep it in a Parquet file, a folder: a large relation takes a third of the time
 * that way and no memory.
 */
export type RelationPlace = {readonly name: string; readonly folder?: string | undefined};

/**
 * A column of a relation; `sql` computes it from the source rows. A column with `read` (SQL over the other
 * columns, or a constant) is not written to the file but computed when it is read.
 */
export type RelationColumn = {
  readonly name: string;
  readonly sql: string;
  readonly read?: string | undefined;
};

/**
 * Creates the relation, a table or a view of a file, from columns over the FROM clause `rows`; `before` is
 * put before the SELECT.
 */
export async function storeRelation(
  db: Database,
  place: RelationPlace,
  {columns, before, rows}: {columns: readonly RelationColumn[]; before: string; rows: string},
): Promise<void> {
  const {name, folder} = place;
  const listed = (some: readonly RelationColumn[]) =>
    some.map((column) => `${column.sql} AS ${sqlName(column.name)}`).join(", ");
  if (folder === undefined) {
    await db.run(`CREATE TABLE ${sqlName(name)} AS ${before} SELECT ${listed(columns)} FROM ${rows}`);
    return;
  }
  const path = fileOf(name, folder);
  const stored = columns.filter(({read}) => read === undefined);
  await db.run(
    copySql(
      `${before} SELECT ${listed(stored)} FROM ${rows}`,
      path,
      "FORMAT parquet, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 4000",
    ),
  );
  const readBack = columns.map(({name, read}) => ({name, sql: read ?? sqlName(name)}));
  await db.run(`CREATE VIEW ${sqlName(name)} AS SELECT ${listed(readBack)} FROM ${parquetRelation(path)}`);
}

/** Drops the table, or the view with its file, that `storeRelation` made. */
export async function dropRelation(db: Database, {name, folder}: RelationPlace): Promise<void> {
  await db.run(`DROP ${folder === undefined ? "TABLE" : "VIEW"} ${sqlName(name)}`);
  if (folder !== undefined) await rm(fileOf(name, folder));
}

function fileOf(name: string, folder: string): string {
  return join(folder, `${name}.parquet`);
}
