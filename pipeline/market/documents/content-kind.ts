import {UserError} from "../../../lib/errors.ts";
import {openRawContent, type RawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {parsedJson} from "./json-values.ts";

type ContentKind = "parquet" | "json" | "text" | "markup" | "pdf" | "workbook" | "binary workbook";

/** Magic bytes, of Excel workbooks among others: a ZIP archive (xlsx), or the older binary format (xls). */
const magicBytes: ReadonlyMap<string, ContentKind> = new Map([
  ["50415231", "parquet"],
  ["504b0304", "workbook"],
  ["d0cf11e0", "binary workbook"],
]);

/** The kind of a file by its first bytes. Any ZIP archive begins like a workbook of today. */
export function contentKind(start: Buffer): ContentKind {
  const kind = magicBytes.get(start.subarray(0, 4).toString("hex"));
  if (kind !== undefined) return kind;
  const text = decodedText(start).trimStart();
  if (text.startsWith("%PDF")) return "pdf";
  if (text.startsWith("<")) return "markup";
  return /^[[{]/.test(text) ? "json" : "text";
}

/** Opens a raw file and detects its kind from its bytes. Throws a UserError for an empty file and for a web page. */
export async function openContent(file: RawFile): Promise<{kind: ContentKind; content: RawContent}> {
  const content = await openRawContent(file);
  const start = await firstBytes(content);
  if (start.length === 0) throw new UserError(`${file.path}: the file is empty.`);
  const kind = contentKind(start);
  const text = decodedText(start).trimStart();
  if (text === "") throw new UserError(`${file.path}: the file has no content but white space.`);
  if (kind === "markup" && /^<(!doctype|html|\?xml|head|body)/i.test(text)) {
    throw new UserError(
      `${file.path}: expected market data, got a web page or XML (${JSON.stringify(text.slice(0, 40))}).`,
    );
  }
  return {kind: kind === "markup" ? "text" : kind, content};
}

/** Parses a file as JSON or as one JSON object per line. Throws as `parsedJson` does. */
export async function readJson(file: RawFile, content: RawContent): Promise<unknown> {
  return parsedJson(file, decodedText(await content.bytes()));
}

async function firstBytes(content: RawContent): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await content.stream()) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= 4096) break;
  }
  return Buffer.concat(chunks).subarray(0, 4096);
}

/** The first line in which spreadsheets declare the delimiter. */
const delimiterLine = /^sep=[^\r\n]\r?\n/i;

/** The encoding that the byte order mark declares; null without a mark. */
function markedEncoding(bytes: Buffer): "utf-16le" | "utf-16be" | null {
  const mark = bytes.subarray(0, 2).toString("hex");
  if (mark === "fffe") return "utf-16le";
  return mark === "feff" ? "utf-16be" : null;
}

/**
 * Decodes a file: UTF-8 or UTF-16, without byte order mark and delimiter line; bytes that are not valid UTF-8 are read as
 * Windows-1252, which older government exports use.
 */
export function decodedText(bytes: Buffer): string {
  return wholeText(bytes).replace(delimiterLine, "");
}

function wholeText(bytes: Buffer): string {
  const marked = markedEncoding(bytes);
  if (marked !== null) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** True if the text must be decoded before a reader of plain UTF-8 tables can take it. */
export function needsDecoding(start: Buffer): boolean {
  return markedEncoding(start) !== null || delimiterLine.test(start.toString("utf8").replace(/^\uFEFF/, ""));
}
