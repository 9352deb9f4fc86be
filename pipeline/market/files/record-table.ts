import {BOOLEAN, DATE, DOUBLE, type DuckDBType, INTEGER, LIST, TIMESTAMP, VARCHAR} from "@duckdb/node-api";
import {appendRows, createTable} from "../../../lib/sql/append-rows.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {column} from "../../../schemas/described-file.ts";
import {type MarketColumn, workingType} from "../../../schemas/market-column.ts";

const appended: Readonly<Record<string, DuckDBType>> = {
  VARCHAR,
  "VARCHAR[]": LIST(VARCHAR),
  BOOLEAN,
  INTEGER,
  "INTEGER[]": LIST(INTEGER),
  DOUBLE,
  DATE,
  TIMESTAMP,
};

/** Columns of one type, of a table that no file has. */
export function typedColumns(type: string, ...names: string[]): MarketColumn[] {
  return names.map((name) => column(name, type, ""));
}

/**
 * Fills a new table from rows made here. Members that are structures go into columns of JSON text; members without a column are
 * passed over. Money arrives rounded, so DECIMAL columns hold it exactly. `more` is SQL of further columns over these.
 */
export async function fillTable(
  db: Database,
  table: string,
  columns: readonly MarketColumn[],
  rows: Iterable<object> | AsyncIterable<object>,
  more: readonly string[] = [],
): Promise<void> {
  const staged = `appended_${table}`;
  const typed = columns.map((column) => ({name: column.name, type: appended[workingType(column)] ?? DOUBLE}));
  const structures = columns.filter(({json}) => json).map(({name}) => name);
  await createTable(db, staged, typed);
  await appendRows(db, staged, typed, structures.length === 0 ? rows : withTexts(rows, structures));
  const cast = columns.map(
    (column) => `${sqlName(column.name)}::${workingType(column)} AS ${sqlName(column.name)}`,
  );
  await db.run(`CREATE OR REPLACE TABLE ${sqlName(table)} AS SELECT ${[...cast, ...more].join(", ")} FROM ${sqlName(staged)};
    DROP TABLE ${sqlName(staged)}`);
}

async function* withTexts(rows: Iterable<object> | AsyncIterable<object>, structures: readonly string[]) {
  for await (const row of rows as AsyncIterable<Record<string, unknown>>) {
    const texts = structures.map((name) => [name, jsonText(row[name])]);
    yield {...row, ...Object.fromEntries(texts)};
  }
}

/** A structure as JSON text; a text is one already. */
function jsonText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
