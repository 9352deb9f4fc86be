import {foldName} from "@open-cattle/usda-reports/values";
import type {ListField, ListSource} from "../../../../schemas/list-source.ts";
import type {ListTable, Piece} from "./list-tables.ts";

/** A column that a map names: its field, and its header with position. */
type Column = {readonly field: ListField; readonly header: Piece};

/** A row read by a map: its fields, its text for messages, and the reason if it is damaged. */
export type ListRow = {
  readonly fields: Readonly<Partial<Record<ListField, string>>>;
  readonly raw: readonly string[];
  readonly fault: {readonly reason: string; readonly detail: string} | null;
};

/** A table that fits a map, the fields it has columns for, and its rows. */
type HeadedTable = {
  readonly table: ListTable;
  readonly found: ReadonlySet<ListField>;
  readonly rows: readonly ListRow[];
};

/** The header must lie within this many lines; titles, dates and addresses may precede it. */
const maxHeaderLine = 60;

/** Finds the header of a table by a map's columns and returns the rows below it; null if no line is the header. */
export function headedRows(table: ListTable, list: ListSource): HeadedTable | null {
  for (const [index, line] of table.lines.slice(0, maxHeaderLine).entries()) {
    const next = table.lines[index + 1] ?? [];
    for (const {header, taken} of headersAt(line, next, table.kind)) {
      const columns = columnsOf(list, header);
      if (columns === null) continue;
      const rows = table.lines
        .slice(index + taken)
        .filter((cells) => cells.some(({text}) => text !== ""))
        .map((cells) => rowOf(cells, {header, columns, table}));
      return {table, found: new Set(columns.map(({field}) => field)), rows};
    }
  }
  return null;
}

/** The line that has most of a map's column names, for the message about missing ones. */
export function nearestHeader(tables: readonly ListTable[], list: ListSource): string[] {
  const wanted = new Set(Object.values(list.columns).flatMap((names) => names.map(foldName)));
  const lines = tables.flatMap((table) => table.lines.slice(0, maxHeaderLine));
  const hits = (line: readonly Piece[]) => line.filter(({text}) => wanted.has(foldName(text))).length;
  const best = lines.reduce<readonly Piece[]>(
    (found, line) => (found.length === 0 || hits(line) > hits(found) ? line : found),
    [],
  );
  return best.flatMap(({text}) => (text === "" ? [] : [text]));
}

type Candidate = {readonly header: readonly Piece[]; readonly taken: number};

/**
 * Possible headers: one line; two lines, the upper above the lower; and two lines where an upper name spans the cells to its
 * right.
 */
function headersAt(upper: readonly Piece[], lower: readonly Piece[], kind: ListTable["kind"]): Candidate[] {
  const one = {header: upper, taken: 1};
  if (kind === "page") return [one, {header: stackLines(upper, lower), taken: 2}];
  const both = (spans: readonly Piece[]) => ({
    header: lower.map((cell, place) => ({...cell, text: `${spans[place]?.text ?? ""} ${cell.text}`.trim()})),
    taken: 2,
  });
  return [one, both(upper), both(spanning(upper))];
}

/** Fills empty cells with the text to their left, as merged cells mean it. */
function spanning(cells: readonly Piece[]): Piece[] {
  let text = "";
  return cells.map((cell) => {
    text = cell.text === "" ? text : cell.text;
    return {...cell, text};
  });
}

/** Joins two lines of a page: a lower piece continues the upper one above it. */
function stackLines(upper: readonly Piece[], lower: readonly Piece[]): Piece[] {
  const pieces = [...upper];
  for (const piece of lower) {
    const above = pieces.findIndex((each) => overlap(each, piece) > 0);
    const found = pieces[above];
    if (found === undefined) pieces.push(piece);
    else
      pieces[above] = {
        text: `${found.text} ${piece.text}`,
        from: Math.min(found.from, piece.from),
        to: Math.max(found.to, piece.to),
      };
  }
  return pieces.sort((a, b) => a.from - b.from);
}

/** The columns of a map found in a header; null if a required one is missing. */
function columnsOf(list: ListSource, header: readonly Piece[]): Column[] | null {
  const columns: Column[] = [];
  for (const [field, names] of Object.entries(list.columns) as [ListField, string[]][]) {
    const found = names
      .map((name) => header.find(({text}) => foldName(text) === foldName(name)))
      .find((piece) => piece !== undefined);
    if (found !== undefined) columns.push({field, header: found});
    else if (!list.optional.includes(field)) return null;
  }
  return columns.length === 0 ? null : columns;
}

type Placing = {header: readonly Piece[]; columns: readonly Column[]; table: ListTable};

function rowOf(cells: readonly Piece[], {header, columns, table}: Placing): ListRow {
  const raw = cells.map(({text}) => text);
  const fault = faultOf(cells, {header, columns, table});
  if (fault !== null) return {fields: {}, raw, fault};
  const fields: Partial<Record<ListField, string>> = {};
  for (const cell of cells) {
    const above = table.kind === "page" ? nearest(header, cell) : header.find(({from}) => from === cell.from);
    for (const {field} of columns.filter((column) => column.header === above))
      if (cell.text !== "")
        fields[field] = fields[field] === undefined ? cell.text : `${fields[field]} ${cell.text}`;
  }
  return {fields, raw, fault: null};
}

function faultOf(cells: readonly Piece[], {header, columns, table}: Placing): ListRow["fault"] {
  const isHeader = columns.every(({header: {text, from}}) =>
    cells.some(
      (cell) => (table.kind === "page" || cell.from === from) && foldName(cell.text) === foldName(text),
    ),
  );
  if (isHeader) return {reason: "header_again", detail: "the header, a second time"};
  const filled = cells.findLastIndex(({text}) => text !== "") + 1;
  if (table.kind !== "text" || (cells.length >= header.length && filled <= header.length)) return null;
  return {reason: "unread_line", detail: `${cells.length} cells in a line; the header has ${header.length}`};
}

/** The header above a piece: the one that overlaps it most, else the one with the nearest left or right edge. */
function nearest(header: readonly Piece[], cell: Piece): Piece | undefined {
  const edgeDistance = (piece: Piece) =>
    Math.min(Math.abs(piece.from - cell.from), Math.abs(piece.to - cell.to));
  const better = (a: Piece, b: Piece) => {
    const [shareA, shareB] = [overlap(a, cell), overlap(b, cell)];
    if (shareA !== shareB) return shareA > shareB ? a : b;
    return edgeDistance(a) <= edgeDistance(b) ? a : b;
  };
  return header.length === 0 ? undefined : header.reduce(better);
}

/** Width of the overlap of two pieces; 0 if they do not overlap. */
function overlap(a: Piece, b: Piece): number {
  return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
}
