import {rm} from "node:fs/promises";
import {join} from "node:path";
import {type Database, sqlName, sqlText} from "./duckdb.ts";

/** Where a relation is kept: in the database, or as a Parquet file of the folder, which takes a third of the time and no memory when it is large. */
export type RelationPlace = {readonly name: string; readonly folder?: string | undefined};

/** Makes a relation of that name, a table or a view of a file, from a query. */
export async function storeRelation(db: Database, place: RelationPlace, query: string): Promise<void> {
  const {name, folder} = place;
  if (folder === undefined) {
    await db.run(`CREATE TABLE ${sqlName(name)} AS ${query}`);
    return;
  }
  const path = sqlText(fileOf(name, folder));
  await db.run(`COPY (${query}) TO ${path} (FORMAT parquet, COMPRESSION uncompressed)`);
  await db.run(
    `CREATE VIEW ${sqlName(name)} AS SELECT * FROM read_parquet(${path}, hive_partitioning = false)`,
  );
}

/** Gives up what `storeRelation` made. */
export async function dropRelation(db: Database, {name, folder}: RelationPlace): Promise<void> {
  await db.run(`DROP ${folder === undefined ? "TABLE" : "VIEW"} ${sqlName(name)}`);
  if (folder !== undefined) await rm(fileOf(name, folder));
}

function fileOf(name: string, folder: string): string {
  return join(folder, `${name}.parquet`);
}
