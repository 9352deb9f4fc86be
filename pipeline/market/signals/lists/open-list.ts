import {htmlTables, openSheets} from "@open-cattle/parcel-files";
import {delimitedRows, linesOfPage, type PageText, pdfPages} from "@open-cattle/usda-reports";
import {isObject, type Json, objectsOf} from "@open-cattle/usda-reports/values";
import {UserError} from "../../../../lib/errors.ts";
import {maxOutputBytes} from "../../../raw/document-reader.ts";
import {withUserErrors} from "../../../raw/file-faults.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {temporaryFolder} from "../../../raw/temporary-folder.ts";
import {ofReport} from "../../documents/content-kind.ts";
import {openFile, type WorkbookFile} from "../../documents/file-content.ts";
import {gridLines, type ListContent, type ListTable, type Piece} from "./list-tables.ts";

/**
 * Opens a licence list or roster: a workbook, a PDF, a web page, delimited text, or rows of JSON or Parquet. Throws a `UserError`
 * as `openFile` does, for a damaged document, and for a web page without a table.
 */
export async function openList(file: RawFile, tempDir: string): Promise<ListContent> {
  const opened = await openFile(file, tempDir);
  switch (opened.kind) {
    case "rows":
      return ofRecords(file, opened.body);
    case "json":
      return ofRecords(file, recordsIn(file, opened.body));
    case "text":
      return ofText(opened.text);
    case "markup":
      return webPage(file, opened.text);
    case "pdf":
      return pages(await opened.content.bytes(), file.path);
    default:
      return {lines: [], tables: await sheets(file, opened, tempDir)};
  }
}

function ofRecords({path}: RawFile, records: readonly Json[]): ListContent {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  if (names.length === 0) throw new UserError(`${path}: expected a list of records.`);
  const rows = records.map((record) => names.map((name) => cellText(record[name])));
  return {lines: [], tables: [{kind: "records", lines: gridLines([names, ...rows])}]};
}

function recordsIn({path}: RawFile, body: unknown): Json[] {
  const list: unknown = isObject(body) ? Object.values(body).find((value) => Array.isArray(value)) : body;
  if (Array.isArray(list)) return objectsOf(list);
  throw new UserError(`${path}: the JSON has no list of records.`);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function webPage({path}: RawFile, text: string): ListContent {
  const tables = htmlTables(text).map((rows) => ({kind: "web" as const, lines: gridLines(rows)}));
  if (tables.length > 0) return {lines: [], tables};
  throw new UserError(
    `${path}: expected a list, got a web page without a table (${JSON.stringify(text.slice(0, 40))}).`,
  );
}

function ofText(text: string): ListContent {
  const lines = text.split(/\r?\n|\f/).filter((line) => line.trim() !== "");
  return {lines, tables: [{kind: "text", lines: gridLines(delimitedRows(text))}]};
}

/** The lines of a PDF as positioned pieces. Throws a `UserError` where `pdfPages` throws. */
async function pages(bytes: Buffer, path: string): Promise<ListContent> {
  const texts = await ofReport(path, () => pdfPages(bytes, maxOutputBytes(bytes.length)));
  const pieces = texts.flatMap((page) => linesOfPage(page).map(joined));
  const lines = pieces.map((line) => line.map(({text}) => text).join("  "));
  return {lines, tables: [{kind: "page", lines: pieces}]};
}

/** Joins texts that are no farther apart than the letters of a word or the words of a cell. */
function joined(line: readonly PageText[]): Piece[] {
  const pieces: Piece[] = [];
  for (const {text: whole, from, to, height} of line) {
    const text = whole.trim();
    const last = pieces.at(-1);
    const gap = last === undefined ? Number.POSITIVE_INFINITY : from - last.to;
    if (last === undefined || gap > height * 0.8) pieces.push({text, from, to});
    else
      pieces.splice(-1, 1, {
        text: `${last.text}${gap > height * 0.1 ? " " : ""}${text}`,
        from: last.from,
        to,
      });
  }
  return pieces;
}

async function sheets(file: RawFile, {kind, content}: WorkbookFile, tempDir: string): Promise<ListTable[]> {
  await using folder = await temporaryFolder("list-", tempDir);
  const [path] = await content.extractTo(folder.path);
  // Awaited here, because the folder is removed when this function ends.
  return await withUserErrors(async () => {
    const opened = await openSheets(path!, {shownPath: file.path, isBinary: kind === "binary workbook"});
    if (opened.length === 0) throw new UserError(`${file.path}: the workbook has no worksheets.`);
    const tables: ListTable[] = [];
    for (const {name, rows} of opened) {
      const cells: string[][] = [];
      for await (const row of rows()) cells.push(row);
      tables.push({kind: "sheet", name, lines: gridLines(cells)});
    }
    return tables;
  });
}
