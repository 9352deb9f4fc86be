import {type Description, labelledLines, type Note, type Table} from "../text/description.ts";

/** Narrowest column of running text; a narrower terminal breaks the lines itself. */
const LEAST_WIDTH = 8;
/** Width to which running text is broken before a column is left out. */
const BROKEN_WIDTH = 20;
const GAP = 2;

/**
 * Gives an answer as text that fits into `width` columns: sentences, tables, and labelled lines below them. Where no sentence leads, the
 * claim of the first record does.
 */
export function terminalText(answer: Description, width: number): string {
  const lead = answer.headline.length > 0 ? answer.headline : answer.claims.slice(0, 1);
  const fitted = answer.tables.map((table) => ({table, shown: fitting(table, width)}));
  const blocks = [
    lead.flatMap((sentence) => wrapped(sentence, width)),
    ...fitted.map(({shown}) => tableLines(shown, width)),
    noteLines([...leftOut(fitted), ...labelledLines(answer)], width),
  ];
  return blocks
    .map((lines) => lines.join("\n"))
    .filter((block) => block !== "")
    .join("\n\n");
}

/** Tells the columns that no table has room for. */
function leftOut(fitted: readonly {table: Table; shown: Table}[]): Note[] {
  const headers = fitted.flatMap(({table, shown}) =>
    table.columns.filter((column) => !shown.columns.includes(column)).map(({header}) => header),
  );
  const named = [...new Set(headers)].join(", ");
  return named === "" ? [] : [["Left out", `${named}; a wider terminal or --json has them`]];
}

/** Gives the lines of a table; the widest texts are broken over lines. */
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

/** Gives the lines of one row, each cell broken over as many as it needs. */
function rowLines(cells: readonly string[], columns: Table["columns"], widths: readonly number[]): string[] {
  const parts = cells.map((cell, i) => wrapped(cell, widths[i]!));
  const most = Math.max(...parts.map(({length}) => length));
  return Array.from({length: most}, (_, n) =>
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

/** Leaves columns out, those of the highest priority number first, until the table fits or all that are left must stay. */
function fitting(table: Table, width: number): Table {
  const most = Math.max(0, ...table.columns.map(({priority}) => priority ?? 0));
  if (totalOf(brokenWidths(table)) <= width || most === 0) return table;
  const kept = <Item>(items: readonly Item[]) => items.filter((_, i) => table.columns[i]!.priority !== most);
  return fitting({...table, columns: kept(table.columns), rows: table.rows.map(kept)}, width);
}

/** Gives the widths of columns whose texts are broken where they are long; numbers and dates are not. */
function brokenWidths(table: Table): number[] {
  const least = leastWidths(table);
  return naturalWidths(table).map((width, i) => Math.min(width, Math.max(least[i]!, BROKEN_WIDTH)));
}

function naturalWidths({columns, rows}: Table): number[] {
  return columns.map(({header}, i) => Math.max(...[header, ...rows.map((row) => row[i]!)].map(lengthOf)));
}

/** Takes width from the widest column of text until the table fits; numbers, dates and headers keep theirs. */
function fittedWidths(table: Table, width: number): number[] {
  const widths = naturalWidths(table);
  const least = leastWidths(table);
  for (;;) {
    const room = widths.map((each, i) => each - least[i]!);
    const widest = Math.max(...room);
    if (totalOf(widths) <= width || widest <= 0) return widths;
    widths[room.indexOf(widest)]! -= 1;
  }
}

/** Gives the widths below which a word, a number or a header would be cut. */
function leastWidths(table: Table): number[] {
  return naturalWidths(table).map((width, i) => {
    const {header, right} = table.columns[i]!;
    const words = [header, ...table.rows.map((row) => row[i]!)].flatMap((text) => text.split(/\s/));
    return right === true ? width : Math.min(width, Math.max(LEAST_WIDTH, ...words.map(lengthOf)));
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

/** Breaks a text between words into lines of at most `width` characters; a longer word stays whole. */
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

/** Gives the width of a table with columns of these widths. */
function totalOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, GAP * (widths.length - 1));
}

/** Gives the characters of a text, each as one column; one beyond 16 bits is one, too. */
function lengthOf(text: string): number {
  return [...text].length;
}
