import {join} from "node:path";
import {messageOf, UserError} from "../../lib/errors.ts";
import {serveTasks} from "../../lib/process/bounded-program.ts";
import {makeViews} from "../../lib/sql/build-views.ts";
import {type Database, jsonText, openDatabase, type RowStream, sqlText} from "../../lib/sql/duckdb.ts";
import type {SqlAnswer, SqlTask} from "./sql-tool.ts";

// The process of `sql-tool.ts`: it answers one statement after another over the tables of a build.

/** Characters of a cell, and of all rows together as JSON. */
const most = {cellCharacters: 500, characters: 24_000};
/** Twice what the rows may have as JSON, for their names and the form in which a result is sent. */
const mostBytes = 2 * most.characters + 65_536;

/**
 * Functions that a statement may take rows from. Others read any file of the folder that is open or, as `enable_logging` does, write to
 * it.
 */
const tableFunctions = new Set([
  "parcels_near",
  "unnest",
  "range",
  "generate_series",
  "json_each",
  "json_tree",
  "duckdb_columns",
]);

serveTasks<SqlTask>(answerSql, () => mostBytes);

async function answerSql({folder, sql, mostRows}: SqlTask): Promise<SqlAnswer> {
  // Without a folder for what memory does not hold, a large statement fails instead of filling a disk.
  const db = await openDatabase({memoryLimit: "500MB", tempDirectory: ""});
  try {
    await makeViews(db, folder);
    await db.run(`SET allowed_directories = [${sqlText(join(folder, "tables"))}]`);
    await db.run("SET enable_external_access = false");
    await db.run("SET lock_configuration = true");
    await refuseOthers(db, sql);
    return await firstRows(await db.stream(sql), mostRows);
  } catch (error) {
    // What DuckDB says of a statement is for the agent who wrote it.
    throw error instanceof UserError ? error : new UserError(messageOf(error));
  } finally {
    db.close();
  }
}

type Parsed = {error: boolean; error_message?: string; statements?: unknown[]};

/** Throws a `UserError` for anything but one statement that reads, from tables and the functions above. */
async function refuseOthers(db: Database, sql: string): Promise<void> {
  const [row] = await db.rows<{tree: string}>("SELECT json_serialize_sql($sql::VARCHAR) AS tree", {sql});
  const {error, error_message: fault = "", statements = []}: Parsed = JSON.parse(row!.tree);
  if (error && fault.includes("SELECT statements"))
    throw new UserError("only SELECT, SHOW, DESCRIBE and SUMMARIZE are answered: the tables are only read.");
  if (error) throw new UserError(fault);
  if (statements.length !== 1)
    throw new UserError(`one statement is answered at a time; these are ${statements.length}.`);
  const refused = functionsOf(statements[0]).filter((name) => !tableFunctions.has(name));
  if (refused.length > 0)
    throw new UserError(`${refused.join(", ")}: rows come from the tables alone; SHOW TABLES lists them.`);
}

/** Gives the names of the functions that stand where a table may, wherever in the tree of a statement. */
function functionsOf(node: unknown): string[] {
  if (node === null || typeof node !== "object") return [];
  const {type, function: called} = node as {type?: unknown; function?: {function_name?: string}};
  const own = type === "TABLE_FUNCTION" ? [called?.function_name ?? "a function without a name"] : [];
  return [...own, ...Object.values(node).flatMap(functionsOf)];
}

async function firstRows({names, batches}: RowStream, mostRows: number): Promise<SqlAnswer> {
  const rows: unknown[][] = [];
  let characters = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      const cells = row.map(shortCell);
      characters += JSON.stringify(cells).length;
      if (rows.length === mostRows || characters > most.characters)
        return {columns: names, rows, truncated: true};
      rows.push(cells);
    }
  }
  return {columns: names, rows, truncated: false};
}

/** Gives a value as JSON has it; what is longer than a cell is cut and becomes text. */
function shortCell(value: unknown): unknown {
  const text = value === undefined ? "null" : jsonText(value);
  if (text.length <= most.cellCharacters) return JSON.parse(text);
  return `${(typeof value === "string" ? value : text).slice(0, most.cellCharacters)}…`;
}
