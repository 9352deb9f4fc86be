import {join} from "node:path";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {MARKET, partOfPath, tableOfPath} from "../../../lib/storage/build-layout.ts";
import {manifestFiles} from "../../../lib/storage/manifest.ts";
import type {DescribedColumn, DescribedFile} from "../../../schemas/described-file.ts";
import {describedFile} from "../../../schemas/described-files.ts";
import type {Manifest, ManifestFile} from "../../../schemas/manifest.ts";
import {tableFacts} from "../table-facts.ts";

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
