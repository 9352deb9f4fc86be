import {messageOf, UserError} from "../../lib/errors.ts";
import {isObject, type Json} from "./json-values.ts";

/** Member of a row that stands for a line which is no row of its table: what is wrong with it. */
export const unreadLine = "(unread line)";

/**
 * The value of a JSON text, or the list of the objects that stand there one a line; a line that is none is an object with `unreadLine`
 * alone. Throws a UserError that says where the text breaks, such as for a download that was cut off.
 */
export function parsedJson({path}: {readonly path: string}, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const lines = objectLines(text);
    if (lines !== null) return lines;
    throw new UserError(
      `${path}: not valid JSON, perhaps cut off: ${messageOf(thrown)} (${text.length} characters).`,
    );
  }
}

/** The objects of a text with one a line; null where not even its first line is one, or no other. */
function objectLines(text: string): Json[] | null {
  const lines = text
    .split(/\r?\n/)
    .flatMap((line, at) => (line.trim() === "" ? [] : [{line, number: at + 1}]));
  if (lines.length < 2 || objectOf(lines[0]!.line) === null) return null;
  const read = lines.map(
    ({line, number}) => objectOf(line) ?? {[unreadLine]: `line ${number}: ${line.trim().slice(0, 200)}`},
  );
  return read.filter((record) => unreadLine in record).length * 2 > read.length ? null : read;
}

function objectOf(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    // Not a fault yet: the line is told as one that is no object.
    return null;
  }
}
