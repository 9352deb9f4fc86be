import {DuckDBScalarFunction, VARCHAR} from "@duckdb/node-api";
import type {Database} from "../../sql/duckdb.ts";

const registered = new WeakMap<Database, Set<string>>();

/**
 * Makes a JavaScript function of one text callable in SQL under `name`, unless the database has one of that name; null in
 * gives null out. It runs on the main thread: in a build over distinct values, in the server over the few rows of a reply.
 * What it throws becomes the query's error.
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
  // A stream that was not read to its end keeps its transaction open; a function made in that is lost with it.
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
