import {join} from "node:path";
import {text} from "node:stream/consumers";
import type {Command} from "commander";
import {UserError} from "../../lib/errors.ts";
import {type Database, openDatabase, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {filesBelow} from "../../lib/storage/build-files.ts";
import {tableOfPath} from "../../lib/storage/build-layout.ts";
import {buildFolder, currentBuildId} from "../../lib/storage/data-folder.ts";
import {print, printJson, textTable} from "./output.ts";
import {chosenData} from "./settings.ts";

/** Adds `sql`, which runs a query of DuckDB over the Parquet files of a build, each table under its name. */
export function sqlCommand(cattle: Command): void {
  cattle
    .command("sql [query]")
    .description(
      "ask the files of the published build in SQL (DuckDB); without a query it is read from stdin",
    )
    .option("--out <dir>", "data folder, in place of CATTLE_DATA")
    .option("--build <id>", "another build than the published one")
    .option("--json", "rows as JSON")
    .action(async (query: string | undefined, flags: {out?: string; build?: string; json?: boolean}) => {
      const data = chosenData(flags.out);
      const buildId = flags.build ?? (await currentBuildId(data));
      if (buildId === null) throw new UserError(`${data.current}: nothing is published. Run "cattle build".`);
      const sql = query ?? (process.stdin.isTTY ? "SHOW TABLES" : await text(process.stdin));
      await ask(buildFolder(data, buildId), sql, flags.json ?? false);
    });
}

async function ask(buildDir: string, sql: string, json: boolean): Promise<void> {
  const db = await openDatabase();
  try {
    await makeViews(db, buildDir);
    const rows = await db.rows(sql).catch((error: Error) => {
      throw new UserError(error.message);
    });
    const plain = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(value)])),
    );
    if (json) return printJson(plain);
    const columns = Object.keys(plain[0] ?? {});
    print(
      textTable(
        columns,
        plain.map((row) => columns.map((name) => shown(row[name]))),
      ),
    );
    print(`${plain.length} rows`);
  } finally {
    db.close();
  }
}

/** Gives a value that JSON can hold: a 64-bit integer as a number where that is exact, else as text. */
function cell(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Makes a view for each table of a build folder and gives their names, sorted: `price_rows` and the like over all years,
 * `signals_…` for the signals, and `parcels`, `boundaries`, `parcel_provenance` and `parcel_rejects` over all states with a column `state`.
 */
async function makeViews(db: Database, buildDir: string): Promise<string[]> {
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
  return tableOfPath(path).replace("/", "_");
}
