import {parse} from "csv-parse/sync";
import {messageOf, UserError} from "../../../lib/errors.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import type {Json} from "../json-values.ts";

/** Member of a row that stands for a line which is no row of its table: the line, and what is wrong with it. */
export const unreadLine = "(unread line)";

/**
 * The rows of a table in text, by the names of its header: commas, tabs, pipes or semicolons, whichever the header has most
 * of. A line of another length than the header's, and one that its quotes do not close, is a row with `unreadLine` alone;
 * the others stay. Throws a UserError where no line is a row of the table.
 */
export function tableRows({path}: RawFile, text: string): Json[] {
  const [header = ""] = text.split(/\r?\n/, 1);
  const delimiter = [",", "\t", "|", ";"].reduce((best, candidate) =>
    header.split(candidate).length > header.split(best).length ? candidate : best,
  );
  const whole = parsed(text, delimiter);
  if (whole.unread.length === 0) return whole.rows;
  // An open quote swallows the lines after it, so each line is tried on its own.
  const alone = text
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line.trim() !== "")
    .map((line) => parsed(`${header}\n${line}`, delimiter));
  const goodLines = alone.flatMap(({rows}) => rows);
  const read =
    goodLines.length > whole.rows.length
      ? {rows: goodLines, unread: alone.flatMap(({unread}) => unread)}
      : whole;
  if (read.rows.length === 0)
    throw new UserError(`${path}: not a table, perhaps cut off: ${read.unread[0]}.`);
  return [...read.rows, ...read.unread.map((line) => ({[unreadLine]: line}))];
}

function parsed(text: string, delimiter: string): {rows: Json[]; unread: string[]} {
  const unread: string[] = [];
  const rows = parse(text, {
    columns: uniqueNames,
    delimiter,
    skip_empty_lines: true,
    relax_quotes: true,
    trim: true,
    skip_records_with_error: true,
    on_skip: (fault, line) => {
      unread.push(`${messageOf(fault).split("\n")[0]}: ${(line ?? "").trim().slice(0, 200)}`);
      return undefined;
    },
  }) as Json[];
  return {rows, unread};
}

/** Header names; a name that stands twice gets a number, so that no column hides another. */
function uniqueNames(names: string[]): string[] {
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name} ${before + 1}`;
  });
}
