import {text} from "node:stream/consumers";
import type {Command} from "commander";
import {UserError} from "../../lib/errors.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {buildFolder, currentBuildId} from "../../lib/storage/data-folder.ts";
import {print, printJson, textTable} from "./output.ts";
import {chosenData} from "./settings.ts";
import {makeViews} from "./sql-views.ts";

/** Adds `sql`: DuckDB over the Parquet files of a build, each table under its name. */
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

/** 64-bit integers have no JSON form: as a number where that is exact, else as text. */
function cell(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
