import {resolve} from "node:path";
import {isUserError, messageOf, UserError} from "../../lib/errors.ts";
import {makeViews, tablePaths} from "../../lib/sql/build-views.ts";
import {type Database, jsonText, openDatabase, type RowStream, sqlText} from "../../lib/sql/duckdb.ts";
import {allowFilesSql, sqlPath} from "../../lib/sql/sql-path.ts";
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

const tellSettings = new Set(["current_setting", "pg_settings"]);

serveTasks<SqlTask>(answerSql, () => maxBytes);

async function answerSql({folder, paths: shown, sql, maxRows}: SqlTask): Promise<SqlAnswer> {
  // Without a spill directory, a large statement fails instead of filling the disk.
  using db = await openDatabase({memoryLimit: "500MB", tempDirectory: ""});
  try {
    // From here on paths are relative, so that the catalog has no path of this machine; settings that have one are refused below.
    process.chdir(folder);
    const paths = shown ?? (await tablePaths("."));
    await makeViews(db, ".", paths);
    await db.run(allowFilesSql(paths.map((path) => resolve(path))));
    await db.run("SET enable_external_access = false");
    await db.run("SET lock_configuration = true");
    await refuseOthers(db, sql);
    return await firstRows(await db.stream(sql), maxRows, pathRemover(folder));
  } catch (error) {
    // DuckDB's message is meant for the agent that wrote the statement.
    throw isUserError(error) ? error : new UserError(pathRemover(folder)(messageOf(error)));
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
  if (statements.length === 0) throw new UserError("No statement was given; SHOW TABLES lists the tables.");
  if (statements.length !== 1) throw new UserError(`Give one statement at a time, not ${statements.length}.`);
  const refused = refusedIn(statements[0]);
  if (refused.length > 0)
    throw new UserError(`${refused.join(", ")}: only the tables can be read; SHOW TABLES lists them.`);
}

type Node = {
  type?: unknown;
  function?: {function_name?: string};
  function_name?: unknown;
  table_name?: unknown;
};

/** Returns the names in the statement's syntax tree of other table functions, and of what tells settings: `allowed_paths` is one. */
function refusedIn(node: unknown): string[] {
  if (node === null || typeof node !== "object") return [];
  const {type, function: called, function_name: scalar, table_name: table} = node as Node;
  const name = called?.function_name ?? "a function without a name";
  const own = type === "TABLE_FUNCTION" && !tableFunctions.has(name) ? [name] : [];
  const settings = [scalar, table]
    .map((each) => String(each).toLowerCase())
    .filter((each) => tellSettings.has(each));
  return [...own, ...settings, ...Object.values(node).flatMap(refusedIn)];
}

/** Returns a function that takes the build's folder out of a text, as a path, as SQL writes it and as JSON does: messages may repeat a path. */
function pathRemover(folder: string): (text: string) => string {
  const inSql = (literal: string) => literal.slice(1, -1);
  const spellings = [sqlPath(folder), sqlText(folder)].map(inSql).concat(folder);
  const all = spellings.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  const longestFirst = [...new Set(all)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, path) => rest.replaceAll(`${path}/`, ""), text);
}

async function firstRows(
  {names, batches}: RowStream,
  maxRows: number,
  withoutPath: (text: string) => string,
): Promise<SqlAnswer> {
  const rows: unknown[][] = [];
  let characters = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      const cells = row.map((value) => shortCell(value, withoutPath));
      characters += JSON.stringify(cells).length;
      if (rows.length === maxRows || characters > limits.characters)
        return {columns: names, rows, truncated: true};
      rows.push(cells);
    }
  }
  return {columns: names, rows, truncated: false};
}

/** Converts a value to JSON; one longer than a cell is truncated and becomes text. */
function shortCell(value: unknown, withoutPath: (text: string) => string): unknown {
  const text = withoutPath(value === undefined ? "null" : jsonText(value));
  if (text.length <= limits.cellCharacters) return JSON.parse(text);
  return `${(typeof value === "string" ? withoutPath(value) : text).slice(0, limits.cellCharacters)}…`;
}
