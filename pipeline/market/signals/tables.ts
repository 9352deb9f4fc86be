import {UserError} from "../../../lib/errors.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import type {Json} from "../json-values.ts";
import {delimitedRows} from "./lists/delimited-rows.ts";

/** Member of a row that stands for a line which is no row of its table: what is wrong with it. */
export const unreadLine = "(unread line)";

/**
 * The rows of delimited text by the names of its header; a name that stands twice gets a number. A line of another length than the
 * header's is a row with `unreadLine` alone; the others stay. Throws a UserError where no line is a row of the table.
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
