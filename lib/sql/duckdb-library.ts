import {createRequire} from "node:module";

type Library = typeof import("@duckdb/node-api");
type Bindings = typeof import("@duckdb/node-bindings");

const load = createRequire(import.meta.url);
let library: Library | undefined;
let bindings: Bindings | undefined;

/** DuckDB's library, loaded when it is first asked for: a server that maps Arrow files opens no database. */
export function duckdbLibrary(): Library {
  library ??= load("@duckdb/node-api") as Library;
  return library;
}

/** The functions below that library. */
export function duckdbBindings(): Bindings {
  bindings ??= load("@duckdb/node-bindings") as Bindings;
  return bindings;
}
