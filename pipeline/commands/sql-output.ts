import {once} from "node:events";
import {jsonText, type RowStream} from "../../lib/sql/duckdb.ts";
import {textTable} from "./output.ts";

/** The forms in which rows are printed. */
export type RowForm = "table" | "csv" | "json";

/** Rows that a terminal shows where no limit is given. */
const terminalRows = 40;
const widestCell = 48;

/**
 * Prints rows as they come, at most `limit`, and gives their number. A table on a terminal is cut to its height and width and says so;
 * elsewhere nothing is cut, and columns are as wide as the rows of the first batch want them.
 */
export async function printRows(
  stream: RowStream,
  {form, limit, width}: {form: RowForm; limit: number | null; width: number | null},
): Promise<number> {
  if (form === "table") return printTable(stream, {limit, width});
  const {names} = stream;
  let printed = 0;
  await write(form === "csv" ? csvLine(names) : "[");
  for await (const rows of upTo(stream, limit)) {
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

async function printTable(
  stream: RowStream,
  {limit, width}: {limit: number | null; width: number | null},
): Promise<number> {
  const most = limit ?? (width === null ? null : terminalRows);
  let printed = 0;
  let more = false;
  let widths: number[] | null = null;
  // One row more than is shown tells whether there are more.
  for await (const rows of upTo(stream, most === null ? null : most + 1)) {
    const shown = most === null ? rows : rows.slice(0, most - printed);
    more = shown.length < rows.length;
    const cells = shown.map((row) =>
      row.map((value) => cutTo(shownText(value), width === null ? null : widestCell)),
    );
    const lines: string[] = linesOf(stream.names, cells, widths);
    widths ??= widthsOf(stream.names, cells);
    await write(`${lines.map((line) => cutTo(line, width)).join("\n")}\n`);
    printed += shown.length;
  }
  if (widths === null) await write(`${textTable(stream.names, [])}\n`);
  const rest = more ? "; there are more: --limit N, --csv or --json" : "";
  await write(`${printed.toLocaleString("en-US")} rows${rest}\n`);
  return printed;
}

function linesOf(names: readonly string[], cells: string[][], widths: number[] | null): string[] {
  if (widths === null) return textTable(names, cells).split("\n");
  return cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd(),
  );
}

function widthsOf(names: readonly string[], cells: string[][]): number[] {
  return names.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]!.length)));
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
  if (value === null || value === undefined) return "";
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
