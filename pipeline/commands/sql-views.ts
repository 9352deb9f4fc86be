import {join} from "node:path";
import {type Database, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {filesBelow} from "../../lib/storage/build-files.ts";

/**
 * Makes a view for each table of a build folder: `price_rows` and the like for the market, `parcels`, `provenance`,
 * `boundaries` and `rejects` over all states, each with its column `state`, `signals_…` for the signals. Gives their names, sorted.
 */
export async function makeViews(db: Database, buildDir: string): Promise<string[]> {
  const paths = (await filesBelow(buildDir)).filter((path) => path.endsWith(".parquet"));
  const tables = Map.groupBy(paths, viewName);
  for (const [name, files] of tables) {
    const list = files.map((path) => sqlText(join(buildDir, path))).join(", ");
    const options = "hive_partitioning = true, hive_types_autocast = false, union_by_name = true";
    await db.run(`CREATE VIEW ${sqlName(name)} AS SELECT * FROM read_parquet([${list}], ${options})`);
  }
  return [...tables.keys()].sort();
}

function viewName(path: string): string {
  const parts = path.replace(/\.parquet$/, "").split("/");
  if (parts[0] === "parcels") return parts[2]!;
  if (parts[1] === "signals") return `signals_${parts[2]}`;
  return parts[1]!;
}
