import {mkdir, stat} from "node:fs/promises";
import {basename, join, resolve} from "node:path";
import {conversionOf} from "@open-cattle/parcel-files";
import {countWords} from "../../../lib/counts.ts";
import {UserError} from "../../../lib/errors.ts";
import {TooManyColumns} from "../../../lib/parcels/conform/file-cells.ts";
import {proposeFields} from "../../../lib/registry/propose-fields.ts";
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
  for (const dataset of ofLayer(await datasetsOf(await fileOf(path), unpacked), where.layer)) {
    const isDelimited = readerOf(dataset)?.name === delimitedReader.name;
    const header = isDelimited ? ((await fittingHeader(dataset, where.state)) ?? undefined) : undefined;
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

/**
 * Removes the surplus name from the header of a delimited file whose rows all have one cell less than the header; of the possible headers
 * the best match for the cells wins. Null if the header matches or differs in another way.
 */
async function fittingHeader(dataset: Dataset, state: string): Promise<readonly string[] | null> {
  const {header, rows} = await firstRows(dataset, tried);
  if (rows.length < 5 || rows.some((cells) => cells.length !== header.length - 1)) return null;
  const [best] = header
    .map((_, left) => header.filter((__, i) => i !== left))
    .map((names) => ({names, fits: fitsOf(names, rows, state)}))
    .toSorted((a, b) => b.fits - a.fits);
  return best?.names ?? null;
}

/** Scores names by the number of roles that their columns fill, plus one for an area whose name states its unit. */
function fitsOf(names: readonly string[], rows: readonly (readonly string[])[], state: string): number {
  const columns = names.map((name, i) => ({name, samples: rows.map((cells) => cells[i] ?? "")}));
  const {fields, ids, use, area} = proposeFields(columns, {state});
  const unit = {acres: /AC/i, sqft: /SQ|SF/i}[area?.unit === "acres" ? "acres" : "sqft"];
  const areas = [area?.from ?? []].flat();
  return (
    Object.keys(fields).length +
    [ids, use, area].filter((part) => part !== undefined && part !== null).length +
    (areas.length > 0 && areas.every((name) => unit.test(name)) ? 1 : 0)
  );
}
