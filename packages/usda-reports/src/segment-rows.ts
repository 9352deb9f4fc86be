import {type ColumnName, columnNames, type HeaderColumn, hasDelivery, type TableHeading} from "./headings.ts";
import {cellsOf, isComplete, type LineCells} from "./line-cells.ts";
import type {PrintedLine} from "./pages.ts";
import type {PageTables, TableLine, TableSegment} from "./table-segments.ts";
import {looksLikeRow, rangeOf, type Token, tokensOf} from "./tokens.ts";

/** One row of a printed table; `rejection` says why the line is not priced. */
export type PrintedRow = {
  readonly heading: TableHeading | null;
  readonly cells: LineCells;
  /** Blank lines above the row, in a table with a sound layout. */
  readonly blanksAbove?: number;
  /** Index of its page. */
  readonly page?: number;
  readonly rejection: {readonly reason: "layout_uncertain" | "unread_line"; readonly detail: string} | null;
};

type SegmentLine = {cells: LineCells | null; line: TableLine};

type Segment = {
  heading: TableHeading;
  columns: readonly HeaderColumn[];
  lines: readonly SegmentLine[];
  clean: boolean;
};

/**
 * Reads the tables of one page. In a sound table each line is a row; a line that is none is rejected with its number. In a table
 * whose values slipped to neighbouring lines (a broken layout) columns are paired in order, but only if each has one value per
 * head count and every average lies within its range. The row of a slipped comment is unknown, so it is given to all rows of
 * its tables: none may pass for a plain lot. Of the remaining rows, only those with a single price as their range have an
 * average price. Lines outside tables that look like rows are rejected too.
 */
export function rowsOfPage({segments, strays}: PageTables): PrintedRow[] {
  const rows = groupsOf(segments.map(readSegment)).flatMap((group) =>
    group[0]!.clean ? cleanRows(group) : brokenRows(group),
  );
  return [...rows, ...strayRows(strays)];
}

/** Rejects and names lines outside any table that look like rows. */
export function strayRows(lines: readonly PrintedLine[]): PrintedRow[] {
  return lines.filter(({text}) => looksLikeRow(tokensOf(text))).map((line) => unreadRow(line, null));
}

function unreadRow({number, text}: PrintedLine, heading: TableHeading | null): PrintedRow {
  const detail = `line ${number}: ${text
    .trim()
    .replaceAll(/\s{2,}/g, "  ")
    .slice(0, 200)}`;
  return {heading, cells: {}, rejection: {reason: "unread_line", detail}};
}

function readSegment(segment: TableSegment): Segment {
  const {columns, placed} = placedColumns(segment);
  const lines = segment.lines
    .filter(({tokens}) => !isNote(tokens, columns))
    .map((line) => ({cells: addDelivery(cellsOf(line.tokens, columns, placed), line), line}));
  return {heading: segment.heading, columns, lines, clean: isClean(lines)};
}

function addDelivery(cells: LineCells | null, {delivery}: TableLine): LineCells | null {
  return cells === null || delivery === undefined ? cells : {...cells, Delivery: delivery};
}

/**
 * True if every line is a row, or a few are damaged: at least half are sound and the others have nearly all values of a row. In
 * a broken layout, values stand alone on lines or most lines lack one.
 */
function isClean(lines: readonly SegmentLine[]): boolean {
  const whole = lines.filter(({cells}) => cells !== null && isComplete(cells));
  if (whole.length === lines.length) return true;
  const sound = whole.filter(({cells}) => hasPlausibleRanges(cells!));
  const others = lines.filter((line) => !sound.includes(line));
  return (
    sound.length > 0 &&
    sound.length >= others.length &&
    others.every(({line}) => valuesIn(line) >= almostCompleteValues || isSentence(line.tokens))
  );
}

/** Below a heading without any header line, a lone price may be what is left of a row. */
function mayBeRow({tokens}: TableLine, columns: readonly HeaderColumn[]): boolean {
  return looksLikeRow(tokens) || (columns.length === 0 && tokens.some(({kind}) => kind.startsWith("price")));
}

/** Number of values on a row with one damaged word. */
const almostCompleteValues = 4;

function valuesIn({tokens}: TableLine): number {
  return tokens.filter(({kind, text}) => kind !== "text" || /\d/.test(text)).length;
}

/** True for a sentence, such as `Groups of 20 head or more:`: at least two lower-case words, which no cell has. */
function isSentence(line: readonly Token[]): boolean {
  const words = line.flatMap(({kind, text}) => (kind === "text" ? text.split(" ") : []));
  return new Set(words.filter((word) => /^[a-z]{2,}/.test(word))).size >= 2;
}

/**
 * True for a sentence between rows, and for text without values left of the last price; slipped lot comments are to its right.
 */
function isNote(line: readonly Token[], columns: readonly HeaderColumn[]): boolean {
  if (isSentence(line) && !looksLikeRow(line)) return true;
  const price = columns.find(({name}) => name === "Avg Price");
  return (
    line.every(({kind}) => kind === "text" || kind === "unknown") &&
    line.some(({center}) => price === undefined || center < price.center)
  );
}

