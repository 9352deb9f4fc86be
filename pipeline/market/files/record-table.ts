import {open, rm} from "node:fs/promises";
import {join} from "node:path";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {type MarketColumn, workingType} from "../../../schemas/market-column.ts";
import {jsonLine} from "../json-line.ts";

/**
 * Fills a new table from rows made here, by way of a file of JSON lines. Members that are structures go into text
 * columns as JSON; members without a column are passed over. Money arrives rounded, so DECIMAL columns hold it exactly.
 */
export async function fillTable(
  db: Database,
  table: string,
  columns: readonly MarketColumn[],
  rows: Iterable<Readonly<Record<string, unknown>>>,
  tempDir: string,
): Promise<void> {
  const path = join(tempDir, `${table}.jsonl`);
  await writeLines(path, columns, rows);
  const shape = columns
    .map((column) => `${sqlText(column.name)}: ${sqlText(workingType(column))}`)
    .join(", ");
  await db.run(`CREATE OR REPLACE TABLE ${sqlName(table)} AS SELECT * FROM
    read_json(${sqlText(path)}, format = 'newline_delimited', columns = {${shape}})`);
  await rm(path);
}

/** Characters that are gathered before they are written. */
const chunkLength = 1 << 20;

async function writeLines(
  path: string,
  columns: readonly MarketColumn[],
  rows: Iterable<Readonly<Record<string, unknown>>>,
): Promise<void> {
  const texts = columns.flatMap(({name, type}) => (type === "VARCHAR" ? [name] : []));
  await using file = await open(path, "w");
  let chunk = "";
  for (const row of rows) {
    chunk += `${lineOf(row, texts)}\n`;
    if (chunk.length < chunkLength) continue;
    await file.write(chunk);
    chunk = "";
  }
  await file.write(chunk);
}

/** A row as JSON; a structure in a text column becomes JSON text. DuckDB passes over members without a column. */
function lineOf(row: Readonly<Record<string, unknown>>, texts: readonly string[]): string {
  const structures = texts.filter((name) => typeof row[name] === "object" && row[name] !== null);
  if (structures.length === 0) return jsonLine(row);
  const told = structures.map((name) => [name, JSON.stringify(row[name])]);
  return jsonLine({...row, ...Object.fromEntries(told)});
}
