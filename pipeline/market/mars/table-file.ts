import {stat} from "node:fs/promises";
import {join} from "node:path";
import {UserError} from "../../../lib/errors.ts";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {SqlError} from "../../../lib/sql/sql-error.ts";
import {copySql, jsonRelation, parquetRelation} from "../../../lib/sql/sql-path.ts";
import {maxOutputBytes} from "../../raw/document-reader.ts";
import {openCsvTable, type UnreadLine} from "./csv-table.ts";
import type {BodyRows} from "./json-file.ts";

type ForeignTable =
  | {readonly kind: "parquet"; readonly path: string}
  | {readonly kind: "csv"; readonly path: string}
  | ({readonly kind: "json"} & BodyRows);

/** The task of reading one table, sent to the reader process, which writes its rows to the Parquet file `into`. */
export type TableTask = {
  readonly table: ForeignTable;
  readonly shownPath: string;
  readonly into: string;
  readonly tempDir: string;
};

/** The lines of a table that could not be read; null for JSON that is malformed or no array of objects. */
export type TableReading = {readonly unread: readonly UnreadLine[]} | null;

/** Within the private memory of the process; more goes to the temporary folder. */
const memoryLimit = "500MB";

/**
 * Reads the rows of a table with DuckDB into a Parquet file of ours, those of text as text. Throws a `UserError` for rows that take more
 * bytes than a file of that size may, and as `openCsvTable` does.
 */
export async function readTableFile({table, shownPath, into, tempDir}: TableTask): Promise<TableReading> {
  using db = await openDatabase({memoryLimit, tempDirectory: join(tempDir, "spill")});
  const most = maxOutputBytes((await stat(table.path)).size);
  const write = async (relation: string) => {
    await db.run(copySql(`FROM ${relation}`, into, "FORMAT parquet, COMPRESSION uncompressed"));
    const {size} = await stat(into);
    if (size > most)
      throw new UserError(`${shownPath}: its rows take ${size} bytes, at most ${most} are allowed.`);
  };
  if (table.kind === "parquet") {
    await write(parquetRelation(table.path));
    return {unread: []};
  }
  if (table.kind === "csv") {
    const csv = await openCsvTable(db, {path: table.path, shownPath}, tempDir);
    await write(csv.relation);
    const {lines, retry} = await csv.unread();
    if (retry !== null) await write(retry);
    return {unread: lines};
  }
  try {
    await write(jsonRows(table));
    return {unread: []};
  } catch (thrown) {
    // DuckDB gives this code to JSON that is malformed or no array of objects.
    if (thrown instanceof SqlError && thrown.type === "Invalid Input") return null;
    throw thrown;
  }
}

function jsonRows({path, members}: BodyRows): string {
  const texts = members.map((name) => `${sqlText(name)}: 'VARCHAR'`).join(", ");
  return `(SELECT nullif(COLUMNS(*), '') FROM ${jsonRelation(path, "format = 'array'", `columns = {${texts}}`)})`;
}
