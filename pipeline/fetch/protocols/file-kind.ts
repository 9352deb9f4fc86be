import {open} from "node:fs/promises";
import {isHtml} from "../jobs/document.ts";

/** Maximum size of a JSON error; anything longer is content, whatever words are in it. */
const longestError = 64 * 1024;

/** Returns why the first bytes of a file contradict its extension, or null. */
export async function kindFault(path: string, extension: string): Promise<string | null> {
  await using file = await open(path);
  const {buffer, bytesRead} = await file.read(Buffer.alloc(longestError), 0, longestError, 0);
  return faultOfHead(buffer.subarray(0, bytesRead), extension);
}

function faultOfHead(head: Buffer, extension: string): string | null {
  if (head.length === 0) return "an empty file";
  const text = head.toString("utf8");
  if (isHtml(text) && !/^html?$/.test(extension)) return `expected .${extension}, got an HTML page`;
  if (extension === "zip" && head.toString("latin1", 0, 2) !== "PK") return "expected a zip archive";
  if (/json$/.test(extension) && !/^\uFEFF?\s*[[{]/.test(text)) return "expected JSON";
  return head.length < longestError ? errorIn(text) : null;
}

/** The error that a service sent in place of the file with a success status. */
function errorIn(text: string): string | null {
  if (!/^\uFEFF?\s*\{/.test(text)) return null;
  try {
    const {error, errors} = JSON.parse(text.replace(/^\uFEFF/, "")) as {error?: unknown; errors?: unknown};
    const message = error ?? errors;
    return message === undefined || message === null || message === false
      ? null
      : `expected the file, got an error: ${JSON.stringify(message).slice(0, 200)}`;
  } catch {
    return null;
  }
}

const zipEnd = Buffer.from("PK\u0005\u0006", "latin1");
/** Size of the end record without its comment, whose length is in its last two bytes (APPNOTE 4.3.16). */
const zipEndBytes = 22;

/** JSON up to this size is parsed to check that it is complete. */
const maxParsedBytes = 32 * 2 ** 20;

/**
 * True for a zip archive with its directory at the end, and for JSON that can be parsed; false for a zip archive without. Null for other
 * files, whose bytes do not show whether they are whole.
 */
export async function endsAsItsKind(path: string, extension: string): Promise<boolean | null> {
  await using file = await open(path);
  const {size} = await file.stat();
  if (extension === "zip") {
    const length = Math.min(size, 66_000);
    const {buffer} = await file.read(Buffer.alloc(length), 0, length, size - length);
    const at = buffer.lastIndexOf(zipEnd);
    return at >= 0 && at + zipEndBytes <= length && at + zipEndBytes + buffer.readUInt16LE(at + 20) <= length;
  }
  if (!/json$/.test(extension) || size > maxParsedBytes) return null;
  try {
    JSON.parse((await file.readFile("utf8")).replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return null;
  }
}
