import {text} from "node:stream/consumers";
import {type Command, InvalidArgumentError, Option} from "commander";
import {UsageError, UserError} from "../../lib/errors.ts";
import {dailyViews, makeViews} from "../../lib/sql/build-views.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {buildFolder, currentBuildId} from "../../lib/storage/data-folder.ts";
import {chosenData} from "./settings.ts";
import {printRows, type RowForm} from "./sql-output.ts";

type Flags = {out?: string; build?: string; json?: boolean; csv?: boolean; limit?: number};

const views = dailyViews.map(({name, about}) => `  ${name}: ${about}`).join("\n");

const nothingAsked =
  'no statement came. Ask one, such as cattle sql "SELECT * FROM state_prices LIMIT 5"; "SHOW TABLES" lists the tables, and cattle sql --help the views beside them.';

/** Adds `sql`, which runs a query of DuckDB over the Parquet files of a build, each table under its name. */
export function sqlCommand(cattle: Command): void {
  cattle
    .command("sql [query]")
    .description(
      "ask the files of the published build in SQL (DuckDB); without a query it is read from stdin",
    )
    .option("--out <dir>", "data folder, in place of CATTLE_DATA")
    .option("--build <id>", "another build than the published one")
    .option("--limit <n>", "print at most so many rows", wholeNumber)
    .addOption(new Option("--csv", "rows as CSV").conflicts("json"))
    .option("--json", "rows as JSON")
    .addHelpText("after", `\nViews beside the tables (SHOW TABLES lists all):\n${views}`)
    .action(async (query: string | undefined, flags: Flags) => {
      const data = chosenData(flags.out);
      const buildId = flags.build ?? (await currentBuildId(data));
      if (buildId === null) throw new UserError(`${data.current}: nothing is published. Run "cattle build".`);
      const sql = query ?? (process.stdin.isTTY ? "SHOW TABLES" : await text(process.stdin));
      if (isEmpty(sql)) throw new UsageError(nothingAsked);
      await ask(buildFolder(data, buildId), sql, flags);
    });
}

async function ask(buildDir: string, sql: string, {json, csv, limit}: Flags) {
  const form: RowForm = json === true ? "json" : csv === true ? "csv" : "table";
  const width = process.stdout.isTTY ? process.stdout.columns : null;
  const db = await openDatabase();
  try {
    await makeViews(db, buildDir);
    const stream = await db.stream(sql).catch((error: Error) => {
      throw new UserError(error.message);
    });
    await printRows(stream, {form, limit: limit ?? null, width, file: copiedFile(sql)}).catch(
      (error: Error) => {
        throw new UserError(error.message);
      },
    );
  } finally {
    db.close();
  }
}

/** True for blanks, comments and semicolons alone, of which DuckDB only says that something went wrong. */
function isEmpty(sql: string): boolean {
  return sql.replaceAll(/--.*|\/\*[\s\S]*?\*\/|[;\s]/g, "") === "";
}

/** The file that the last `COPY … TO` of some statements writes, as they name it; null where there is none. */
function copiedFile(sql: string): string | null {
  const named = [...sql.matchAll(/\bto\s+'((?:[^']|'')+)'/gi)].at(-1)?.[1];
  return named?.replaceAll("''", "'") ?? null;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("a whole number is expected.");
  return Number(text);
}
