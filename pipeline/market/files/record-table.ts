import {once} from "node:events";
import {createWriteStream} from "node:fs";
import {rm} from "node:fs/promises";
import {join} from "node:path";
import {finished} from "node:stream/promises";
import {type Database, sqlName, sqlText} from "../../../lib/duckdb.ts";
import type {MarketColumn} from "../../../schemas/market-column.ts";

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
  const shape = columns.map(({name, type}) => `${sqlText(name)}: ${sqlText(type)}`).join(", ");
  await db.run(`CREATE OR REPLACE TABLE ${sqlName(table)} AS SELECT * FROM
    read_json(${sqlText(path)}, format = 'newline_delimited', columns = {${shape}})`);
  await rm(path);
}

async function writeLines(
  path: string,
  columns: readonly MarketColumn[],
  rows: Iterable<Readonly<Record<string, unknown>>>,
): Promise<void> {
  const out = createWriteStream(path);
  for (const row of rows) {
    if (!out.write(`${lineOf(row, columns)}\n`)) await once(out, "drain");
  }
  out.end();
  await finished(out);
}

function lineOf(row: Readonly<Record<string, unknown>>, columns: readonly MarketColumn[]): string {
  return JSON.stringify(Object.fromEntries(columns.map(({name, type}) => [name, cell(row[name], type)])));
}

function cell(value: unknown, type: string): unknown {
  if (value === null || value === undefined) return null;
  return type === "VARCHAR" && typeof value === "object" ? JSON.stringify(value) : value;
}
