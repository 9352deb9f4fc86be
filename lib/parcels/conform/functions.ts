import {DuckDBScalarFunction, VARCHAR} from "@duckdb/node-api";
import type {Database} from "../../sql/duckdb.ts";

const registered = new WeakMap<Database, Set<string>>();

/**
 * Makes a JavaScript function of one text callable in SQL under `name`, unless the database has one of that name; null
 * gives null. It runs on the main thread: in a build over distinct values, in the server over the few rows of a reply. An
 * error that it throws becomes the error of the query.
 */
export async function ensureTextFunction(
  db: Database,
  name: string,
  change: (text: string) => string | null,
): Promise<void> {
  const names = registered.get(db) ?? new Set();
  registered.set(db, names);
  if (names.has(name)) return;
  names.add(name);
  // An unfinished stream keeps its transaction open, and a function made in that transaction would be lost with it.
  await db.run("SELECT 1");
  db.connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      parameterTypes: [VARCHAR],
      returnType: VARCHAR,
      mainFunction(_, chunk, output) {
        const input = chunk.getColumnVector(0);
        for (let row = 0; row < chunk.rowCount; row++) {
          const text = input.getItem(row);
          output.setItem(row, typeof text === "string" ? change(text) : null);
        }
        output.flush();
      },
    }),
  );
}
