import {type ColumnName, columnNames, type HeaderColumn, hasDelivery, type TableHeading} from "./headings.ts";
import {cellsOf, isComplete, type LineCells} from "./line-cells.ts";
import type {PrintedLine} from "./pages.ts";
import type {PageTables, TableLine, TableSegment} from "./table-segments.ts";
import {looksLikeRow, rangeOf, type Token, tokensOf} from "./tokens.ts";

/** One row of a printed table. `refused` gives the reason for which the line is not priced. */
export type PrintedRow = {
  readonly heading: TableHeading | null;
  readonly cells: LineCells;
  /** Blank lines above the row of a sound table. */
  readonly blanksAbove?: number;
  /** Place of its page among the pages. */
  readonly page?: number;
  readonly refused: {readonly reason: "layout_uncertain" | "unread_line"; readonly detail: string} | null;
};

type SegmentLine = {cells: LineCells | null; line: TableLine};

type Segment = {
  heading: TableHeading;
  columns: readonly HeaderColumn[];
  lines: readonly SegmentLine[];
  clean: boolean;
};

/**
 * Gives the rows of the tables of one page. In a sound table each line is a row and is read as it stands; a line that cannot be a
 * row is refused with its number. In a table whose values slipped to neighbouring lines (broken layout), columns are paired in
 * order, and only if every column has one value for each head count and every average is in its range. The row of a comment that
 * slipped is not known: the comment then describes all rows of its tables, so that none of them is taken for a plain lot. The rows
 * that remain have an average price only when their price range is a single value. Lines outside of tables that look like rows
 * are refused, too.
 */
export function rowsOfPage({segments, strays}: PageTables): PrintedRow[] {
  const rows = groupsOf(segments.map(readSegment)).flatMap((group) =>
    group[0]!.clean ? cleanRows(group) : brokenRows(group),
  );
  return [...rows, ...strayRows(strays)];
}

/** Gives the lines that look like rows where no table is; each is refused and named. */
export function strayRows(lines: readonly PrintedLine[]): PrintedRow[] {
  return lines.filter(({text}) => looksLikeRow(tokensOf(text))).map((line) => unreadRow(line, null));
}

function unreadRow({number, text}: PrintedLine, heading: TableHeading | null): PrintedRow {
  const detail = `line ${number}: ${text
    .trim()
    .replaceAll(/\s{2,}/g, "  ")
    .slice(0, 200)}`;
  return {heading, cells: {}, refused: {reason: "unread_line", detail}};
}

function readSegment(segment: TableSegment): Segment {
  const {columns, placed} = placedColumns(segment);
  const lines = segment.lines
    .filter(({tokens}) => !isNote(tokens, columns))
    .map((line) => ({cells: withDelivery(cellsOf(line.tokens, columns, placed), line), line}));
  return {heading: segment.heading, columns, lines, clean: isClean(lines)};
}

function withDelivery(cells: LineCells | null, {delivery}: TableLine): LineCells | null {
  return cells === null || delivery === undefined ? cells : {...cells, Delivery: delivery};
}

/**
 * True where each line is a row, and where a few lines are damaged: at least half are sound then, and the others have nearly all values
 * of a row. In a broken layout values stand alone on lines, or most lines lack one.
 */
function isClean(lines: readonly SegmentLine[]): boolean {
  const whole = lines.filter(({cells}) => cells !== null && isComplete(cells));
  if (whole.length === lines.length) return true;
  const sound = whole.filter(({cells}) => inOrder(cells!));
  const others = lines.filter((line) => !sound.includes(line));
  return (
    sound.length > 0 &&
    sound.length >= others.length &&
    others.every(({line}) => valuesIn(line) >= nearlyWhole || isSentence(line.tokens))
  );
}

/** Below a heading whose column names no line has together, a price alone is what is left of a row. */
function mayBeRow({tokens}: TableLine, columns: readonly HeaderColumn[]): boolean {
  return looksLikeRow(tokens) || (columns.length === 0 && tokens.some(({kind}) => kind.startsWith("price")));
}

/** Values on a line that is a row but for one damaged word. */
const nearlyWhole = 4;

function valuesIn({tokens}: TableLine): number {
  return tokens.filter(({kind, text}) => kind !== "text" || /\d/.test(text)).length;
}

/** A sentence names numbers among words without capitals: `Groups of 20 head or more:`. No cell has two such words. */
function isSentence(line: readonly Token[]): boolean {
  const words = line.flatMap(({kind, text}) => (kind === "text" ? text.split(" ") : []));
  return new Set(words.filter((word) => /^[a-z]{2,}/.test(word))).size >= 2;
}

