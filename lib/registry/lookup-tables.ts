import {join} from "node:path";
import {LookupTable} from "../../schemas/lookup-table.ts";
import {ConfigError} from "../errors.ts";
import {referenceDir} from "../paths.ts";
import {readRegistryFile} from "./registry-file.ts";

const loaded = new Map<string, ReadonlyMap<string, string>>();

/**
 * The values of a table of `data/reference/lookups/` by folded key (`lookupKey`): publishers have their own numbers and
 * names of places. Throws a `ConfigError` that names file and field for a table that is absent or not valid.
 */
export function lookupTable(name: string): ReadonlyMap<string, string> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const table = new Map(Object.entries(readTable(name).values));
  loaded.set(name, table);
  return table;
}

/** A cell in the form of a table's keys: `3.0` becomes `3`, `St. Albans` and `Saint Albans` become `STALBANS`. */
export function lookupKey(cell: string): string {
  return cell
    .trim()
    .replace(/^(\d+)\.0+$/, "$1")
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/^SAINT/, "ST");
}

function readTable(name: string): LookupTable {
  if (!/^[a-z0-9-]+$/.test(name)) {
    throw new ConfigError(
      `transform "lookup": came "${name}", expected the name of a table of data/reference/lookups.`,
    );
  }
  return readRegistryFile(LookupTable, join(referenceDir, "lookups", `${name}.json`));
}
