import {join} from "node:path";
import {openSpatialIndex} from "../../lib/search/spatial-index.ts";
import {type Database, sqlText} from "../../lib/sql/duckdb.ts";
import {openBatches} from "../../lib/storage/arrow-table/batches.ts";
import {digestFile, filesBelow} from "../../lib/storage/build-files.ts";
import {mapFile} from "../../lib/storage/mapped-file.ts";
import type {ManifestFile} from "../../schemas/manifest.ts";
import {sha256OfJson} from "./inputs.ts";

/** The number of rows of a file and its columns as `[name, type]`; both null where it is no table. */
export type TableFacts = {readonly rows: number | null; readonly columns: [string, string][] | null};

/**
 * Opens every file below a folder with the reader that its users have (DuckDB for Parquet, the server's own for Arrow and
 * Flatbush) and gives what the manifest says of it. Throws for a file that does not open.
 */
export async function describeFiles(db: Database, dir: string): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const path of await filesBelow(dir)) files.push(await describeFile(db, dir, path));
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The line of one file in the manifest. Throws for a file that does not open. */
export async function describeFile(db: Database, dir: string, path: string): Promise<ManifestFile> {
  const {rows, columns} = await tableFacts(db, join(dir, path));
  const digest = await digestFile(join(dir, path));
  return {path, ...digest, rows, schema_sha256: columns === null ? null : sha256OfJson(columns)};
}

/** Rows and columns of one file. */
export async function tableFacts(db: Database, path: string): Promise<TableFacts> {
  if (path.endsWith(".parquet")) return parquetFacts(db, path);
  if (path.endsWith(".arrow")) {
    const {rows, fields} = openBatches(mapFile(path).buffer, path);
    return {rows, columns: fields.map(({name, type}) => [name, String(type)])};
  }
  if (path.endsWith(".flatbush"))
    return {rows: openSpatialIndex(mapFile(path).buffer, path).items, columns: null};
  return {rows: null, columns: null};
}

async function parquetFacts(db: Database, path: string): Promise<TableFacts> {
  // Without the hive option a folder named year=2026 would add a column that the file does not have.
  const source = `read_parquet(${sqlText(path)}, hive_partitioning = false)`;
  const columns = await db.rows<{column_name: string; column_type: string}>(
    `DESCRIBE SELECT * FROM ${source}`,
  );
  const [count] = await db.rows<{n: bigint}>(`SELECT count(*) AS n FROM ${source}`);
  return {
    rows: Number(count!.n),
    columns: columns.map(({column_name, column_type}) => [column_name, column_type]),
  };
}
