import {withoutNaN} from "@open-cattle/arcgis-layers";
import {isObject, type Json, unreadLine} from "@open-cattle/usda-reports/values";
import {messageOf, UserError} from "../../../lib/errors.ts";

/** Turns words into a slug for keys. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/**
 * Parses a JSON text, or one JSON object per line, where a line that is no object becomes an object with only `unreadLine`; `NaN` is
 * read as null. Throws a UserError that says where the text breaks, for example in a truncated download.
 */
export function parsedJson({path}: {readonly path: string}, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const plain = withoutNaN(text);
    if (plain !== text) return parsedJson({path}, plain);
    const lines = objectLines(text);
    if (lines !== null) return lines;
    throw new UserError(
      `${path}: not valid JSON, perhaps cut off: ${messageOf(thrown)} (${text.length} characters).`,
    );
  }
}

/** The objects of a text with one per line; null if the first line is no object, or most lines are none. */
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
    // Not an error yet: the caller reports the line as unreadable.
    return null;
  }
}
