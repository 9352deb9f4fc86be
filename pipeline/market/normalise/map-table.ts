import {createWriteStream} from "node:fs";
import {join} from "node:path";
import {Readable} from "node:stream";
import {pipeline} from "node:stream/promises";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import {jsonLine} from "../json-line.ts";

/**
 * Creates a table from values that were worked out in JavaScript, one for each distinct combination in the data, by way
 * of a file of JSON lines in `tempDir`. `columns` gives the DuckDB type of each member.
 */
export async function createMapTable(
  db: Database,
  name: string,
  {
    columns,
    values,
    tempDir,
  }: {columns: Readonly<Record<string, string>>; values: readonly object[]; tempDir: string},
): Promise<void> {
  const types = Object.entries(columns);
  await db.run(
    `CREATE OR REPLACE TEMP TABLE ${name} (${types.map(([column, type]) => `${column} ${type}`).join(", ")})`,
  );
  if (values.length === 0) return;
  const path = join(tempDir, `${name}.ndjson`);
  await pipeline(Readable.from(values.map((value) => `${jsonLine(value)}\n`)), createWriteStream(path));
  await db.run(`INSERT INTO ${name} BY NAME SELECT * FROM read_json(${sqlText(path)}, format = 'newline_delimited',
    columns = {${types.map(([column, type]) => `${column}: ${sqlText(type)}`).join(", ")}})`);
}
