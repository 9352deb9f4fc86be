import {mkdtemp, rm} from "node:fs/promises";
import {join} from "node:path";
import {UserError} from "../../../../lib/errors.ts";
import {htmlTables} from "../../../raw/html-tables.ts";
import {openRawContent, type RawContent} from "../../../raw/raw-content.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {openSheets} from "../../../raw/workbook/sheets.ts";
import {decodedText} from "../../content-kind.ts";
import {isObject, objectsOf, parsedJson} from "../../json-values.ts";
import {linesOfPage, type PageText, pdfPages} from "../../pdf-pages.ts";
import {refuseErrorStatus, withoutNuls} from "../content.ts";
import {delimitedRows} from "./delimited-rows.ts";
import {gridTable, type ListContent, type ListTable, layoutTable, type Piece} from "./list-tables.ts";

/**
 * Opens a licence list or roster, detecting its format from its bytes: a workbook, a PDF, a web page, JSON rows or text; null
 * for a Parquet file, which `openParquet` reads. Throws a `UserError` for an empty or damaged file, and for a web page without
 * a table.
 */
export async function openList(file: RawFile, tempDir: string): Promise<ListContent | null> {
  const content = await openRawContent(file);
  const bytes = await content.bytes();
  const magic = bytes.subarray(0, 4).toString("latin1");
  if (magic === "PAR1") return null;
  if (magic === "PK\u0003\u0004")
    return {kind: "list", lines: [], ways: [await sheets(file, content, tempDir)]};
  if (magic === "\u00d0\u00cf\u0011\u00e0")
    await openSheets(file.absolutePath, {shown: file.path, isBinary: true});
  if (magic === "%PDF") return pages(bytes, file.path);
  const text = withoutNuls(file, decodedText(bytes).trimStart());
  if (text === "") throw new UserError(`${file.path}: the file is empty.`);
  refuseErrorStatus(file, text);
  if (/^[[{]/.test(text)) return listOfRecords(file, recordsIn(file, parsedJson(file, text)));
  return text.startsWith("<") ? webPage(file, text) : ofText(text);
}

/** The content of a list that came as records: Parquet and JSON. */
export function listOfRecords({path}: RawFile, records: readonly Record<string, unknown>[]): ListContent {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  if (names.length === 0) throw new UserError(`${path}: no records with members came; a list was expected.`);
  const rows = records.map((record) => names.map((name) => cellText(record[name])));
  return {kind: "list", lines: [], ways: [[gridTable("records", [names, ...rows])]]};
}

function recordsIn({path}: RawFile, body: unknown): Record<string, unknown>[] {
  const list: unknown = isObject(body) ? Object.values(body).find((value) => Array.isArray(value)) : body;
  if (Array.isArray(list)) return objectsOf(list);
  throw new UserError(`${path}: JSON without a list of records came; a list was expected.`);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function webPage({path}: RawFile, text: string): ListContent {
  const tables = htmlTables(text).map((rows, index) => ({
    ...gridTable(`table ${index + 1}`, rows),
    isPart: true,
  }));
  if (tables.length > 0) return {kind: "list", lines: [], ways: [tables]};
  throw new UserError(
    `${path}: a web page without a table came (${JSON.stringify(text.slice(0, 40))}); a list was expected.`,
  );
}

function ofText(text: string): ListContent {
  const lines = text.split(/\r?\n|\f/).filter((line) => line.trim() !== "");
  const table = gridTable("lines", delimitedRows(text), true);
  return {kind: "list", lines, ways: [[table], [layoutTable(lines)]]};
}

/** The lines of a PDF as positioned pieces. Throws a `UserError` as `pdfPages` does. */
async function pages(bytes: Buffer, shown: string): Promise<ListContent> {
  const pieces = (await pdfPages(bytes, shown)).flatMap((page) => linesOfPage(page).map(joined));
  const lines = pieces.map((line) => line.map(({text}) => text).join("  "));
  return {
    kind: "list",
    lines,
    ways: [[{name: "pages", kind: "page", isStrict: false, isPart: false, lines: pieces}]],
  };
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

async function sheets(file: RawFile, content: RawContent, tempDir: string): Promise<ListTable[]> {
  const folder = await mkdtemp(join(tempDir, "list-"));
  try {
    const [path] = await content.extractTo(folder);
    const opened = await openSheets(path!, {shown: file.path, isBinary: false});
    if (opened.length === 0) throw new UserError(`${file.path}: an archive without worksheets came.`);
    const tables: ListTable[] = [];
    for (const {name, rows} of opened) {
      const cells: string[][] = [];
      for await (const row of rows()) cells.push(row);
      tables.push(gridTable(name, cells));
    }
    return tables;
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
