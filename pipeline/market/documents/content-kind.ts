import {decodedText, ReportError} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";
import {openRawContent, type RawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";

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

/** The result of reading a report; a `ReportError` is thrown as a `UserError` that names the file. */
export async function ofReport<T>(path: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ReportError) throw new UserError(`${path}: ${error.message}`);
    throw error;
  }
}
