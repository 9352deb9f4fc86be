import {join} from "node:path";
import {openSpatialIndex} from "../../../lib/search/spatial-index.ts";
import {type Database, openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {openBatches} from "../../../lib/storage/arrow-table/batches.ts";
import {digestFile, filesBelow} from "../../../lib/storage/build-files.ts";
import {MARKET, partOfPath, tableOfPath} from "../../../lib/storage/build-layout.ts";
import {manifestFiles} from "../../../lib/storage/manifest.ts";
import {mapFile} from "../../../lib/storage/mapped-file.ts";
import type {DescribedColumn, DescribedFile} from "../../../schemas/described-file.ts";
import {describedFile} from "../../../schemas/described-files.ts";
import type {Manifest, ManifestFile} from "../../../schemas/manifest.ts";
import {sha256OfJson} from "../inputs.ts";

/** The number of rows of a file and its columns as `[name, type]`; both null where it is no table. */
type TableFacts = {readonly rows: number | null; readonly columns: [string, string][] | null};

/** A Parquet file of a build with the description of its table. */
export type TableFile = {
  readonly file: ManifestFile;
  /** Name of its table: `parcels`, `signals/drought`. */
  readonly table: string;
  /** `MARKET`, a state, or null for a table of the whole build. */
  readonly part: string | null;
  readonly described: DescribedFile | undefined;
  /** The columns that the file holds. */
  readonly columns: readonly DescribedColumn[];
  /** The column that the name of its folder says, with its value. */
  readonly partition: {readonly column: DescribedColumn; readonly value: string} | null;
};

/** Gives the Parquet files of a build folder, by table and path; the columns of a table are read from its first file. */
export async function tableFiles(dir: string, manifest: Manifest): Promise<TableFile[]> {
  const files = manifestFiles(manifest).filter(({path}) => path.endsWith(".parquet"));
  const db = await openDatabase();
  try {
    const found: TableFile[] = [];
    for (const [table, ofTable] of Map.groupBy(files, ({path}) => tableOfPath(path))) {
      const {columns} = await tableFacts(db, join(dir, ofTable[0]!.path));
      found.push(...ofTable.map((file) => tableFile(table, file, columns ?? [])));
    }
    return found;
  } finally {
    db.close();
  }
}

function tableFile(table: string, file: ManifestFile, columns: readonly [string, string][]): TableFile {
  const described = describedFile(file.path);
  const known = new Map(described?.columns.map((column) => [column.name, column]));
  const value = /\/(?:state|year)=([^/]+)\//.exec(file.path)?.[1];
  const column = described?.partition;
  return {
    file,
    table,
    part: partOfPath(file.path),
    described,
    columns: columns.map(([name, type]) => known.get(name) ?? {name, type, about: name}),
    partition: value === undefined || column === undefined ? null : {column, value},
  };
}

/** Gives the sources behind a part, as the manifest names them; those of all states for a table of the whole build. */
export function sourcesOfPart(manifest: Manifest, part: string | null): Manifest["sources"] {
  return manifest.sources.filter(({parts}) =>
    part === null ? parts.some((name) => name !== MARKET) : parts.includes(part),
  );
}

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
