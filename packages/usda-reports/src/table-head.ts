import {maxLinesAbove, namesPriceRows} from "./column-aliases.ts";
import {delimiters, parseDelimited} from "./delimited-rows.ts";
import {ReportError} from "./report-error.ts";

/** Reports have a few dozen. */
const maxColumns = 1_000;

/** The columns of delimited text, each with a name of its own; `above` is the number of lines above the header. */
export type TableHead = {
  readonly columns: readonly string[];
  readonly delimiter: string;
  readonly above: number;
};

/**
 * The header of a table of price rows, from the start of its text: a line with their columns, else the first one, split by the delimiter
 * that yields most names. Throws a `ReportError` for fewer than two columns, or more than a thousand.
 */
export function tableHead(start: string): TableHead {
  const lines = start.replace(/^\uFEFF/, "").split(/\r?\n/, maxLinesAbove);
  const above = Math.max(
    lines.findIndex((line) => namesPriceRows(splits(line).map(({names}) => names))),
    0,
  );
  const {names, delimiter} = splits(lines[above] ?? "").reduce((best, next) =>
    next.names.length > best.names.length ? next : best,
  );
  if (names.length > maxColumns)
    throw new ReportError(`${names.length} columns; at most ${maxColumns} are read.`);
  const taken = new Set<string>();
  const columns = names.map((name) => {
    let free = name === "" ? "column" : name;
    while (taken.has(free.toLowerCase())) free = `${free}_`;
    taken.add(free.toLowerCase());
    return free;
  });
  if (columns.length < 2)
    throw new ReportError(
      `the first line has ${columns.length === 0 ? "no column" : `the one column ${JSON.stringify(columns[0])}`}; the names of the table's columns were expected there.`,
    );
  return {columns, delimiter, above};
}

/** A line split by each delimiter. */
function splits(line: string) {
  return delimiters.map((delimiter) => ({names: parseDelimited(line, delimiter)?.[0] ?? [], delimiter}));
}
