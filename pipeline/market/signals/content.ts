import {mkdtemp, rm} from "node:fs/promises";
import {join} from "node:path";
import {XMLParser} from "fast-xml-parser";
import {messageOf, UserError} from "../../../lib/errors.ts";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import {openRawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {decodedText, workbookKind} from "../content-kind.ts";
import {type Json, parsedJson, unreadLine} from "../json-values.ts";
import {delimitedRows} from "./lists/delimited-rows.ts";

/**
 * The content of an unpacked signal file, detected from its bytes: rows of delimited text or Parquet, or a body. XML becomes an
 * object of its root, with attributes and text (`#text`) as members and elements as lists by name.
 */
export type SignalContent =
  | {readonly kind: "json" | "xml"; readonly body: unknown}
  | {readonly kind: "table"; readonly records: readonly Json[]};

/**
 * Opens a text file and detects its kind; null for a Parquet file, which `openParquet` reads. Throws a UserError for an empty
 * file, a web page, a PDF, truncated JSON, XML or gzip, and an answer whose meta records an HTTP error.
 */
export async function openText(file: RawFile): Promise<SignalContent | null> {
  const bytes = await (await openRawContent(file)).bytes();
  if (bytes.subarray(0, 4).toString("latin1") === "PAR1") return null;
  refuseWorkbook(file, bytes);
  const raw = decodedText(bytes).trimStart();
  refuseForeign(file, raw);
  const text = withoutNuls(file, raw);
  if (text === "") throw new UserError(`${file.path}: the file is empty.`);
  refuseErrorStatus(file, text);
  if (/^[[{]/.test(text)) return {kind: "json", body: parsedJson(file, text)};
  return text.startsWith("<")
    ? {kind: "xml", body: parsedXml(file, text)}
    : {kind: "table", records: tableRows(file, text)};
}

/** Throws for a workbook, old or new, with the command that makes a text of each of its sheets. */
function refuseWorkbook({path}: RawFile, bytes: Buffer): void {
  const kind = workbookKind(bytes);
  if (kind === undefined || (kind === "workbook" && !bytes.includes("xl/workbook"))) return;
  const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1";
  throw new UserError(
    `${path}: a workbook came, text or Parquet was expected. Save its sheets as CSV: libreoffice --headless --convert-to '${filter}' "${path}"`,
  );
}

function refuseForeign({path}: RawFile, text: string): void {
  if (/^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<(!doctype\s+html|html|head|body)/is.test(text))
    throw new UserError(
      `${path}: a web page came (${JSON.stringify(text.slice(0, 40))}), market data was expected.`,
    );
  if (text.startsWith("%PDF")) throw new UserError(`${path}: a PDF came, a table was expected.`);
}

/** Maximum share of NUL bytes at the start of a text. */
const maxNulShare = 0.02;

/**
 * Replaces each NUL with U+FFFD, as a fault of its cell alone. Throws a UserError for a text with many, such as an archive or a
 * table in another encoding.
 */
export function withoutNuls({path}: RawFile, text: string): string {
  const start = text.slice(0, 4096);
  if (start.split("\0").length - 1 > maxNulShare * start.length)
    throw new UserError(`${path}: bytes of an unknown format came, text or Parquet was expected.`);
  return text.replaceAll("\0", "\uFFFD");
}

const xmlParser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/**
 * Parses XML. Throws for invalid XML and for entity declarations: no publisher uses them, and they can expand without bound.
 */
function parsedXml({path}: RawFile, text: string): unknown {
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
    const came = cells.join(",").trim().slice(0, 200);
    return {[unreadLine]: `${cells.length} cells in line ${index + 2} under ${names.length} names: ${came}`};
  });
  const [fault] = rows;
  if (fault !== undefined && rows.every((row) => unreadLine in row))
    throw new UserError(`${path}: not a table, perhaps cut off: ${String(fault[unreadLine])}.`);
  return rows;
}

/**
 * The records of a Parquet file, all values as text, so that an infinite date is simply invalid. Throws a UserError if it
 * cannot be read.
 */
export async function openParquet(db: Database, file: RawFile, tempDir: string): Promise<Json[]> {
  const folder = await mkdtemp(join(tempDir, "signal-"));
  try {
    const [path] = await (await openRawContent(file)).extractTo(folder);
    return await db.rows(`SELECT columns(*)::VARCHAR FROM read_parquet(${sqlText(path!)})`);
  } catch (thrown) {
    throw new UserError(`${file.path}: ${messageOf(thrown).split("\n")[0]}`);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
