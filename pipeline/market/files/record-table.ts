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
  await writeLines(path, rows);
  const shape = columns
    .map((column) => `${sqlText(column.name)}: ${sqlText(workingType(column))}`)
    .join(", ");
  await db.run(`CREATE OR REPLACE TABLE ${sqlName(table)} AS SELECT * FROM
    read_json(${sqlText(path)}, format = 'newline_delimited', columns = {${shape}})`);
  await rm(path);
}

/** Characters that are gathered before they are written. */
const chunkLength = 1 << 20;

async function writeLines(path: string, rows: Iterable<Readonly<Record<string, unknown>>>): Promise<void> {
  await using file = await open(path, "w");
  let chunk = "";
  for (const row of rows) {
    chunk += `${jsonLine(row)}\n`;
    if (chunk.length < chunkLength) continue;
    await file.write(chunk);
    chunk = "";
  }
  await file.write(chunk);
}
