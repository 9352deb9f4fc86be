import {DuckDBScalarFunction, type DuckDBVector, VARCHAR} from "@duckdb/node-api";
import type {Database} from "../../sql/duckdb.ts";

type Change = (text: string) => string | null;

/** The functions of a database by name, with the end of their making. */
const registered = new WeakMap<Database, Map<string, Promise<void>>>();

/**
 * Makes a JavaScript function of one text callable in SQL under `name`, unless the database has one of that name; null
 * gives null. It runs on the main thread: in a build over distinct values, in the server over the few rows of a reply. An
 * error that it throws becomes the error of the query.
 */
export async function ensureTextFunction(db: Database, name: string, change: Change): Promise<void> {
  await ensureFunction(db, {name, count: 1, changeBy: () => change});
}

/** A function that SQL may call for a while. */
type LentFunction = {
  /** SQL of a call with this argument. */
  call(argument: string): string;
  /** Forgets the function; SQL that calls it fails from now on. */
  end(): void;
};

/** The functions that a database may call now, by key, and the name under which it calls them. */
type Lent = {readonly name: string; readonly changes: Map<string, Change>; count: number};

const lent = new WeakMap<Database, Lent>();
let databases = 0;

/**
 * Makes a JavaScript function callable in SQL until `end`, in other respects as `ensureTextFunction` does. DuckDB never gives up a
 * function, with all that it holds and a handle that each turn of the event loop looks at: these share one, which is told the key.
 */
export async function lendTextFunction(db: Database, change: Change): Promise<LentFunction> {
  const own = lent.get(db) ?? {name: `lent_text_function_${++databases}`, changes: new Map(), count: 0};
  lent.set(db, own);
  const changeBy: TextFunction["changeBy"] = ([keys]) => {
    // A query gives the key as a constant: it is that of all rows.
    const key = String(keys!.getItem(0));
    const lentNow = own.changes.get(key);
    if (lentNow === undefined) throw new Error(`function ${key} of SQL is lent no more`);
    return lentNow;
  };
  await ensureFunction(db, {name: own.name, count: 2, changeBy});
  const key = String(++own.count);
  own.changes.set(key, change);
  return {
    call: (argument) => `${own.name}('${key}', ${argument})`,
    end: () => void own.changes.delete(key),
  };
}

type TextFunction = {
  readonly name: string;
  /** Number of its arguments. */
  readonly count: number;
  /** Gives what it does with the last argument, by the others. */
  readonly changeBy: (others: readonly DuckDBVector[]) => Change;
};

/** Makes a function unless the database has one of that name. */
async function ensureFunction(db: Database, wanted: TextFunction): Promise<void> {
  const known = registered.get(db) ?? new Map<string, Promise<void>>();
  registered.set(db, known);
  const making = known.get(wanted.name) ?? makeFunction(db, wanted);
  known.set(wanted.name, making);
  await making;
}

async function makeFunction(db: Database, {name, count, changeBy}: TextFunction): Promise<void> {
  // An unfinished stream keeps its transaction open, and a function made in that transaction would be lost with it.
  await db.run("SELECT 1");
  db.connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      parameterTypes: Array.from({length: count}, () => VARCHAR),
      returnType: VARCHAR,
      mainFunction(_, chunk, output) {
        const others = Array.from({length: count - 1}, (_, column) => chunk.getColumnVector(column));
        const texts = chunk.getColumnVector(count - 1);
        const change = changeBy(others);
        for (let row = 0; row < chunk.rowCount; row++) {
          const text = texts.getItem(row);
          output.setItem(row, typeof text === "string" ? change(text) : null);
        }
        output.flush();
      },
    }),
  );
}
