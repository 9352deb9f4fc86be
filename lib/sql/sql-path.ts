import {resolve} from "node:path";
import {sqlText} from "./duckdb.ts";

// The only file that hands paths to DuckDB. Its readers take a path for a pattern and a folder `k=v` for a column; here a name is a name
// (`docs/design/reliability.md` section 2.1).

/** DuckDB splits a pattern at backslashes too, so a backslash is written as the range of `[`, `\` and `]`, the only one that has it. */
const backslash = "[[-]]";

/**
 * Returns the SQL literal of a path for DuckDB's readers, which match it as a pattern: `[`, `*` and `?` stand in brackets. The path
 * becomes absolute, so that it begins neither with `~` nor with a scheme, unless it begins with `./`.
 */
export function sqlPath(path: string): string {
  const whole = path.startsWith("./") ? path : resolve(path);
  if (!/[[*?]/.test(whole)) return sqlText(whole);
  return sqlText(whole.replace(/[[*?\\]/g, (letter) => (letter === "\\" ? backslash : `[${letter}]`)));
}

/** Returns the relation of the rows of Parquet files; `options` are further arguments, such as `union_by_name = true`. */
export function parquetRelation(path: string | readonly string[], ...options: readonly string[]): string {
  const files = typeof path === "string" ? sqlPath(path) : `[${path.map(sqlPath).join(", ")}]`;
  return `read_parquet(${[files, noPartitions, ...options].join(", ")})`;
}

/** Returns the relation of the key-value metadata in the footer of a Parquet file. */
export function parquetMetadata(path: string): string {
  return `parquet_kv_metadata(${sqlPath(path)})`;
}

/** Returns the relation of the rows of a CSV file. */
export function csvRelation(path: string, ...options: readonly string[]): string {
  return `read_csv(${[sqlPath(path), noPartitions, ...options].join(", ")})`;
}

/** Returns the relation of the rows of a JSON file. */
export function jsonRelation(path: string, ...options: readonly string[]): string {
  return `read_json(${[sqlPath(path), noPartitions, ...options].join(", ")})`;
}

/** Returns the statement that writes the rows of a query into a file. DuckDB takes the path of a file that it writes as it is. */
export function copySql(query: string, path: string, ...options: readonly string[]): string {
  return `COPY (${query}) TO ${sqlText(resolve(path))} (${options.join(", ")})`;
}

/** Returns a statement that allows to read these files and no other. DuckDB compares both the pattern and the path with them. */
export function allowFilesSql(files: readonly string[]): string {
  return `SET allowed_paths = [${files.flatMap((path) => [sqlText(resolve(path)), sqlPath(path)]).join(", ")}]`;
}

const noPartitions = "hive_partitioning = false";