/** A table continued from the previous page has no header here: its complete lines show the column positions. */
function placedColumns({columns, placed, lines}: TableSegment): {
  columns: readonly HeaderColumn[];
  placed: boolean;
} {
  if (placed) return {columns, placed};
  const values = columns.filter(({name}) => name !== "Dressing" && name !== "Delivery");
  const full = lines.find(({tokens}) => tokens.filter(({kind}) => kind !== "text").length === values.length);
  if (full === undefined) return {columns, placed};
  const centers = full.tokens.filter(({kind}) => kind !== "text").map(({center}) => center);
  return {
    columns: columns.map((column) => ({...column, center: centers[values.indexOf(column)] ?? column.center})),
    placed: true,
  };
}

/** Groups clean segments alone and adjacent broken ones of a section together: a slipped column may span several tables. */
function groupsOf(segments: readonly Segment[]): Segment[][] {
  const groups: Segment[][] = [];
  for (const segment of segments) {
    const last = groups.at(-1);
    const joins =
      !segment.clean && last?.[0]?.clean === false && last[0].heading.commodity === segment.heading.commodity;
    if (joins) last.push(segment);
    else groups.push([segment]);
  }
  return groups;
}

function cleanRows(group: readonly Segment[]): PrintedRow[] {
  return group.flatMap(({heading, lines}) =>
    lines.map(({cells, line}) =>
      cells !== null && isComplete(cells)
        ? {heading, cells, blanksAbove: line.blanksAbove ?? 0, rejection: null}
        : unreadRow(line, heading),
    ),
  );
}

function brokenRows(group: readonly Segment[]): PrintedRow[] {
  const alone = group.map((segment) => pairColumns([segment]));
  const together = alone.some((rows) => rows === null) ? pairColumns(group) : null;
  return together ?? group.flatMap((segment, index) => alone[index] ?? remainingRows(segment));
}

/** Comments without a dressing: no column order places them. */
function looseComments({lines}: Segment): string[] {
  return lines.flatMap(({cells}) =>
    cells?.comment !== undefined && cells.Dressing === undefined ? [cells.comment] : [],
  );
}

/** The comment for every row of tables in which comments slipped; undefined if none did. */
function unplacedComment(group: readonly Segment[]): string | undefined {
  const loose = [...new Set(group.flatMap(looseComments))].sort();
  return loose.length === 0 ? undefined : `not placed: ${loose.join(" or ")}`;
}

function pairColumns(group: readonly Segment[]): PrintedRow[] | null {
  // In a broken layout the line of a delivery is unknown.
  if (group.some(({columns}) => hasDelivery(columns))) return null;
  const headings = group.flatMap(({heading, lines}) =>
    lines.flatMap(({cells}) => (cells?.Head === undefined ? [] : [heading])),
  );
  if (headings.length === 0 || group.some(({lines}) => lines.some(({cells}) => cells === null))) return null;
  const rows: LineCells[] = headings.map(() => ({}));
  for (const name of columnNames) {
    if (!pairColumn(group, name, rows)) return null;
  }
  if (!rows.every(hasPlausibleRanges)) return null;
  const comment = unplacedComment(group);
  return rows.map((cells, index) => ({
    heading: headings[index]!,
    cells: comment === undefined ? cells : {...cells, comment},
    rejection: null,
  }));
}

/** Assigns the values of a column to the rows whose table has it; false unless there is one for each. */
function pairColumn(group: readonly Segment[], name: ColumnName, rows: LineCells[]): boolean {
  const holders = group.flatMap(({columns, lines}) => {
    const has = columns.some((column) => column.name === name);
    return lines.filter(({cells}) => cells?.Head !== undefined).map(() => has);
  });
  const values = group.flatMap(({lines}) =>
    lines.flatMap(({cells}) => (cells?.[name] === undefined ? [] : [cells])),
  );
  const places = rows.filter((_, index) => holders[index]);
  if (values.length !== places.length) return false;
  places.forEach((row, index) => {
    row[name] = values[index]![name];
    if (name === "Dressing" && values[index]!.comment !== undefined) row.comment = values[index]!.comment;
  });
  return true;
}

function hasPlausibleRanges(cells: LineCells): boolean {
  return (
    isComplete(cells) &&
    contains(cells["Price Range"]!, cells["Avg Price"]!, 0.01) &&
    (cells["Wt Range"] === undefined ||
      cells["Avg Wt"] === undefined ||
      contains(cells["Wt Range"], cells["Avg Wt"], 1))
  );
}

function contains(range: string, value: string, tolerance: number): boolean {
  const [low, high] = rangeOf(range);
  const [average] = rangeOf(value);
  return low - tolerance <= average && average <= high + tolerance;
}

const slipped = "values slipped from their lines and cannot be paired with certainty";

/**
 * Each remaining head count is a row. It is certain only with weights and a single price on its own line, in a table without
 * dressing and without slipped comments. A line that fits no columns but looks like a row is rejected.
 */
function remainingRows(segment: Segment): PrintedRow[] {
  const {heading, columns, lines} = segment;
  const infer =
    !columns.some(({name}) => name === "Dressing" || name === "Delivery") &&
    looseComments(segment).length === 0;
  return lines.flatMap(({cells, line}): PrintedRow[] => {
    const isRow = valuesIn(line) >= almostCompleteValues || (cells === null && mayBeRow(line, columns));
    if (cells?.Head === undefined) return isRow ? [unreadRow(line, heading)] : [];
    const range = cells["Price Range"];
    const single = range !== undefined && !range.includes("-") && cells["Avg Wt"] !== undefined;
    if (infer && single) return [{heading, cells: {...cells, "Avg Price": range}, rejection: null}];
    return [{heading, cells, rejection: {reason: "layout_uncertain", detail: slipped}}];
  });
}
