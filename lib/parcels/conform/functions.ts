import {DuckDBScalarFunction, VARCHAR} from "@duckdb/node-api";
import type {Database} from "../../sql/duckdb.ts";

type Change = (text: string) => string | null;

const registered = new WeakMap<Database, Set<string>>();

/**
 * Makes a JavaScript function of one text callable in SQL under `name`, unless the database has one of that name; null
 * gives null. It runs on the main thread: in a build over distinct values, in the server over the few rows of a reply. An
 * error that it throws becomes the error of the query.
 */
export async function ensureTextFunction(db: Database, name: string, change: Change): Promise<void> {
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

/** A function that SQL may call for a while. */
type LentFunction = {
  readonly name: string;
  /** Ends the loan: SQL that calls the function fails from now on, until it is lent again. */
  end(): void;
};

/** A function of a database with what it does now; null while it is not lent. */
type Slot = {readonly name: string; change: Change | null};

const slots = new WeakMap<Database, Slot[]>();
let functions = 0;

/**
 * Makes a JavaScript function callable in SQL until `end`, in other respects as `ensureTextFunction` does. DuckDB never gives up a
 * function, with all that it holds and a handle that each turn of the event loop looks at: one that has ended is lent again.
 */
export async function lendTextFunction(db: Database, change: Change): Promise<LentFunction> {
  const own = slots.get(db) ?? [];
  slots.set(db, own);
  const slot = own.find((each) => each.change === null) ?? {name: `lent_text_${++functions}`, change: null};
  slot.change = change;
  if (!own.includes(slot)) {
    own.push(slot);
    await ensureTextFunction(db, slot.name, (text) => changed(slot, text));
  }
  return {
    name: slot.name,
    end() {
      slot.change = null;
    },
  };
}

function changed({name, change}: Slot, text: string): string | null {
  if (change === null) throw new Error(`${name} is lent no more`);
  return change(text);
}
