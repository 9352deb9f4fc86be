import {mkdir} from "node:fs/promises";
import {basename, join} from "node:path";
import {joinNames, mainNames, namesOf, unmetNeeds} from "../../lib/conform/references.ts";
import type {EntrySources, SourceTable} from "../../lib/conform/sources.ts";
import type {StagedTable} from "../../lib/conform/staged-table.ts";
import {type Database, sqlName} from "../../lib/duckdb.ts";
import {UserError} from "../../lib/errors.ts";
import type {RawFile} from "../../lib/raw-files.ts";
import {type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {datasetsOf} from "./datasets.ts";
import {type FileRole, fileRole} from "./entry-files.ts";
import {NotATable} from "./readers/not-a-table.ts";
import type {Dataset} from "./readers/reader.ts";
import {readerOf} from "./readers/readers.ts";
import {addWktGeometry} from "./wkt-outlines.ts";

/** A raw file whose rows are in the database. */
export type StagedFile = {
  /** Its number: place in `StagedEntry.files` plus the offset that `stageEntry` was given. */
  readonly number: number;
  readonly file: RawFile;
  readonly role: Exclude<FileRole, "none">;
  readonly rows: number;
  readonly malformed: number;
};

export type StagedEntry = {
  readonly sources: EntrySources;
  readonly files: readonly StagedFile[];
  /** Files that gave no rows, with the reason. */
  readonly reports: readonly FileReport[];
};

type StageRequest = {
  readonly entry: ParcelSource;
  readonly files: readonly RawFile[];
  readonly asOf: string;
  readonly tempDir: string;
  /** Number of the entry's first file. */
  readonly firstNumber: number;
};

/**
 * Reads the raw files of an entry into the database. A file that no reader knows, that is damaged or has not the columns of the
 * field map gives a report with the reason, and the others are read. Files that go with others and files retrieved after `asOf` are left out.
 */
export async function stageEntry(db: Database, request: StageRequest): Promise<StagedEntry> {
  const {entry, files, asOf, firstNumber} = request;
  const staged: StagedFile[] = [];
  const reports: FileReport[] = [];
  const main: SourceTable[] = [];
  const joins: Record<string, SourceTable[]> = {};
  for (const [i, file] of files.entries()) {
    const role = fileRole(entry, file);
    const late = file.retrievedAtFrom === "meta" && file.retrievedAt.slice(0, 10) > asOf;
    if (role === "none" || late) {
      const reason = late
        ? `retrieved ${file.retrievedAt}, after ${asOf}`
        : `fits neither "files" (${entry.files}) nor a join of ${entry.id}`;
      reports.push(fileWithoutRows(file.path, entry.id, "left_out", reason));
      continue;
    }
    const number = firstNumber + i;
    const result = await stageFile(db, {...request, file, role, number});
    if ("reason" in result) {
      reports.push(fileWithoutRows(file.path, entry.id, result.status, result.reason));
      continue;
    }
    staged.push({number, file, role, rows: result.rows, malformed: result.malformed});
    if (role === "main") main.push(...result.tables);
    else joins[role.join] = [...(joins[role.join] ?? []), ...result.tables];
  }
  return {sources: {main, joins}, files: staged, reports};
}

type FileRequest = StageRequest & {file: RawFile; role: Exclude<FileRole, "none">; number: number};
type FileResult =
  | {tables: SourceTable[]; rows: number; malformed: number}
  | {status: "failed" | "no_reader" | "left_out"; reason: string};

async function stageFile(db: Database, request: FileRequest): Promise<FileResult> {
  const {file, number, tempDir} = request;
  const dir = join(tempDir, `file-${number}`);
  await mkdir(dir, {recursive: true});
  try {
    const datasets = await datasetsOf(file, dir);
    const readable = datasets.filter((dataset) => readerOf(dataset) !== undefined);
    if (readable.length === 0) return {status: "no_reader", reason: unknownFormat(file, datasets)};
    const staged: StagedTable[] = [];
    const besides: string[] = [];
    for (const [i, dataset] of chosen(readable, request).entries()) {
      const table = `staged_${number}_${i}`;
      try {
        staged.push(await stageDataset(db, request, {dataset, dir, table}));
      } catch (error) {
        if (!(error instanceof NotATable)) throw error;
        besides.push(error.message);
      }
    }
    if (staged.length === 0) return {status: "left_out", reason: besides.join(" ")};
    return {
      tables: await oneTable(db, request, staged),
      rows: staged.reduce((sum, {rows}) => sum + rows, 0),
      malformed: staged.reduce((sum, {malformed}) => sum + malformed, 0),
    };
  } catch (error) {
    if (error instanceof UserError) return {status: "failed", reason: error.message};
    throw error;
  }
}

/** Of several tables in an archive the one that the entry's layer names. */
function chosen(datasets: readonly Dataset[], {entry, role}: FileRequest): readonly Dataset[] {
  const layer = role === "main" && typeof entry.layer === "string" ? entry.layer.toLowerCase() : null;
  const named = datasets.filter(
    ({path, extension}) => basename(path).toLowerCase() === `${layer}.${extension}`,
  );
  return named.length > 0 ? named : datasets;
}

async function stageDataset(
  db: Database,
  {entry, role}: FileRequest,
  {dataset, dir, table}: {dataset: Dataset; dir: string; table: string},
): Promise<StagedTable> {
  const wanted = role === "main" ? mainNames(entry) : joinNames(entry, role.join);
  const {encoding, crs, layer} = entry;
  const staged = await readerOf(dataset)!.read({
    db,
    dataset,
    table,
    wanted,
    encoding,
    crs,
    layer,
    tempDir: dir,
  });
  const unmet =
    role === "main" ? unmetNeeds(entry, staged.found) : missingOfJoin(entry, role.join, staged.found);
  if (unmet.length === 0) {
    const column = role === "main" ? outlineColumn(entry, staged.found) : undefined;
    if (column !== undefined) await addWktGeometry(db, {table, column, crs});
    return staged;
  }
  await db.run(`DROP TABLE ${sqlName(table)}`);
  const expected = unmet.map(({what, names}) => `${names.map((name) => `"${name}"`).join(" or ")} (${what})`);
  throw new UserError(
    `${dataset.shown}: no column ${expected.join(", ")} of ${entry.id}; came ${staged.seen.slice(0, 60).join(", ")}.`,
  );
}

/** The column of well-known text that the entry takes for the geometry, where the source has it. */
function outlineColumn({fields}: ParcelSource, found: ReadonlySet<string>): string | undefined {
  return namesOf(fields.geometry).find((name) => found.has(name));
}

function missingOfJoin(entry: ParcelSource, prefix: string, found: ReadonlySet<string>) {
  return joinNames(entry, prefix)
    .filter((name) => !found.has(name))
    .map((name) => ({what: `joins.${prefix}`, names: [name]}));
}

/** The tables of a file as one: rows are numbered over all of it. */
async function oneTable(
  db: Database,
  {file, number}: FileRequest,
  staged: readonly StagedTable[],
): Promise<SourceTable[]> {
  const [first, ...others] = staged.map(({table}) => table) as [string, ...string[]];
  for (const other of others)
    await db.run(
      `INSERT INTO ${sqlName(first)} SELECT * FROM ${sqlName(other)}; DROP TABLE ${sqlName(other)}`,
    );
  return [{file: number, table: first, retrieved: file.retrievedAt.slice(0, 10), layerEdit: layerEdit(file)}];
}

function layerEdit({meta}: RawFile): string | null {
  const edited = Date.parse(meta?.last_modified ?? "");
  return Number.isNaN(edited) ? null : new Date(edited).toISOString().slice(0, 10);
}

function unknownFormat(file: RawFile, datasets: readonly Dataset[]): string {
  const came = datasets.map(
    ({extension, head}) => `"${extension}" beginning ${JSON.stringify(head.toString("latin1", 0, 12))}`,
  );
  return `${file.path}: no reader knows this format (${came.join(", ") || "an empty archive"}); expected JSON, GeoJSON, delimited text or another of parcels.md section 4.`;
}

/** Gives up a staged file's table; messages of the failure stay with the file. */
export async function dropStaged(db: Database, {main, joins}: EntrySources): Promise<void> {
  for (const {table} of [...main, ...Object.values(joins).flat()])
    await db.run(`DROP TABLE IF EXISTS ${sqlName(table)}`);
}
