import type {ColumnName, HeaderColumn, TableHeading} from "./headings.ts";
import {cellsOf, isComplete, type LineCells} from "./line-cells.ts";
import type {TableSegment} from "./table-segments.ts";
import {rangeOf, type Token} from "./tokens.ts";

/** One row of a printed table; `uncertain` says why it must not be priced. */
export type PrintedRow = {
  readonly heading: TableHeading;
  readonly cells: LineCells;
  readonly uncertain: string | null;
};

type Segment = {
  heading: TableHeading;
  columns: readonly HeaderColumn[];
  lines: (LineCells | null)[];
  clean: boolean;
};

/**
 * Rows of the tables of one page. Where each line is a row, it is read as it stands. Where values slipped to
 * neighbouring lines (broken layout), columns are paired in order, and only if every column has one value for each head
 * count and every average is in its range; a comment that slipped could belong to any row, so its whole group is kept
 * back. The rows that remain have an average price only when their price range is a single value.
 */
export function rowsOfPage(segments: readonly TableSegment[]): PrintedRow[] {
  return groupsOf(segments.map(readSegment)).flatMap((group) =>
    group[0]!.clean ? cleanRows(group) : brokenRows(group),
  );
}

function readSegment(segment: TableSegment): Segment {
  const {columns, placed} = placedColumns(segment);
  const lines = segment.lines
    .filter((line) => !isNote(line, columns))
    .map((line) => cellsOf(line, columns, placed));
  return {
    heading: segment.heading,
    columns,
    lines,
    clean: lines.every((cells) => cells !== null && isComplete(cells)),
  };
}

/** A sentence between tables: text without values, left of the last price. A slipped lot comment is right of it. */
function isNote(line: readonly Token[], columns: readonly HeaderColumn[]): boolean {
  const price = columns.find(({name}) => name === "Avg Price");
  return (
    line.every(({kind}) => kind === "text") &&
    line.some(({center}) => price === undefined || center < price.center)
  );
}

/** A table that goes on from the page before has no header here: its complete lines show where the columns are. */
function placedColumns({columns, placed, lines}: TableSegment): {
  columns: readonly HeaderColumn[];
  placed: boolean;
} {
  if (placed) return {columns, placed};
  const values = columns.filter(({name}) => name !== "Dressing");
  const full = lines.find((line) => line.filter(({kind}) => kind !== "text").length === values.length);
  if (full === undefined) return {columns, placed};
  const centers = full.filter(({kind}) => kind !== "text").map(({center}) => center);
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
    lines.map((cells) => ({heading, cells: cells ?? {}, uncertain: null})),
  );
}

function brokenRows(group: readonly Segment[]): PrintedRow[] {
  const reason = group.some(hasLooseComment)
    ? "a lot comment slipped from its line: it may belong to any row of the table"
    : "values slipped from their lines and cannot be paired with certainty";
  if (group.some(hasLooseComment)) return group.flatMap((segment) => leftRows(segment, reason, false));
  const alone = group.map((segment) => pairColumns([segment]));
  const together = alone.some((rows) => rows === null) ? pairColumns(group) : null;
  return together ?? group.flatMap((segment, index) => alone[index] ?? leftRows(segment, reason, true));
}

/** A comment without a dressing before it has no place in an order of columns. */
function hasLooseComment({lines}: Segment): boolean {
  return lines.some((cells) => cells?.comment !== undefined && cells.Dressing === undefined);
}

const paired: readonly ColumnName[] = [
  "Age",
  "Stage",
  "Head",
  "Wt Range",
  "Avg Wt",
  "Price Range",
  "Avg Price",
  "Dressing",
];

function pairColumns(group: readonly Segment[]): PrintedRow[] | null {
  const headings = group.flatMap(({heading, lines}) =>
    lines.flatMap((cells) => (cells?.Head === undefined ? [] : [heading])),
  );
  if (headings.length === 0 || group.some(({lines}) => lines.includes(null))) return null;
  const rows: LineCells[] = headings.map(() => ({}));
  for (const name of paired) {
    if (!pairColumn(group, name, rows)) return null;
  }
  return rows.every(inOrder)
    ? rows.map((cells, index) => ({heading: headings[index]!, cells, uncertain: null}))
    : null;
}

/** Puts the values of a column into the rows that its tables have; false unless there is one for each. */
function pairColumn(group: readonly Segment[], name: ColumnName, rows: LineCells[]): boolean {
  const holders = group.flatMap(({columns, lines}) => {
    const has = columns.some((column) => column.name === name);
    return lines.filter((cells) => cells?.Head !== undefined).map(() => has);
  });
  const values = group.flatMap(({lines}) => lines.filter((cells) => cells?.[name] !== undefined));
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

/**
 * Every head count that is left is a row; one with weights and a single price on its own line is certain in a table without
 * dressing.
 */
function leftRows({heading, columns, lines}: Segment, reason: string, infer: boolean): PrintedRow[] {
  const dressed = columns.some(({name}) => name === "Dressing");
  return lines.flatMap((cells): PrintedRow[] => {
    if (cells?.Head === undefined) return [];
    const range = cells["Price Range"];
    const single = range !== undefined && !range.includes("-") && cells["Avg Wt"] !== undefined;
    if (infer && single && !dressed)
      return [{heading, cells: {...cells, "Avg Price": range}, uncertain: null}];
    return [{heading, cells, uncertain: reason}];
  });
}
