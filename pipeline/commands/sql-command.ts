import {once} from "node:events";
import {text} from "node:stream/consumers";
import {type Command, InvalidArgumentError, Option} from "commander";
import {countWords} from "../../lib/counts.ts";
import {UsageError, UserError} from "../../lib/errors.ts";
import {dailyViews, makeViews} from "../../lib/sql/build-views.ts";
import {type Database, jsonText, openDatabase, type RowStream} from "../../lib/sql/duckdb.ts";
import {buildFolder, type DataFolder, publishedBuildId} from "../../lib/storage/data-folder.ts";
import {writeData, writeText} from "../../lib/text/terminal-output.ts";
import {visibleText} from "../../lib/text/visible-text.ts";
import {keptModels, marketBuild} from "../results/model-files.ts";
import {chosenData} from "./command-line.ts";

/** Output formats. */
type RowForm = "table" | "csv" | "json";

/** Default number of rows on a terminal. */
const terminalRows = 40;
const widestCell = 48;

type Wanted = {format: RowForm; limit: number | null; width: number | null; file: string | null};

/** A displayed column: its index in the rows, its width, and whether it is right-aligned. */
type Column = {readonly at: number; readonly width: number; readonly right: boolean};

const gap = "  ";
/** Number of hidden columns that are named; a table of sixty would fill the terminal with names. */
const maxNamed = 10;

type Flags = {out?: string; build?: string; models?: boolean; json?: boolean; csv?: boolean; limit?: number};

const views = dailyViews.map(({name, about}) => `  ${name}: ${about}`).join("\n");

const nothingAsked =
  'No statement was given. Try cattle sql "SELECT * FROM state_prices LIMIT 5"; "SHOW TABLES" lists the tables, and cattle sql --help the views beside them.';

/** Adds `sql`, which runs a DuckDB query on the Parquet files of a build, each table under its name. */
export function sqlCommand(cattle: Command): void {
  cattle
    .command("sql [query]")
    .description("query the files of the published build in SQL (DuckDB); reads stdin if no query is given")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option("--build <id>", "use this build instead of the published one")
    .option("--models", "query the models that cattle build --keep-models left, instead of the files")
    .option("--limit <n>", "print at most this many rows", wholeNumber)
    .addOption(new Option("--csv", "rows as CSV").conflicts("json"))
    .option("--json", "rows as JSON")
    .addHelpText("after", `\nViews beside the tables (SHOW TABLES lists all):\n${views}`)
    .action(async (query: string | undefined, flags: Flags) => {
      const data = chosenData(flags.out);
      const buildId = flags.build ?? (await publishedBuildId(data));
      const sql = query ?? (process.stdin.isTTY ? "SHOW TABLES" : await text(process.stdin));
      if (isEmpty(sql)) throw new UsageError(nothingAsked);
      using db = flags.models ? await openModels(data, buildId) : await openFiles(buildFolder(data, buildId));
      await ask(db, sql, flags);
    });
}

async function openFiles(buildDir: string): Promise<Database> {
  const db = await openDatabase();
  await makeViews(db, buildDir);
  return db;
}

/** Opens the models from which the market of a build was made, to be read and not changed. Throws a `UserError` if none were kept. */
async function openModels(data: DataFolder, buildId: string): Promise<Database> {
  const market = await marketBuild(buildFolder(data, buildId));
  return openDatabase({path: keptModels(data, market ?? buildId), readOnly: true});
}

async function ask(db: Database, sql: string, {json, csv, limit}: Flags) {
  const format: RowForm = json === true ? "json" : csv === true ? "csv" : "table";
  const width = process.stdout.isTTY ? process.stdout.columns : null;
  const stream = await db.stream(sql).catch((error: Error) => {
    throw new UserError(error.message);
  });
  await printRows(stream, {format, limit: limit ?? null, width, file: copiedFile(sql)}).catch(
    (error: Error) => {
      throw new UserError(error.message);
    },
  );
}

/** True if there are only blanks, comments and semicolons, for which DuckDB's error message is unhelpful. */
function isEmpty(sql: string): boolean {
  return sql.replaceAll(/--.*|\/\*[\s\S]*?\*\/|[;\s]/g, "") === "";
}

/** The file written by the last `COPY … TO`, as named there; null if there is none. */
function copiedFile(sql: string): string | null {
  const named = [...sql.matchAll(/\bto\s+'((?:[^']|'')+)'/gi)].at(-1)?.[1];
  return named?.replaceAll("''", "'") ?? null;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("a whole number is expected.");
  return Number(text);
}

/**
 * Prints rows as they arrive, at most `limit`, and returns their number. On a terminal a table is cut to height and width, with a note;
 * elsewhere nothing is cut, and the first batch determines the column widths. For a `COPY`, the output names `file`.
 */
