import {join} from "node:path";
import {mapFile, openArrowTable, openSpatialIndex} from "@open-cattle/mapped-index";
import {digestFile, filesBelow} from "@open-cattle/safe-files";
import {type Database, openDatabase} from "../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../lib/sql/sql-path.ts";
import {MARKET, partOfPath, tableOfPath} from "../../lib/storage/build-layout.ts";
import {manifestFiles} from "../../lib/storage/manifest-file.ts";
import {describedFile} from "../../schemas/described-files.ts";
import type {Manifest, ManifestFile} from "../../schemas/manifest.ts";
import type {DescribedColumn, DescribedFile} from "../../schemas/vocabulary/described-file.ts";
import {sha256OfJson} from "./inputs.ts";

/** A licence, as in `datapackage.json` and `parcel_sources`. */
type Licence = {
  /** SPDX id, else the closest Open Definition id (licenses.opendefinition.org), such as `other-open`. */
  readonly id: string;
  /** The registry's wording. */
  readonly title: string;
  readonly url: string | null;
};

type Rule = {readonly words: RegExp; readonly id: string; readonly url?: string};

/** The first matching rule gives the id. Only SPDX licences and US government works have a URL of their own. */
const rules: readonly Rule[] = [
  {words: /\bCC[ -]?0\b/i, id: "CC0-1.0", url: "https://creativecommons.org/publicdomain/zero/1.0/"},
  {words: /\bCC[ -]BY[ -]4/i, id: "CC-BY-4.0", url: "https://creativecommons.org/licenses/by/4.0/"},
  {words: /\bCC[ -]BY[ -]3/i, id: "CC-BY-3.0", url: "https://creativecommons.org/licenses/by/3.0/"},
  {words: /\bPDDL\b/i, id: "PDDL-1.0", url: "https://opendatacommons.org/licenses/pddl/1-0/"},
  {words: /US public domain/i, id: "other-pd", url: "https://www.usa.gov/government-copyright"},
  {words: /public (domain|records)/i, id: "other-pd"},
  {words: /credit|attribution|share-alike/i, id: "other-at"},
  {words: /open data/i, id: "other-open"},
  {words: /not stated|unknown|varies/i, id: "notspecified"},
];

/** Row count of a file and its columns as `[name, type]`; null if it is no table. */
type TableFacts = {readonly rows: number | null; readonly columns: [string, string][] | null};

/** A Parquet file of a build, with the description of its table. */
export type TableFile = {
  readonly file: ManifestFile;
  /** Name of the table: `parcels`, `signals/drought`. */
  readonly table: string;
  /** `MARKET`, a state, or null for a table of the whole build. */
  readonly part: string | null;
  readonly described: DescribedFile | undefined;
  /** The columns present in the file. */
  readonly columns: readonly DescribedColumn[];
  /** The column encoded in the folder name, with its value. */
  readonly partition: {readonly column: DescribedColumn; readonly value: string} | null;
};

/** Returns the Parquet files of a build folder, by table and path; a table's columns are read from its first file. */
export async function tableFiles(dir: string, manifest: Manifest): Promise<TableFile[]> {
  const files = manifestFiles(manifest).filter(({path}) => path.endsWith(".parquet"));
  using db = await openDatabase();
  const found: TableFile[] = [];
  for (const [table, ofTable] of Map.groupBy(files, ({path}) => tableOfPath(path))) {
    const {columns} = await tableFacts(db, join(dir, ofTable[0]!.path));
    found.push(...ofTable.map((file) => tableFile(table, file, columns ?? [])));
  }
  return found;
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

/** Returns the sources of a part, as the manifest lists them; for a build-level table, those of all states. */
export function sourcesOfPart(manifest: Manifest, part: string | null): Manifest["sources"] {
  return manifest.sources.filter(({parts}) =>
    part === null ? parts.some((name) => name !== MARKET) : parts.includes(part),
  );
}

/**
 * Opens every file below a folder the way its users do (Parquet with DuckDB, Arrow and Flatbush with the server's own reader) and returns
 * the manifest entries. Throws if a file does not open.
 */
export async function describeFiles(db: Database, dir: string): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const path of await filesBelow(dir)) files.push(await describeFile(db, dir, path));
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the manifest entry of one file. Throws if the file does not open. */
export async function describeFile(db: Database, dir: string, path: string): Promise<ManifestFile> {
  const {rows, columns} = await tableFacts(db, join(dir, path));
  const digest = await digestFile(join(dir, path));
  return {path, ...digest, rows, schema_sha256: columns === null ? null : sha256OfJson(columns)};
}

/** Returns the row count and columns of one file. */
export async function tableFacts(db: Database, path: string): Promise<TableFacts> {
  if (path.endsWith(".parquet")) return parquetFacts(db, path);
  if (path.endsWith(".arrow")) {
    const {rows, columns, typeOf} = openArrowTable(mapFile(path).buffer, path);
    return {rows, columns: columns.map((name) => [name, typeOf(name)])};
  }
  if (path.endsWith(".flatbush"))
    return {rows: openSpatialIndex(mapFile(path).buffer, path).items, columns: null};
  return {rows: null, columns: null};
}

async function parquetFacts(db: Database, path: string): Promise<TableFacts> {
  const source = parquetRelation(path);
  const columns = await db.rows<{column_name: string; column_type: string}>(
    `DESCRIBE SELECT * FROM ${source}`,
  );
  const [count] = await db.rows<{n: bigint}>(`SELECT count(*) AS n FROM ${source}`);
  return {
    rows: Number(count!.n),
    columns: columns.map(({column_name, column_type}) => [column_name, column_type]),
  };
}

/** Returns the id and URL of a licence from the registry's wording; terms that match no rule are `other-closed`. */
export function licenceOf(words: string): Licence {
  const rule = rules.find((each) => each.words.test(words));
  const own = /^https?:\/\/\S+$/.test(words.trim()) ? words.trim() : null;
  return {
    id: rule?.id ?? (own === null ? "other-closed" : "notspecified"),
    title: words,
    url: rule?.url ?? own,
  };
}
