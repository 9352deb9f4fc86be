import {rm, stat} from "node:fs/promises";
import {join, parse} from "node:path";
import {UserError} from "../../../lib/errors.ts";
import {TooManyColumns} from "../../../lib/parcels/conform/file-cells.ts";
import type {StagedTable} from "../../../lib/parcels/conform/staged-table.ts";
import {sqlName} from "../../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../../lib/sql/sql-path.ts";
import {ownProgram} from "../../../lib/system/own-child.ts";
import {DocumentReader, deadlineOf} from "../../raw/document-reader.ts";
import {type Dataset, NotATable, type ReadRequest} from "./file-reader.ts";
import {readerOf} from "./readers.ts";

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
export async function readDataset(request: ReadRequest): Promise<StagedTable> {
  const {db, ...rest} = request;
  const {dataset, table, tempDir} = rest;
  const bytes = await bytesOf(dataset);
  if (readerOf(dataset)!.isOfDuckdb === true) return readWithInterrupt(request, bytes);
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
  return answer.staged;
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

/** The bytes of the files that make a dataset: those beside it with its name and another extension. */
async function bytesOf({path, siblings}: Dataset): Promise<number> {
  const stem = (file: string) => join(parse(file).dir, parse(file).name).toLowerCase();
  const files = new Set([path, ...siblings.filter((file) => stem(file) === stem(path))]);
  const sizes = await Promise.all([...files].map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
