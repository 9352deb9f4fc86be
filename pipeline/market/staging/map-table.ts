import type {DuckDBType} from "@duckdb/node-api";
import {appendRows, createTable} from "../../../lib/sql/append-rows.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";

/** Makes a table of values computed in JavaScript, one row for each distinct combination in the data. */
export async function fillMap(
  db: Database,
  name: string,
  types: Readonly<Record<string, DuckDBType>>,
  values: Iterable<object> | AsyncIterable<object>,
): Promise<void> {
  const columns = Object.entries(types).map(([column, type]) => ({name: column, type}));
  await db.run(`DROP TABLE IF EXISTS ${name}`);
  await createTable(db, name, columns);
  await appendRows(db, name, columns, values);
}

/** Throws if two combinations have the same 63-bit key, because rows would then get each other's words. Never observed. */
export async function refuseCollisions(db: Database, table: string, key: string): Promise<void> {
  const shared = await db.rows(
    `SELECT ${key} FROM ${table} WHERE ${key} IS NOT NULL GROUP BY ALL HAVING count(*) > 1`,
  );
  if (shared.length > 0) {
    throw new Error(
      "Two different combinations of report words have the same 63-bit key; their rows cannot be told apart.",
    );
  }
}
