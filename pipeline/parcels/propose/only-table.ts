import {mkdir, stat} from "node:fs/promises";
import {basename, join, resolve} from "node:path";
import {fittingHeader} from "@open-cattle/entry-proposer";
import {conversionOf} from "@open-cattle/parcel-files";
import {countWords} from "../../../lib/counts.ts";
import {UserError} from "../../../lib/errors.ts";
import {TooManyColumns} from "../../../lib/parcels/conform/file-cells.ts";
import {stateFacts} from "../../../lib/registry/proposal-facts.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {datasetsOf, ofLayer} from "../datasets.ts";
import {delimitedReader, firstRows} from "../readers/delimited.ts";
import {type Dataset, NotATable} from "../readers/file-reader.ts";
import {readDataset} from "../readers/read-dataset.ts";
import {readerOf} from "../readers/readers.ts";

const tried = 100;

/** No county publishes this many columns; such a file holds records under their keys. */
const maxColumns = 2000;
/** Maximum bytes of a JSON file that may be a single record. */
const largestRecord = 1 << 18;

/** Options for reading a table, and a temporary folder for the reader. */
type Where = {
  readonly dir: string;
  readonly state: string;
  readonly layer?: string | undefined;
  readonly crs?: string | undefined;
};

/** A table of a file, with its column names. */
export type Table = {
  readonly dataset: Dataset;
  readonly columns: readonly string[];
  /** Corrected column names, if the file's header does not match its rows. */
  readonly header?: readonly string[] | undefined;
};

/**
 * Returns the only table of a data file with its columns, which requires reading it once. Throws a `UserError` for a file without a table
 * or with several, and for JSON whose rows are not in a known place.
 */
export async function onlyTable(db: Database, path: string, where: Where): Promise<Table> {
  const unpacked = join(where.dir, "unpacked");
  await mkdir(unpacked);
  const tables: Table[] = [];
  const meant = ofLayer(await datasetsOf(await fileOf(path), unpacked), where.layer);
  const certain = meant.filter(({isBeside}) => isBeside !== true);
  for (const dataset of certain.length > 0 ? certain : meant) {
    const isDelimited = readerOf(dataset)?.name === delimitedReader.name;
    const header = isDelimited ? await soundHeader(dataset, where.state) : undefined;
    const columns = await columnNames(db, dataset, {...where, header});
    if (columns !== null) tables.push({dataset, columns, header});
  }
  const [only, second] = tables;
  if (only === undefined) throw new UserError(`${basename(path)}: no reader found a table in it.`);
  if (second !== undefined) {
    const shownPath = tables.map(({dataset}) => dataset.shownPath).join(", ");
    throw new UserError(
      `${basename(path)}: holds ${tables.length} tables (${shownPath}); give one of them, or say which is meant (--layer).`,
    );
  }
  return only;
}

async function fileOf(path: string): Promise<RawFile> {
  const absolutePath = resolve(path);
  const stats = await stat(absolutePath).catch(() => null);
  if (stats?.isDirectory() === true && /\.gdb$/i.test(absolutePath))
    throw new UserError(`${basename(path)}: ${conversionOf(basename(path))}`);
  if (stats?.isFile() !== true) throw new UserError(`${path}: no such file.`);
  return {
    path: basename(path),
    absolutePath,
    kind: "parcels",
    feedOrEntryId: "proposed",
    sizeBytes: stats.size,
    sha256: "",
    meta: null,
    retrievedAt: stats.mtime.toISOString(),
    retrievedAtFrom: "mtime",
  };
}

/** Returns null for a file that is no table. */
async function columnNames(
  db: Database,
  dataset: Dataset,
  {dir, layer, crs, header}: Where & Pick<Table, "header">,
): Promise<readonly string[] | null> {
  const reader = readerOf(dataset);
  if (reader === undefined) return null;
  try {
    const request = {db, dataset, table: "names", wantedColumns: [], tempDir: dir, layer, crs, header};
    const {table, sourceColumns, rows} = await readDataset(request);
    await db.run(`DROP TABLE ${sqlName(table)}`);
    const {size} = await stat(dataset.path);
    const isOneRecord = reader.name === "json" && rows === 1 && size > largestRecord;
    if (sourceColumns.length > maxColumns || isOneRecord)
      throw new UserError(elsewhere(dataset.shownPath, sourceColumns));
    return [...sourceColumns];
  } catch (error) {
    if (error instanceof NotATable) return null;
    if (error instanceof TooManyColumns && reader.name === "json")
      throw new UserError(elsewhere(dataset.shownPath, error.names, "more than "));
    throw error;
  }
}

/** Advice for a JSON file whose rows are under an unknown member. */
function elsewhere(shownPath: string, members: readonly string[], before = ""): string {
  const shownMembers = members.slice(0, 8).join(", ");
  return `${shownPath}: expected rows, as a list at the top or below "features" or "rows", got one record of ${before}${countWords(members.length)} members (${shownMembers}, ..). Write them one a line: jq -c '.${members.length > 100 ? "" : members.at(-1)}[]' ${shownPath} > rows.ndjson`;
}

/** The header of delimited text without the name that is one too many for its rows; undefined if it matches. */
async function soundHeader(dataset: Dataset, state: string): Promise<readonly string[] | undefined> {
  const {header, rows} = await firstRows(dataset, tried);
  return fittingHeader(header, rows, {state, facts: stateFacts}) ?? undefined;
}
