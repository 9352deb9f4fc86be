import {open} from "node:fs/promises";
import {uniqueNames} from "./column-names.ts";
import {FileError} from "./parcel-file.ts";

const headBytes = 1 << 18;
const delimiters = [",", "\t", ";", "|"] as const;

/** The start of a file; `text` starts at the header, after any title lines, which are `title`. */
export type DelimitedHead = {
  columns: string[];
  delimiter: string;
  text: string;
  title: string;
  titleLines: number;
};

/** Splits the first rows, at most `most`, behind the header. */
export function headRows({delimiter, text}: DelimitedHead, most: number): string[][] {
  const rows: string[][] = [];
  let rest = text.slice(lengthOfRecord(text));
  while (rows.length < most && rest.length > 0) {
    const length = lengthOfRecord(rest);
    // The last record of the head may be truncated.
    if (length === rest.length && text.length >= headBytes) break;
    if (rest.slice(0, length).trim() !== "") rows.push(firstRecord(rest, delimiter));
    rest = rest.slice(length);
  }
  return rows;
}

/** Length of the first record, including its line end. */
function lengthOfRecord(text: string): number {
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') quoted = !quoted;
    else if (text[i] === "\n" && !quoted) return i + 1;
  }
  return text.length;
}

/** Reads the start of a file of delimited text in UTF-8. Throws a `FileError` for one without text, or with markup. */
export async function delimitedHead(path: string, shownPath: string): Promise<DelimitedHead> {
  await using file = await open(path);
  const length = Math.min(headBytes, (await file.stat()).size);
  const {buffer, bytesRead} = await file.read(Buffer.alloc(length), 0, length, 0);
  const head = buffer.toString("utf8", 0, bytesRead).replace(/^\ufeff/, "");
  if (head.trim() === "")
    throw new FileError(`${shownPath}: empty file; expected a header with the names of its columns.`);
  if (head.trimStart().startsWith("<")) {
    throw new FileError(
      `${shownPath}: expected delimited text, got HTML or XML ("${head.trimStart().slice(0, 40)}").`,
    );
  }
  const {text, titleLines} = withoutTitle(head);
  const delimiter = delimiterOf(text);
  const names = firstRecord(text, delimiter);
  const title = head.slice(0, head.length - text.length);
  return {columns: uniqueNames(names), delimiter, text, title, titleLines};
}

const maxTitleLines = 6;

/**
 * Strips title lines: single-cell lines before a header of at least three names whose first row has as many cells. Any other text is
 * returned unchanged.
 */
function withoutTitle(head: string): Pick<DelimitedHead, "text" | "titleLines"> {
  const untitled = {text: head, titleLines: 0};
  let text = head;
  for (let titleLines = 0; titleLines <= maxTitleLines; titleLines++) {
    const delimiter = delimiterOf(text);
    const cells = firstRecord(text, delimiter);
    const length = lengthOfRecord(text);
    const filled = cells.filter((cell) => cell.trim() !== "").length;
    if (length === text.length || filled === 2) return untitled;
    if (filled > 2) {
      const row = firstRecord(text.slice(length), delimiter);
      return row.length === cells.length ? {text, titleLines} : untitled;
    }
    text = text.slice(length);
  }
  return untitled;
}

/** Returns the delimiter that splits the first record into the most cells; a comma if none does. */
function delimiterOf(head: string): string {
  const counted = delimiters.map((delimiter) => ({delimiter, cells: firstRecord(head, delimiter).length}));
  return counted.reduce((best, next) => (next.cells > best.cells ? next : best)).delimiter;
}

/** Splits the first record. Quoted cells may contain delimiters and line feeds; quotes are escaped by doubling (RFC 4180). */
function firstRecord(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') cell += text[++i]!;
      else quoted = false;
    } else if (character === '"' && cell === "") quoted = true;
    else if (character === delimiter) {
      cells.push(cell);
      cell = "";
    } else if (character === "\n" || character === "\r") break;
    else cell += character;
  }
  return [...cells, cell];
}
