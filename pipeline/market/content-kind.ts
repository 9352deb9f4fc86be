import {UserError} from "../../lib/errors.ts";
import {openRawContent, type RawContent} from "../raw/raw-content.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {parsedJson} from "./json-values.ts";

type ContentKind = "parquet" | "json" | "text" | "pdf" | "workbook" | "binary workbook";

/** The first bytes of workbooks of Excel: an archive, or its older binary form. */
const workbooks: ReadonlyMap<string, ContentKind> = new Map([
  ["504b0304", "workbook"],
  ["d0cf11e0", "binary workbook"],
]);

/** Opens a raw file and says what its bytes are. Throws a UserError for an empty file and a web page. */
export async function openContent(file: RawFile): Promise<{kind: ContentKind; content: RawContent}> {
  const content = await openRawContent(file);
  const start = await firstBytes(content);
  if (start.length === 0) throw new UserError(`${file.path}: the file is empty.`);
  if (start.subarray(0, 4).toString("latin1") === "PAR1") return {kind: "parquet", content};
  const workbook = workbooks.get(start.subarray(0, 4).toString("hex"));
  if (workbook !== undefined) return {kind: workbook, content};
  const text = decodedText(start).trimStart();
  if (text === "") throw new UserError(`${file.path}: the file has no content but white space.`);
  if (/^<(!doctype|html|\?xml|head|body)/i.test(text)) {
    throw new UserError(
      `${file.path}: a web page or XML came (${JSON.stringify(text.slice(0, 40))}), market data was expected.`,
    );
  }
  if (text.startsWith("%PDF")) return {kind: "pdf", content};
  return {kind: /^[[{]/.test(text) ? "json" : "text", content};
}

/** Parses a file as JSON, whole or one object a line. Throws as `parsedJson` does. */
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

/** The line with which spreadsheets name the delimiter of a table. */
const delimiterLine = /^sep=[^\r\n]\r?\n/i;

/** Gives the encoding that the mark at the beginning of a text says; null for a text without one. */
function markedEncoding(bytes: Buffer): "utf-16le" | "utf-16be" | null {
  const mark = bytes.subarray(0, 2).toString("hex");
  if (mark === "fffe") return "utf-16le";
  return mark === "feff" ? "utf-16be" : null;
}

/**
 * Gives the text of a file: UTF-8 or UTF-16 without its mark, and without a line that only names the delimiter; bytes that are no
 * UTF-8 are Windows-1252, as older government exports are.
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

/** True for a text that has to be decoded before a program for plain UTF-8 tables can read it. */
export function needsDecoding(start: Buffer): boolean {
  return markedEncoding(start) !== null || delimiterLine.test(start.toString("utf8").replace(/^\uFEFF/, ""));
}
