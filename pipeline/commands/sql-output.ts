import {once} from "node:events";
import {jsonText, type RowStream} from "../../lib/sql/duckdb.ts";

/** The forms in which rows are printed. */
export type RowForm = "table" | "csv" | "json";

/** Rows that a terminal shows where no limit is given. */
const terminalRows = 40;
const widestCell = 48;

type Wanted = {form: RowForm; limit: number | null; width: number | null; file: string | null};

/**
 * Prints rows as they come, at most `limit`, and gives their number. A table on a terminal is cut to its height and width and says so;
 * elsewhere nothing is cut, and columns are as wide as the rows of the first batch want them. Of a `COPY` the table's line names `file`.
 */
export async function printRows(stream: RowStream, {form, file, ...bounds}: Wanted): Promise<number> {
  if (form === "table")
    return stream.isCopy && file !== null && stream.names.length === 1
      ? printCopied(stream, file)
      : printTable(stream, bounds);
  const {names} = stream;
  let printed = 0;
  await write(form === "csv" ? csvLine(names) : "[");
  for await (const rows of upTo(stream, bounds.limit)) {
    const texts = rows.map((row, i) =>
      form === "csv"
        ? csvLine(row.map(csvCell))
        : `${printed + i === 0 ? "" : ","}\n ${jsonText(Object.fromEntries(names.map((name, j) => [name, row[j]])))}`,
    );
    printed += rows.length;
    await write(texts.join(""));
  }
  if (form === "json") await write(printed === 0 ? "]\n" : "\n]\n");
  return printed;
}

async function printCopied({batches}: RowStream, file: string): Promise<number> {
  for await (const [row] of batches)
    await write(`${file}: ${Number(row![0]).toLocaleString("en-US")} rows\n`);
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
  // One row more than is shown tells whether there are more.
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
  await write(`${printed.toLocaleString("en-US")} rows${rest}\n`);
  await write(leftOut(stream.names, columns));
  return printed;
}

/** A column that is shown: its place in the rows, and how wide and on which side its cells stand. */
type Column = {readonly at: number; readonly width: number; readonly right: boolean};

const gap = "  ";
/** Columns left out that are named; a table of sixty would fill the terminal with names. */
const mostNamed = 10;

/** The columns that fit beside each other into a width, in their order; one alone is cut to it. */
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

/** The line that tells which columns a table has no room for; empty where it shows all. */
function leftOut(names: readonly string[], columns: readonly Column[]): string {
  const shown = new Set(columns.map(({at}) => at));
  const others = names.filter((_, at) => !shown.has(at));
  if (others.length === 0) return "";
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : "";
  return `${others.length} columns left out: ${others.slice(0, mostNamed).join(", ")}${more}; select fewer, or --csv or --json\n`;
}

/** The batches of a stream until `limit` rows have come. */
async function* upTo({batches}: RowStream, limit: number | null): AsyncGenerator<unknown[][]> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  if (left === 0) return;
  for await (const rows of batches) {
    yield rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

function cutTo(text: string, width: number | null): string {
  return width === null || text.length <= width ? text : `${text.slice(0, Math.max(width - 1, 1))}…`;
}

function shownText(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  return typeof value === "object" ? jsonText(value) : String(value).replaceAll(/\s*\n\s*/g, " ");
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return typeof value === "object" ? jsonText(value) : String(value);
}

/** One line of RFC 4180, with a line feed at its end. */
function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(",")}\n`;
}
