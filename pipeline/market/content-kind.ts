import {UserError} from "../../lib/errors.ts";
import {openRawContent, type RawContent} from "../raw/raw-content.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {decodedText} from "./decoded-text.ts";
import {parsedJson} from "./json-text.ts";

type ContentKind = "parquet" | "json" | "text" | "pdf";

/** Opens a raw file and says what its bytes are. Throws a UserError for an empty file and a web page. */
export async function openContent(file: RawFile): Promise<{kind: ContentKind; content: RawContent}> {
  const content = await openRawContent(file);
  const start = await firstBytes(content);
  if (start.length === 0) throw new UserError(`${file.path}: the file is empty.`);
  if (start.subarray(0, 4).toString("latin1") === "PAR1") return {kind: "parquet", content};
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
