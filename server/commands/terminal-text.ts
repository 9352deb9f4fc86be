import {visibleText} from "../../lib/text/visible-text.ts";
import {type Description, labelledLines, type Note, type Table} from "../text/description.ts";
import {tradeWords} from "../text/trade-words.ts";

/** Minimum width of a text column; a narrower terminal wraps lines itself. */
const MIN_WIDTH = 8;
/** Text columns are wrapped down to this width before whole columns are dropped. */
const WRAP_WIDTH = 20;
const GAP = 2;

/**
 * Renders an answer as text that fits into `width` columns: sentences, tables, and labelled lines below them. Without a headline, the first
 * record's claim comes first.
 */
export function terminalText(answer: Description, width: number): string {
  const lead = answer.headline.length > 0 ? answer.headline : answer.claims.slice(0, 1);
  const fitted = answer.tables.map(visibleTable).map((table) => ({table, shown: fitting(table, width)}));
  const blocks = [
    lead.flatMap((sentence) => wrapped(sentence, width)),
    ...fitted.map(({shown}) => tableLines(shown, width)),
    noteLines([...leftOut(fitted), ...words(answer), ...labelledLines(answer)], width),
  ];
  return blocks
    .map((lines) => lines.join("\n"))
    .filter((block) => block !== "")
    .join("\n\n");
}

/** What the words of the trade in an answer mean; only answers of the market name reports, and have such words. */
function words(answer: Description): Note[] {
  const meanings = "reports" in answer.facts ? tradeWords(answer) : "";
  return meanings === "" ? [] : [["Words", meanings]];
}

/** The table as a screen may show it, so that widths are those of what is shown. */
function visibleTable(table: Table): Table {
  return {...table, rows: table.rows.map((cells) => cells.map(visibleText))};
}

/** Notes the columns that did not fit into any table. */
function leftOut(fitted: readonly {table: Table; shown: Table}[]): Note[] {
  const headers = fitted.flatMap(({table, shown}) =>
    table.columns.filter((column) => !shown.columns.includes(column)).map(({header}) => header),
  );
  const named = [...new Set(headers)].join(", ");
  return named === "" ? [] : [["Left out", `${named}; a wider terminal or --json has them`]];
}

/** Returns the lines of a table; the widest texts are wrapped. */
function tableLines({columns, rows, title}: Table, width: number): string[] {
  const widths = fittedWidths({title, columns, rows}, width);
  const drawn = (cells: readonly string[]) => rowLines(cells, columns, widths);
  const named = columns.some(({header}) => header !== "");
  const rule = "─".repeat(totalOf(widths));
  return [
    ...(title === "" ? [] : [title]),
    ...drawn(columns.map(({header}) => header)),
    ...(named ? [rule] : []),
    ...rows.flatMap(drawn),
  ];
}

/** Returns the lines of one row, each cell wrapped over as many as it needs. */
function rowLines(cells: readonly string[], columns: Table["columns"], widths: readonly number[]): string[] {
  const parts = cells.map((cell, i) => wrapped(cell, widths[i]!));
  const height = Math.max(...parts.map(({length}) => length));
  return Array.from({length: height}, (_, n) =>
    parts
      .map((part, i) => {
        const text = part[n] ?? "";
        const space = " ".repeat(Math.max(0, widths[i]! - lengthOf(text)));
        return columns[i]!.right === true ? space + text : text + space;
      })
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

/** Drops columns, highest priority number first, until the table fits or only mandatory columns are left. */
function fitting(table: Table, width: number): Table {
  const lowestPriority = Math.max(0, ...table.columns.map(({priority}) => priority ?? 0));
  if (totalOf(wrappedWidths(table)) <= width || lowestPriority === 0) return table;
  const kept = <Item>(items: readonly Item[]) =>
    items.filter((_, i) => table.columns[i]!.priority !== lowestPriority);
  return fitting({...table, columns: kept(table.columns), rows: table.rows.map(kept)}, width);
}

/** Column widths after wrapping long text; numbers and dates never wrap. */
function wrappedWidths(table: Table): number[] {
  const minima = minWidths(table);
  return naturalWidths(table).map((width, i) => Math.min(width, Math.max(minima[i]!, WRAP_WIDTH)));
}

function naturalWidths({columns, rows}: Table): number[] {
  return columns.map(({header}, i) => Math.max(...[header, ...rows.map((row) => row[i]!)].map(lengthOf)));
}

/** Narrows the widest column until the table fits, at the blanks of its texts and its header; numbers and dates keep their width. */
function fittedWidths(table: Table, width: number): number[] {
  const widths = naturalWidths(table);
  const minima = minWidths(table);
  for (;;) {
    const room = widths.map((each, i) => each - minima[i]!);
    const widest = Math.max(...room);
    if (totalOf(widths) <= width || widest <= 0) return widths;
    widths[room.indexOf(widest)]! -= 1;
  }
}

/** Widths below which a word or a number would be cut. */
function minWidths(table: Table): number[] {
  return naturalWidths(table).map((width, i) => {
    const {header, right} = table.columns[i]!;
    const cells = table.rows.map((row) => row[i]!);
    const whole = right === true ? cells : cells.flatMap((text) => text.split(/\s/));
    return Math.min(width, Math.max(MIN_WIDTH, ...[...header.split(/\s/), ...whole].map(lengthOf)));
  });
}

function noteLines(notes: readonly Note[], width: number): string[] {
  const indent = Math.max(0, ...notes.map(([label]) => label.length)) + GAP;
  return notes.flatMap(([label, text]) =>
    wrapped(text, Math.max(20, width - indent)).map(
      (line, i) => (i === 0 ? label : "").padEnd(indent) + line,
    ),
  );
}

/** Wraps text at spaces to at most `width` characters a line; a longer word stays whole. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && lengthOf(last) + 1 + lengthOf(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Total width of a table with columns of these widths. */
function totalOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, GAP * (widths.length - 1));
}

/** Counts code points, each one column wide, so that a character outside the BMP counts once. */
function lengthOf(text: string): number {
  return [...text].length;
}
