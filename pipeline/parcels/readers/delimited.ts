import {createReadStream} from "node:fs";
import {open, stat} from "node:fs/promises";
import {basename, join} from "node:path";
import {UserError} from "../../../lib/errors.ts";
import {maxColumns, resolveColumn, uniqueNames} from "../../../lib/parcels/conform/file-cells.ts";
import type {ReaderAccount, StagedTable} from "../../../lib/parcels/conform/staged-table.ts";
import type {Dataset, Reader} from "./file-reader.ts";
import {geometryText, stagedText, withText} from "./geometry-text.ts";
import {type LostText, loadDelimited} from "./quote-readings.ts";
import {utf8Text} from "./text-encoding.ts";

const headBytes = 1 << 18;
const delimiters = [",", "\t", ";", "|"] as const;
/** Rows by which a column of geometry is told. */
const sampleRows = 20;
const extensions: ReadonlySet<string> = new Set(["csv", "tsv", "tab", "txt", "psv"]);

/** Reads CSV, and text delimited by tabs, semicolons or bars, with DuckDB. All cells are text; quoted ones may contain line feeds. */
export const delimitedReader: Reader = {
  name: "delimited text",
  isOfDuckdb: true,
  accepts: ({extension}) => extensions.has(extension),
  async read({db, dataset, table, wantedColumns, encoding, header, tempDir}) {
    const copyPath = join(tempDir, `${basename(dataset.path)}.utf8`);
    const {path, remark: encodingRemark} = await utf8Text(dataset, encoding, copyPath);
    const head = await readHead(path, dataset);
    const {delimiter, titleLines} = head;
    const columns = header === undefined ? head.columns : uniqueNames(header);
    const text = geometryText(columns, rowsOf(head, sampleRows));
    const all = withText(wantedColumns, text, columns);
    const load = {
      path,
      shownPath: dataset.shownPath,
      table,
      columns,
      delimiter,
      titleLines,
      wantedColumns: all,
    };
    const {rows, malformed, lost, remark} = await loadDelimited(db, load);
    if (rows === 0) {
      throw new UserError(
        `${dataset.shownPath}: no rows behind the header${malformed > 0 ? ` that fit it (${malformed} do not)` : ""}; expected at least one.`,
      );
    }
    return {
      table,
      rows,
      malformed,
      remark: [encodingRemark, remark].filter((each) => each !== null).join(" ") || null,
      account: await accountOf(dataset, {path, title: head.title, lost}),
      ...stagedText(all, text, columns),
      ...names(columns, wantedColumns),
    };
  },
};

/**
 * Counts the bytes and quotation marks of a file by what became of them. Text in another encoding is counted as a whole, because its title
 * and its lost rows are known in UTF-8 alone.
 */
async function accountOf(
  dataset: Dataset,
  {path, title, lost}: {path: string; title: string; lost: LostText},
): Promise<ReaderAccount> {
  const whole = (all: number, counts: {title_line: number; malformed_row: number}) => {
    const skipped = {...counts, malformed_row: Math.min(counts.malformed_row, all - counts.title_line)};
    return {read: all - skipped.title_line - skipped.malformed_row, skipped};
  };
  const {size} = await stat(dataset.path);
  const titleBytes = Buffer.byteLength(title);
  return {
    bytes:
      path === dataset.path
        ? whole(size, {title_line: titleBytes, malformed_row: lost.bytes})
        : {read: size, skipped: {}},
    quotes: whole(await quotesIn(path), {
      title_line: title.split('"').length - 1,
      malformed_row: lost.quotes,
    }),
  };
}

async function quotesIn(path: string): Promise<number> {
  let quotes = 0;
  for await (const chunk of createReadStream(path, {highWaterMark: 1 << 20}) as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(0x22); at >= 0; at = chunk.indexOf(0x22, at + 1)) quotes += 1;
  return quotes;
}

/** The start of a file; `text` starts at the header, after any title lines, which are `title`. */
type Head = {columns: string[]; delimiter: string; text: string; title: string; titleLines: number};

