import Table from "cli-table3";
import type {Readable, ReadableTable} from "../readable/readable.ts";

/** Narrowest column of running text; a narrower terminal breaks the lines itself. */
const LEAST_WIDTH = 8;
const GAP = 2;

/** Gives an answer as text that fits into `width` columns: tables, and labelled lines below them. */
export function terminalText({above, tables, below}: Readable, width: number): string {
  const blocks = [
    above.map((sentence) => wrapped(sentence, width).join("\n")).join("\n"),
    ...tables.map((table) => tableText(table, width)),
    belowText(below, width),
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

/** Gives a table fitted to a width: optional columns go first, then the widest texts are broken over lines. */
function tableText(table: ReadableTable, width: number): string {
  const {columns, rows, title} = fitting(table, width);
  const widths = fittedWidths(columns, rows, width);
  const drawn = new Table({
    head: columns.map(({name}) => name),
    colAligns: columns.map(({right}) => (right === true ? "right" : "left")),
    // The width of a cell counts its padding.
    colWidths: widths.map((most) => most + GAP),
    style: {head: [], border: [], compact: true, "padding-left": 0, "padding-right": GAP},
    chars: noLines,
  });
  drawn.push(...rows.map((row) => row.map((cell, i) => wrapped(cell, widths[i]!).join("\n"))));
  const lines = drawn
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
  const ruled = columns.some(({name}) => name !== "")
    ? [lines[0]!, "─".repeat(sum(widths) + GAP * (widths.length - 1)), ...lines.slice(1)]
    : lines;
  return [...(title === undefined ? [] : [title]), ...ruled].join("\n");
}

const noLines = Object.fromEntries(
  [
    "top",
    "top-mid",
    "top-left",
    "top-right",
    "bottom",
    "bottom-mid",
    "bottom-left",
    "bottom-right",
    "left",
    "left-mid",
    "mid",
    "mid-mid",
    "right",
    "right-mid",
    "middle",
  ].map((name) => [name, ""]),
);

/** Leaves optional columns out, those of the highest number first, until the table fits or none is left. */
function fitting(table: ReadableTable, width: number): ReadableTable {
  const natural = sum(naturalWidths(table.columns, table.rows)) + GAP * (table.columns.length - 1);
  const most = Math.max(0, ...table.columns.map(({optional}) => optional ?? 0));
  if (natural <= width || most === 0) return table;
  const kept = table.columns.map(({optional}) => optional !== most);
  return fitting(
    {
      ...table,
      columns: table.columns.filter((_, i) => kept[i]),
      rows: table.rows.map((row) => row.filter((_, i) => kept[i])),
    },
    width,
  );
}

function naturalWidths(columns: ReadableTable["columns"], rows: ReadableTable["rows"]): number[] {
  return columns.map(({name}, i) => Math.max(name.length, ...rows.map((row) => [...row[i]!].length)));
}

/** Takes width from the widest column of text until the table fits; numbers and dates keep theirs. */
function fittedWidths(
  columns: ReadableTable["columns"],
  rows: ReadableTable["rows"],
  width: number,
): number[] {
  const widths = naturalWidths(columns, rows);
  const longestWords = columns.map((_, i) =>
    Math.max(LEAST_WIDTH, ...rows.flatMap((row) => row[i]!.split(/\s/).map((word) => [...word].length))),
  );
  const least = columns.map(({right}, i) =>
    right === true ? widths[i]! : Math.min(widths[i]!, longestWords[i]!),
  );
  for (;;) {
    const over = sum(widths) + GAP * (widths.length - 1) - width;
    const room = widths.map((each, i) => each - least[i]!);
    const widest = Math.max(...room);
    if (over <= 0 || widest <= 0) return widths;
    widths[room.indexOf(widest)]! -= 1;
  }
}

function belowText(below: Readable["below"], width: number): string {
  const indent = Math.max(0, ...below.map(([label]) => label.length)) + GAP;
  return below
    .flatMap(([label, text]) =>
      wrapped(text, Math.max(20, width - indent)).map(
        (line, i) => `${(i === 0 ? label : "").padEnd(indent)}${line}`,
      ),
    )
    .join("\n");
}

/** Breaks a text between words into lines of at most `width` characters; a longer word stays whole. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