/**
 * A sentence between rows that is no row itself, or text without values left of the last price. A slipped lot comment is right of it.
 */
function isNote(line: readonly Token[], columns: readonly HeaderColumn[]): boolean {
  if (isSentence(line) && !looksLikeRow(line)) return true;
  const price = columns.find(({name}) => name === "Avg Price");
  return (
    line.every(({kind}) => kind === "text" || kind === "unknown") &&
    line.some(({center}) => price === undefined || center < price.center)
  );
}

/** A table that goes on from the page before has no header here: its complete lines show where the columns are. */
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

/** Clean segments alone, neighbouring broken ones of a section together: a slipped column may run over several tables. */
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
        ? {heading, cells, blanksAbove: line.blanksAbove ?? 0, refused: null}
        : unreadRow(line, heading),
    ),
  );
}

function brokenRows(group: readonly Segment[]): PrintedRow[] {
  const alone = group.map((segment) => pairColumns([segment]));
  const together = alone.some((rows) => rows === null) ? pairColumns(group) : null;
  return together ?? group.flatMap((segment, index) => alone[index] ?? leftRows(segment));
}

/** Comments without a dressing before them: they have no place in an order of columns. */
function looseComments({lines}: Segment): string[] {
  return lines.flatMap(({cells}) =>
    cells?.comment !== undefined && cells.Dressing === undefined ? [cells.comment] : [],
  );
}

/** The comment of every row of tables in which comments slipped; undefined where none did. */
function unplacedComment(group: readonly Segment[]): string | undefined {
  const loose = [...new Set(group.flatMap(looseComments))].sort();
  return loose.length === 0 ? undefined : `not placed: ${loose.join(" or ")}`;
}

function pairColumns(group: readonly Segment[]): PrintedRow[] | null {
  // Where values slipped, the line that a delivery belongs to is not known.
  if (group.some(({columns}) => hasDelivery(columns))) return null;
  const headings = group.flatMap(({heading, lines}) =>
    lines.flatMap(({cells}) => (cells?.Head === undefined ? [] : [heading])),
  );
  if (headings.length === 0 || group.some(({lines}) => lines.some(({cells}) => cells === null))) return null;
  const rows: LineCells[] = headings.map(() => ({}));
  for (const name of columnNames) {
    if (!pairColumn(group, name, rows)) return null;
  }
  if (!rows.every(inOrder)) return null;
  const comment = unplacedComment(group);
  return rows.map((cells, index) => ({
    heading: headings[index]!,
    cells: comment === undefined ? cells : {...cells, comment},
    refused: null,
  }));
}

/** Puts the values of a column into the rows that its tables have; false unless there is one for each. */
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

function inOrder(cells: LineCells): boolean {
  return (
    isComplete(cells) &&
    holds(cells["Price Range"]!, cells["Avg Price"]!, 0.01) &&
    (cells["Wt Range"] === undefined ||
      cells["Avg Wt"] === undefined ||
      holds(cells["Wt Range"], cells["Avg Wt"], 1))
  );
}

function holds(range: string, value: string, tolerance: number): boolean {
  const [low, high] = rangeOf(range);
  const [average] = rangeOf(value);
  return low - tolerance <= average && average <= high + tolerance;
}

const slipped = "values slipped from their lines and cannot be paired with certainty";

/**
 * Every head count that is left is a row; one with weights and a single price on its own line is certain in a table without
 * dressing and without comments that slipped. A line that fits no columns but looks like a row is refused.
 */
function leftRows(segment: Segment): PrintedRow[] {
  const {heading, columns, lines} = segment;
  const infer =
    !columns.some(({name}) => name === "Dressing" || name === "Delivery") &&
    looseComments(segment).length === 0;
  return lines.flatMap(({cells, line}): PrintedRow[] => {
    const isRow = valuesIn(line) >= nearlyWhole || (cells === null && mayBeRow(line, columns));
    if (cells?.Head === undefined) return isRow ? [unreadRow(line, heading)] : [];
    const range = cells["Price Range"];
    const single = range !== undefined && !range.includes("-") && cells["Avg Wt"] !== undefined;
    if (infer && single) return [{heading, cells: {...cells, "Avg Price": range}, refused: null}];
    return [{heading, cells, refused: {reason: "layout_uncertain", detail: slipped}}];
  });
}
