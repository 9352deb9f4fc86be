import {stat} from "node:fs/promises";
import {join} from "node:path";
import {UserError} from "../../../lib/errors.ts";
import {TooManyColumns} from "../../../lib/parcels/conform/file-cells.ts";
import {openDatabase, sqlName} from "../../../lib/sql/duckdb.ts";
import {copySql} from "../../../lib/sql/sql-path.ts";
import {serveTasks} from "../../../lib/system/bounded-program.ts";
import {maxOutputBytes} from "../../raw/document-reader.ts";
import {NotATable} from "./file-reader.ts";
import type {DatasetAnswer, DatasetTask} from "./read-dataset.ts";
import {readerOf} from "./readers.ts";

// Entry point of the process that reads files of parcels (`docs/design/reliability.md` section 2.1).

/** Within the private memory of the process; more goes to the temporary folder. */
const memoryLimit = "500MB";

serveTasks<DatasetTask>(readTask, ({bytes}) => maxOutputBytes(bytes));

async function readTask(task: DatasetTask): Promise<DatasetAnswer> {
  try {
    return {staged: await stagedFile(task)};
  } catch (error) {
    if (error instanceof NotATable) return {notATable: error.message};
    if (error instanceof TooManyColumns) return {tooManyColumns: {names: error.names, next: error.next}};
    throw error;
  }
}

async function stagedFile({into, bytes, ...request}: DatasetTask) {
  const {dataset, table, tempDir} = request;
  using db = await openDatabase({memoryLimit, tempDirectory: join(tempDir, "spill")});
  const head = Buffer.from(dataset.head);
  const staged = await readerOf({...dataset, head})!.read({...request, dataset: {...dataset, head}, db});
  const most = maxOutputBytes(bytes);
  await db.run(copySql(`FROM ${sqlName(table)}`, into, "FORMAT parquet, COMPRESSION uncompressed"));
  const {size} = await stat(into);
  if (size > most)
    throw new UserError(`${dataset.shownPath}: its rows take ${size} bytes, at most ${most} are allowed.`);
  return staged;
}
