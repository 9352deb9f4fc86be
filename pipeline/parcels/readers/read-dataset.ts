import {rm, stat} from "node:fs/promises";
import {join, parse} from "node:path";
import type {FileAccount} from "@open-cattle/parcel-files";
import {UserError} from "../../../lib/errors.ts";
import {TooManyColumns} from "../../../lib/parcels/conform/file-cells.ts";
import type {StagedTable} from "../../../lib/parcels/conform/staged-table.ts";
import {sqlName} from "../../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../../lib/sql/sql-path.ts";
import {ownProgram} from "../../../lib/system/own-child.ts";
import {DocumentReader, deadlineOf} from "../../raw/document-reader.ts";
import {type Dataset, NotATable, type ReadRequest} from "./file-reader.ts";
import {readerOf} from "./readers.ts";

/** A staged table with the account of all bytes of its files. */
export type AccountedTable = StagedTable & {readonly account: FileAccount};

/** A request to the child process, which writes the table to the Parquet file `into`. */
export type DatasetTask = Omit<ReadRequest, "db"> & {readonly into: string; readonly bytes: number};

/** What the child says of a dataset: its staged table, or an error whose class matters to the caller. */
export type DatasetAnswer =
  | {readonly staged: StagedTable}
  | {readonly notATable: string}
  | {readonly tooManyColumns: {readonly names: readonly string[]; readonly next: string}};

const child = new DocumentReader(ownProgram("./dataset-program", import.meta.url));
/** The clock may show three times the processor time that a file may take. */
const wallClockFactor = 3;

/**
 * Reads a dataset that some reader accepts (`readers.ts`), within the time, memory and output that its size allows
 * (`docs/design/reliability.md` section 2.1): in a child process, or in DuckDB's own reader, which is interrupted. Throws as the reader
 * does, and a `UserError` past a limit.
 */
export async function readDataset(request: ReadRequest): Promise<AccountedTable> {
  const {db, ...rest} = request;
  const {dataset, table, tempDir} = rest;
  const bytes = await sizeOf(filesOf(dataset));
  if (readerOf(dataset)!.isOfDuckdb === true)
    return withBytes(await readWithInterrupt(request, bytes), {dataset, bytes});
  const into = join(tempDir, `${table}.parquet`);
  const task: DatasetTask = {...rest, into, bytes};
  const answer = (await child.read(task, {
    path: dataset.path,
    shownPath: dataset.shownPath,
    bytes,
  })) as DatasetAnswer;
  if ("notATable" in answer) throw new NotATable(answer.notATable);
  if ("tooManyColumns" in answer)
    throw new TooManyColumns(answer.tooManyColumns.names, answer.tooManyColumns.next);
  await db.run(`CREATE TABLE ${sqlName(table)} AS SELECT * FROM ${parquetRelation(into)}`);
  await rm(into);
  return withBytes(answer.staged, {dataset, bytes});
}

/**
 * Completes the account of a table with the files beside the one that has its rows. A reader that leaves the bytes to a library has read
 * them all. Throws a `UserError` where a reader read more than there is, as by an index that names a row twice.
 */
function withBytes(
  staged: StagedTable,
  {dataset: {shownPath}, bytes}: {dataset: Dataset; bytes: number},
): AccountedTable {
  const account = staged.account ?? {bytes: {read: bytes, skipped: {}}};
  const {read, skipped} = account.bytes;
  const beside = bytes - read - Object.values(skipped).reduce((sum, count) => sum + count, 0);
  if (beside < 0)
    throw new UserError(
      `${shownPath}: ${read} of ${bytes} bytes were read, some of them twice. The file is damaged.`,
    );
  return {...staged, account: {...account, bytes: {read, skipped: {...skipped, file_beside: beside}}}};
}

/** Reads with a reader whose work is a statement of DuckDB, and interrupts the statement past the deadline. */
async function readWithInterrupt(request: ReadRequest, bytes: number): Promise<StagedTable> {
  const {db, dataset} = request;
  const deadlineMs = deadlineOf(bytes) * wallClockFactor;
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    db.connection.interrupt();
  }, deadlineMs);
  try {
    return await readerOf(dataset)!.read(request);
  } catch (error) {
    if (!isLate) throw error;
    throw new UserError(
      `${dataset.shownPath}: reading it takes more than ${Math.round(deadlineMs / 1000)} s.`,
    );
  } finally {
    clearTimeout(late);
  }
}

/** The files that make a dataset: those beside it with its name and another extension. */
export function filesOf({path, siblings}: Dataset): string[] {
  const stem = (file: string) => join(parse(file).dir, parse(file).name).toLowerCase();
  return [...new Set([path, ...siblings.filter((file) => stem(file) === stem(path))])];
}

/** Adds up the sizes of files. */
export async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
