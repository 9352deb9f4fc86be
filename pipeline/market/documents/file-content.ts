import {decodedText, delimitedRows} from "@open-cattle/usda-reports";
import {type Json, unreadLine} from "@open-cattle/usda-reports/values";
import {XMLParser} from "fast-xml-parser";
import {messageOf, UserError} from "../../../lib/errors.ts";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {parquetRelation} from "../../../lib/sql/sql-path.ts";
import {openRawContent, type RawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {temporaryFolder} from "../../raw/temporary-folder.ts";
import {contentKind} from "./content-kind.ts";
import {parsedJson} from "./json-values.ts";

/** A file by what its bytes are: rows of Parquet, a body of JSON, a text with or without tags, or a document. */
export type OpenedFile =
  | {readonly kind: "rows"; readonly body: readonly Json[]}
  | {readonly kind: "json"; readonly body: unknown}
  | {readonly kind: "markup" | "text"; readonly text: string}
  | {readonly kind: "pdf"; readonly content: RawContent}
  | WorkbookFile;

/** A workbook, in its format of today or in the older binary one. */
export type WorkbookFile = {
  readonly kind: "workbook" | "binary workbook";
  readonly content: RawContent;
};

/**
 * Opens a file of a signal or list feed, packed or not. Throws a UserError for an empty file, bytes of an unknown format, Parquet
 * or JSON that is damaged, and an answer whose meta records an HTTP error.
 */
export async function openFile(file: RawFile, tempDir: string): Promise<OpenedFile> {
  const content = await openRawContent(file);
  const bytes = await content.bytes();
  const kind = contentKind(bytes.subarray(0, 4096));
  if (kind === "parquet") return {kind: "rows", body: await parquetRows(file, content, tempDir)};
  if (kind === "pdf") return {kind, content};
  if (kind === "binary workbook" || (kind === "workbook" && bytes.includes("xl/workbook")))
    return {kind, content};
  const text = withoutNuls(file, decodedText(bytes).trimStart());
  if (text === "") throw new UserError(`${file.path}: the file is empty.`);
  refuseErrorStatus(file, text);
  if (kind === "json") return {kind, body: parsedJson(file, text)};
  return {kind: kind === "markup" ? kind : "text", text};
}

/** The rows of a Parquet file, all values as text, so that an infinite date is simply invalid. */
async function parquetRows(file: RawFile, content: RawContent, tempDir: string): Promise<Json[]> {
  await using folder = await temporaryFolder("signal-", tempDir);
  try {
    const [path] = await content.extractTo(folder.path);
    using db = await openDatabase({tempDirectory: folder.path, memoryLimit: "500MB"});
    return await db.rows(`SELECT columns(*)::VARCHAR FROM ${parquetRelation(path!)}`);
  } catch (thrown) {
    throw new UserError(`${file.path}: ${messageOf(thrown).split("\n")[0]}`);
  }
}

/**
 * The content of a signal file: the rows of a table, a body of JSON, or XML as an object of its root, with attributes and text
 * (`#text`) as members and elements as lists by name.
 */
export type SignalContent = {readonly kind: "table" | "json" | "xml"; readonly body: unknown};

/** Opens a file of signals. Throws as `openFile` does, for a document and a web page, and for a table or XML that is cut off. */
export async function openSignalFile(file: RawFile, tempDir: string): Promise<SignalContent> {
  const opened = await openFile(file, tempDir);
  switch (opened.kind) {
    case "rows":
      return {kind: "table", body: opened.body};
    case "json":
      return {kind: "json", body: opened.body};
    case "text":
      return {kind: "table", body: tableRows(file, opened.text)};
    case "markup":
      return {kind: "xml", body: parsedXml(file, opened.text)};
    case "pdf":
      throw new UserError(`${file.path}: expected a table, got a PDF.`);
    default:
      throw new UserError(
        `${file.path}: expected text or Parquet, got a workbook. Save its sheets as CSV: libreoffice --headless --convert-to '${everySheet}' "${file.path}"`,
      );
  }
}

/** LibreOffice's filter that makes a CSV of each sheet of a workbook. */
const everySheet = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1";

/** Maximum share of NUL bytes at the start of a text. */
const maxNulShare = 0.02;

/**
 * Replaces each NUL with U+FFFD, as a fault of its cell alone. Throws a UserError for a text with many, such as an archive or a
 * table in another encoding.
 */
export function withoutNuls({path}: RawFile, text: string): string {
  const start = text.slice(0, 4096);
  if (start.split("\0").length - 1 > maxNulShare * start.length)
    throw new UserError(`${path}: unknown format; expected text or Parquet.`);
  return text.replaceAll("\0", "\uFFFD");
}

const xmlParser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Numbers of characters too (`&#233;`), which the library reads with the names of HTML alone.
  htmlEntities: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/**
 * Parses XML. Throws for a web page, for invalid XML, and for entity declarations: no publisher uses them, and they can expand
 * without bound.
 */
function parsedXml({path}: RawFile, text: string): unknown {
  if (/^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<(!doctype\s+html|html|head|body)/is.test(text))
    throw new UserError(
      `${path}: expected market data, got a web page (${JSON.stringify(text.slice(0, 40))}).`,
    );
  if (/<!ENTITY/i.test(text)) throw new UserError(`${path}: XML that declares entities is not read.`);
  try {
    return xmlParser.parse(text, true);
  } catch (thrown) {
    throw new UserError(`${path}: not valid XML, perhaps cut off: ${messageOf(thrown)}.`);
  }
}

/** Throws a UserError for an answer whose meta records an HTTP error. */
export function refuseErrorStatus({path, meta}: RawFile, text: string): void {
  const status = meta?.http_status;
  if (status === undefined || status < 400) return;
  throw new UserError(
    `${path}: the source answered with HTTP ${status}: ${text.slice(0, 200).replaceAll(/\s+/g, " ")}`,
  );
}

/**
 * The rows of delimited text by header name; repeated names get a number. A line of another length than the header becomes a
 * row with only `unreadLine`. Throws a UserError if no line fits.
 */
export function tableRows({path}: RawFile, text: string): Json[] {
  const [header = [], ...lines] = delimitedRows(text);
  const names = header.map((name, index) => {
    const before = header.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name} ${before + 1}`;
  });
  const rows = lines.map((cells, index): Json => {
    if (cells.length === names.length) return Object.fromEntries(names.map((name, i) => [name, cells[i]]));
    const actual = cells.join(",").trim().slice(0, 200);
    return {
      [unreadLine]: `${cells.length} cells in line ${index + 2} under ${names.length} names: ${actual}`,
    };
  });
  const [fault] = rows;
  if (fault !== undefined && rows.every((row) => unreadLine in row))
    throw new UserError(`${path}: not a table, perhaps cut off: ${String(fault[unreadLine])}.`);
  return rows;
}
