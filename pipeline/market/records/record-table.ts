import {BOOLEAN, DATE, DOUBLE, type DuckDBType, INTEGER, LIST, TIMESTAMP, VARCHAR} from "@duckdb/node-api";
import {appendRows, createTable} from "../../../lib/sql/append-rows.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {column} from "../../../schemas/vocabulary/described-file.ts";
import {type MarketColumn, workingType} from "../../../schemas/vocabulary/market-column.ts";

const appendTypes: Readonly<Record<string, DuckDBType>> = {
  VARCHAR,
  "VARCHAR[]": LIST(VARCHAR),
  BOOLEAN,
  INTEGER,
  "INTEGER[]": LIST(INTEGER),
  DOUBLE,
  DATE,
  TIMESTAMP,
};

/** Columns of one type for a working table, which is not written to a file. */
export function typedColumns(type: string, ...names: string[]): MarketColumn[] {
  return names.map((name) => column(name, type, ""));
}

/**
 * Fills a new table from JavaScript rows. Nested values become JSON text; members without a column are ignored. Money arrives
 * rounded, so DECIMAL columns hold it exactly. `more` is SQL of further columns computed from these.
 */
export async function fillTable(
  db: Database,
  table: string,
  columns: readonly MarketColumn[],
  rows: Iterable<object> | AsyncIterable<object>,
  more: readonly string[] = [],
): Promise<void> {
  const staged = `appended_${table}`;
  const typed = columns.map((column) => ({
    name: column.name,
    type: appendTypes[workingType(column)] ?? DOUBLE,
  }));
  const structures = columns.filter(({json}) => json).map(({name}) => name);
  await createTable(db, staged, typed);
  await appendRows(db, staged, typed, structures.length === 0 ? rows : nestedAsJson(rows, structures));
  const cast = columns.map(
    (column) => `${sqlName(column.name)}::${workingType(column)} AS ${sqlName(column.name)}`,
  );
  await db.run(`CREATE OR REPLACE TABLE ${sqlName(table)} AS SELECT ${[...cast, ...more].join(", ")} FROM ${sqlName(staged)};
    DROP TABLE ${sqlName(staged)}`);
}

async function* nestedAsJson(rows: Iterable<object> | AsyncIterable<object>, structures: readonly string[]) {
  for await (const row of rows as AsyncIterable<Record<string, unknown>>) {
    const texts = structures.map((name) => [name, jsonText(row[name])]);
    yield {...row, ...Object.fromEntries(texts)};
  }
}

/** A nested value as JSON text; a text already is. */
function jsonText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
