import {CsvError, parse} from "csv-parse/sync";

/** Supported delimiters, the most common first. */
export const delimiters = [",", "\t", "|", ";"];

/** Number of lines in which delimiters are counted. */
const countedLines = 50;

/** Maximum line breaks in a cell, such as an address; more mean an unclosed quote. */
const maxLineBreaks = 5;

/**
 * The rows of text delimited by commas, tabs, pipes or semicolons, whichever occurs most. If an unclosed quote swallows lines,
 * each line is parsed separately; a line that still cannot be split becomes one cell.
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

/** The rows of a text; null if it cannot be parsed, for example with an unclosed quote. */
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
