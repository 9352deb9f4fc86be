import {join} from "node:path";
import {messageOf, UserError} from "../../lib/errors.ts";
import {makeViews} from "../../lib/sql/build-views.ts";
import {type Database, jsonText, openDatabase, type RowStream} from "../../lib/sql/duckdb.ts";
import {allowFolderSql} from "../../lib/sql/sql-path.ts";
import {serveTasks} from "../../lib/system/bounded-program.ts";
import type {SqlAnswer, SqlTask} from "./sql-tool.ts";

// The child process of `sql-tool.ts`: runs one statement at a time on the tables of a build.

/** Maximum characters of a cell, and of all rows together as JSON. */
const limits = {cellCharacters: 500, characters: 24_000};
/** Twice the rows' JSON size, to allow for column names and the encoding of the reply. */
const maxBytes = 2 * limits.characters + 65_536;

/** Table functions that a statement may use. Others can read any file in the allowed folder or, like `enable_logging`, write to it. */
const tableFunctions = new Set([
  "parcels_near",
  "unnest",
  "range",
  "generate_series",
  "json_each",
  "json_tree",
  "duckdb_columns",
]);

serveTasks<SqlTask>(answerSql, () => maxBytes);

async function answerSql({folder, sql, maxRows}: SqlTask): Promise<SqlAnswer> {
  // Without a spill directory, a large statement fails instead of filling the disk.
  using db = await openDatabase({memoryLimit: "500MB", tempDirectory: ""});
  try {
    await makeViews(db, folder);
    await db.run(allowFolderSql(join(folder, "tables")));
    await db.run("SET enable_external_access = false");
    await db.run("SET lock_configuration = true");
    await refuseOthers(db, sql);
    return await firstRows(await db.stream(sql), maxRows);
  } catch (error) {
    // DuckDB's message is meant for the agent that wrote the statement.
    throw error instanceof UserError ? error : new UserError(messageOf(error));
  }
}

type Parsed = {error: boolean; error_message?: string; statements?: unknown[]};

/** Throws a `UserError` for anything but a single read-only statement on tables and the functions above. */
async function refuseOthers(db: Database, sql: string): Promise<void> {
  const [row] = await db.rows<{tree: string}>("SELECT json_serialize_sql($sql::VARCHAR) AS tree", {sql});
  const {error, error_message: fault = "", statements = []}: Parsed = JSON.parse(row!.tree);
  if (error && fault.includes("SELECT statements"))
    throw new UserError("only SELECT, SHOW, DESCRIBE and SUMMARIZE are answered: the tables are only read.");
  if (error) throw new UserError(fault);
  if (statements.length === 0) throw new UserError("no statement came; SHOW TABLES lists the tables.");
  if (statements.length !== 1)
    throw new UserError(`one statement is answered at a time, and ${statements.length} came.`);
  const refused = functionsOf(statements[0]).filter((name) => !tableFunctions.has(name));
  if (refused.length > 0)
    throw new UserError(`${refused.join(", ")}: rows come from the tables alone; SHOW TABLES lists them.`);
}

/** Returns the names of all table functions in the statement's syntax tree. */
function functionsOf(node: unknown): string[] {
  if (node === null || typeof node !== "object") return [];
  const {type, function: called} = node as {type?: unknown; function?: {function_name?: string}};
  const own = type === "TABLE_FUNCTION" ? [called?.function_name ?? "a function without a name"] : [];
  return [...own, ...Object.values(node).flatMap(functionsOf)];
}

async function firstRows({names, batches}: RowStream, maxRows: number): Promise<SqlAnswer> {
  const rows: unknown[][] = [];
  let characters = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      const cells = row.map(shortCell);
      characters += JSON.stringify(cells).length;
      if (rows.length === maxRows || characters > limits.characters)
        return {columns: names, rows, truncated: true};
      rows.push(cells);
    }
  }
  return {columns: names, rows, truncated: false};
}

/** Converts a value to JSON; one longer than a cell is truncated and becomes text. */
function shortCell(value: unknown): unknown {
  const text = value === undefined ? "null" : jsonText(value);
  if (text.length <= limits.cellCharacters) return JSON.parse(text);
  return `${(typeof value === "string" ? value : text).slice(0, limits.cellCharacters)}…`;
}
