import {CsvError, parse} from "csv-parse/sync";

/** What parts the cells of a line, the usual one first. */
export const delimiters = [",", "\t", "|", ";"];

/** Lines in which the delimiter is counted. */
const countedLines = 50;

/** Line breaks that a cell may hold, as an address has some; with more of them a quote was left open. */
const maxLineBreaks = 5;

/**
 * Gives the rows of delimited text: commas, tabs, pipes or semicolons, whichever its lines have most of. Where a quote that nothing
 * closes swallows lines, each line is a row by itself; a line that cannot be split even then comes as one cell.
 */
export function delimitedRows(text: string): string[][] {
  const start = text.split(/\r?\n/, countedLines).join("\n");
  const count = (delimiter: string) => start.split(delimiter).length;
  const delimiter = delimiters.reduce((best, next) => (count(next) > count(best) ? next : best));
  const whole = parseDelimited(text, delimiter);
  if (whole?.every((cells) => cells.every((cell) => cell.split("\n").length <= maxLineBreaks))) return whole;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.map((line) => parseDelimited(line, delimiter)?.[0] ?? [line]);
}

/** Rows of a text; null where it cannot be parsed, such as for a quote that nothing closes. */
export function parseDelimited(text: string, delimiter: string): string[][] | null {
  const options = {
    delimiter,
    skip_empty_lines: true,
    relax_quotes: true,
    relax_column_count: true,
    trim: true,
  };
  try {
    return parse(text, options);
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