/** Returns the header of a delimited file and the cells of its first rows, at most `most` of them. */
export async function firstRows(
  dataset: Dataset,
  most: number,
): Promise<{header: readonly string[]; rows: readonly (readonly string[])[]}> {
  const head = await readHead(dataset.path, dataset);
  return {header: head.columns, rows: rowsOf(head, most)};
}

/** Splits the first rows, at most `most`, behind the header. */
function rowsOf({delimiter, text}: Head, most: number): string[][] {
  const rows: string[][] = [];
  let rest = text.slice(lengthOfRecord(text));
  while (rows.length < most && rest.length > 0) {
    const length = lengthOfRecord(rest);
    // The last record of the head may be truncated.
    if (length === rest.length && text.length >= headBytes) break;
    if (rest.slice(0, length).trim() !== "") rows.push(firstRecord(rest, delimiter));
    rest = rest.slice(length);
  }
  return rows;
}

/** Length of the first record, including its line end. */
function lengthOfRecord(text: string): number {
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') quoted = !quoted;
    else if (text[i] === "\n" && !quoted) return i + 1;
  }
  return text.length;
}

async function readHead(path: string, {shownPath}: Dataset): Promise<Head> {
  await using file = await open(path);
  const length = Math.min(headBytes, (await file.stat()).size);
  const {buffer, bytesRead} = await file.read(Buffer.alloc(length), 0, length, 0);
  const head = buffer.toString("utf8", 0, bytesRead).replace(/^\ufeff/, "");
  if (head.trim() === "")
    throw new UserError(`${shownPath}: empty file; expected a header with the names of its columns.`);
  if (head.trimStart().startsWith("<")) {
    throw new UserError(
      `${shownPath}: expected delimited text, got HTML or XML ("${head.trimStart().slice(0, 40)}").`,
    );
  }
  const {text, titleLines} = withoutTitle(head);
  const delimiter = delimiterOf(text);
  const names = firstRecord(text, delimiter);
  if (names.length > maxColumns)
    throw new UserError(`${shownPath}: ${names.length} columns; at most ${maxColumns} are read.`);
  const title = head.slice(0, head.length - text.length);
  return {columns: uniqueNames(names), delimiter, text, title, titleLines};
}

const maxTitleLines = 6;

/**
 * Strips title lines: single-cell lines before a header of at least three names whose first row has as many cells. Any other text is
 * returned unchanged.
 */
function withoutTitle(head: string): Pick<Head, "text" | "titleLines"> {
  const untitled = {text: head, titleLines: 0};
  let text = head;
  for (let titleLines = 0; titleLines <= maxTitleLines; titleLines++) {
    const delimiter = delimiterOf(text);
    const cells = firstRecord(text, delimiter);
    const length = lengthOfRecord(text);
    const filled = cells.filter((cell) => cell.trim() !== "").length;
    if (length === text.length || filled === 2) return untitled;
    if (filled > 2) {
      const row = firstRecord(text.slice(length), delimiter);
      return row.length === cells.length ? {text, titleLines} : untitled;
    }
    text = text.slice(length);
  }
  return untitled;
}

function names(
  columns: readonly string[],
  wantedColumns: readonly string[],
): Pick<StagedTable, "sourceColumns" | "entryColumns"> {
  return {
    sourceColumns: columns,
    entryColumns: new Set(wantedColumns.filter((name) => resolveColumn(name, columns) !== undefined)),
  };
}

/** Returns the delimiter that splits the first record into the most cells; a comma if none does. */
function delimiterOf(head: string): string {
  const counted = delimiters.map((delimiter) => ({delimiter, cells: firstRecord(head, delimiter).length}));
  return counted.reduce((best, next) => (next.cells > best.cells ? next : best)).delimiter;
}

/** Splits the first record. Quoted cells may contain delimiters and line feeds; quotes are escaped by doubling (RFC 4180). */
function firstRecord(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') cell += text[++i]!;
      else quoted = false;
    } else if (character === '"' && cell === "") quoted = true;
    else if (character === delimiter) {
      cells.push(cell);
      cell = "";
    } else if (character === "\n" || character === "\r") break;
    else cell += character;
  }
  return [...cells, cell];
}
