import {UserError} from "../../../lib/errors.ts";
import {openRawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {decodedText} from "../decoded-text.ts";

/** A signal file with its packing taken off, by what its bytes are. */
export type SignalContent =
  | {readonly kind: "json"; readonly body: unknown}
  | {readonly kind: "xml"; readonly text: string}
  | {readonly kind: "text"; readonly text: string}
  | {readonly kind: "parquet"; readonly records: readonly Record<string, unknown>[]};

/**
 * Opens a file of text and says what it is; null for a Parquet file, which is read otherwise. Throws a UserError for an
 * empty file, a web page, a PDF, JSON or gzip that breaks off, and an answer whose meta says that it was an error.
 */
export async function openText(file: RawFile): Promise<SignalContent | null> {
  const bytes = await (await openRawContent(file)).bytes();
  if (bytes.subarray(0, 4).toString("latin1") === "PAR1") return null;
  const raw = decodedText(bytes).trimStart();
  refuseForeign(file, raw);
  const text = raw.replaceAll("\0", "\uFFFD");
  if (text === "") throw new UserError(`${file.path}: the file is empty.`);
  const content: SignalContent = /^[[{]/.test(text)
    ? {kind: "json", body: parsedJson(file, text)}
    : {kind: text.startsWith("<") ? "xml" : "text", text};
  refuseErrorStatus(file, text);
  return content;
}

/** Most NUL bytes at the start of a text, as a share. */
const mostNuls = 0.02;

function refuseForeign({path}: RawFile, text: string): void {
  if (/^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<(!doctype\s+html|html|head|body)/is.test(text)) {
    throw new UserError(
      `${path}: a web page came (${JSON.stringify(text.slice(0, 40))}), market data was expected.`,
    );
  }
  if (text.startsWith("%PDF")) throw new UserError(`${path}: a PDF came, a table was expected.`);
  const start = text.slice(0, 4096);
  // One such byte in a cell is a fault of that cell; tables of another encoding and archives are full of them.
  if (start.split("\0").length - 1 > mostNuls * start.length) {
    throw new UserError(`${path}: bytes of an unknown format came, text or Parquet was expected.`);
  }
}

/** The value of a JSON text. Throws a UserError that says where it breaks. */
export function parsedJson({path}: RawFile, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const cause = thrown instanceof Error ? thrown.message : String(thrown);
    throw new UserError(`${path}: not valid JSON, perhaps cut off: ${cause} (${text.length} characters).`);
  }
}

/** Throws a UserError for an answer whose meta says that it was an error. */
export function refuseErrorStatus({path, meta}: RawFile, text: string): void {
  const status = meta?.http_status;
  if (status === undefined || status < 400) return;
  throw new UserError(
    `${path}: the source answered with HTTP ${status}: ${text.slice(0, 200).replaceAll(/\s+/g, " ")}`,
  );
}