async function printRows(stream: RowStream, {format, file, ...bounds}: Wanted): Promise<number> {
  if (format === "table")
    return stream.isCopy && file !== null && stream.names.length === 1
      ? printCopied(stream, file)
      : printTable(stream, bounds);
  const {names} = stream;
  let printed = 0;
  // A person who looks at CSV on a terminal reads it like a table.
  const isShown = format === "csv" && process.stdout.isTTY;
  const write = (text: string) => drained((isShown ? writeText : writeData)(text));
  await write(format === "csv" ? csvLine(names) : "[");
  for await (const rows of upTo(stream, bounds.limit)) {
    const texts = rows.map((row, i) =>
      format === "csv"
        ? csvLine(row.map(csvCell))
        : `${printed + i === 0 ? "" : ","}\n ${jsonText(Object.fromEntries(names.map((name, j) => [name, row[j]])))}`,
    );
    printed += rows.length;
    await write(texts.join(""));
  }
  if (format === "json") await write(printed === 0 ? "]\n" : "\n]\n");
  return printed;
}

async function printCopied({batches}: RowStream, file: string): Promise<number> {
  for await (const [row] of batches) await write(`${file}: ${countWords(Number(row![0]))} rows\n`);
  return 1;
}

async function printTable(
  stream: RowStream,
  {limit, width}: {limit: number | null; width: number | null},
): Promise<number> {
  const most = limit ?? (width === null ? null : terminalRows);
  let printed = 0;
  let more = false;
  let columns: Column[] | null = null;
  // One extra row tells whether there are more.
  for await (const rows of upTo(stream, most === null ? null : most + 1)) {
    const shown = most === null ? rows : rows.slice(0, most - printed);
    more = shown.length < rows.length;
    const cells = shown.map((row) =>
      row.map((value) => cutTo(shownText(value), width === null ? null : Math.min(widestCell, width))),
    );
    const lines: string[][] = columns === null ? [stream.names, ...cells] : cells;
    columns ??= columnsWithin(width, stream, cells);
    await write(`${lines.map((line) => cutTo(lineOf(line, columns!), width)).join("\n")}\n`);
    printed += shown.length;
  }
  if (columns === null) {
    columns = columnsWithin(width, stream, []);
    await write(`${lineOf(stream.names, columns)}\n`);
  }
  const rest = more ? "; there are more: --limit N, --csv or --json" : "";
  await write(`${countWords(printed)} rows${rest}\n`);
  await write(leftOut(stream.names, columns));
  return printed;
}

/** Selects the columns that fit side by side, in order; a single column is cut to fit. */
function columnsWithin(width: number | null, {names, numeric}: RowStream, cells: string[][]): Column[] {
  let left = width ?? Number.POSITIVE_INFINITY;
  return names.flatMap((name, at) => {
    const widest = Math.max(name.length, ...cells.map((row) => row[at]!.length));
    if (at > 0 && widest > left) return [];
    left -= widest + gap.length;
    return [{at, width: widest, right: numeric[at]!}];
  });
}

function lineOf(cells: readonly string[], columns: readonly Column[]): string {
  return columns
    .map(({at, width, right}) => (right ? cells[at]!.padStart(width) : cells[at]!.padEnd(width)))
    .join(gap)
    .trimEnd();
}

/** Names the columns that did not fit; empty if all are shown. */
function leftOut(names: readonly string[], columns: readonly Column[]): string {
  const shown = new Set(columns.map(({at}) => at));
  const others = names.filter((_, at) => !shown.has(at));
  if (others.length === 0) return "";
  const more = others.length > maxNamed ? ` and ${others.length - maxNamed} more` : "";
  return `${others.length} columns left out: ${others.slice(0, maxNamed).join(", ")}${more}; select fewer, or --csv or --json\n`;
}

/** Yields the batches of a stream until `limit` rows have come. */
async function* upTo({batches}: RowStream, limit: number | null): AsyncGenerator<unknown[][]> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  if (left === 0) return;
  for await (const rows of batches) {
    yield rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}

function write(text: string): Promise<void> {
  return drained(writeText(text));
}

async function drained(isBelowLimit: boolean): Promise<void> {
  if (!isBelowLimit) await once(process.stdout, "drain");
}

function cutTo(text: string, width: number | null): string {
  return width === null || text.length <= width ? text : `${text.slice(0, Math.max(width - 1, 1))}…`;
}

function shownText(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  const text = typeof value === "object" ? jsonText(value) : String(value).replaceAll(/\s*\n\s*/g, " ");
  return visibleText(text);
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return typeof value === "object" ? jsonText(value) : String(value);
}

/** Formats one CSV line (RFC 4180), with a line feed. */
function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(",")}\n`;
}
