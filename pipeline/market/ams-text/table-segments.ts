import {
  columnNames,
  columnsOf,
  type HeaderColumn,
  headingOf,
  sectionOf,
  type TableHeading,
} from "./headings.ts";
import type {PrintedLine} from "./pages.ts";
import {type Token, tokensOf} from "./tokens.ts";

/** A line below a table's heading: its words and where it stands. */
export type TableLine = PrintedLine & {readonly tokens: readonly Token[]};

/** The part of one table that stands on one page. */
export type TableSegment = {
  readonly heading: TableHeading;
  /** Columns of the table in order; their places hold only where the header line stands on this page. */
  readonly columns: readonly HeaderColumn[];
  readonly placed: boolean;
  readonly lines: readonly TableLine[];
};

/** The tables of a page, and the lines outside of any table. */
export type PageTables = {readonly segments: TableSegment[]; readonly strays: readonly PrintedLine[]};

type OpenTable = {heading: TableHeading; columns: HeaderColumn[]; placed: boolean; lines: TableLine[]};

/** Every table has these; a label that slipped from its header line stands elsewhere on the page. */
const standing = new Set<string>(["Head", "Wt Range", "Avg Wt", "Price Range", "Avg Price"]);

/** Tables of a report by page, in reading order; a table that a page break parts is a segment on each page. */
export function segmentsOf(pages: readonly (readonly PrintedLine[])[]): PageTables[] {
  const reader = new TableReader();
  return pages.map((lines) => reader.readPage(lines));
}

/** Reads the pages of a report in order: a section and a table go on over a page break. */
class TableReader {
  private commodity: string | null = null;
  private open: OpenTable | null = null;
  /** Tables of the page being read. */
  private segments: OpenTable[] = [];
  /** Columns that header lines of the page being read name. */
  private seen: HeaderColumn[] = [];
  private strays: PrintedLine[] = [];

  readPage(lines: readonly PrintedLine[]): PageTables {
    [this.segments, this.seen, this.strays] = [[], [], []];
    if (this.open !== null) this.start({...this.open, placed: false, lines: []});
    for (const line of lines) this.readLine(line);
    const segments = this.segments.map((segment) => ({
      ...segment,
      columns: completed(segment, this.seen),
      lines: segment.lines.filter(({tokens}) => tokens.length > 0),
    }));
    return {segments, strays: this.strays};
  }

  private readLine(line: PrintedLine): void {
    const section = sectionOf(line.text);
    const started = headingOf(line.text, this.commodity);
    if (section !== null) [this.commodity, this.open] = [section, null];
    else if (started !== null) {
      this.start({heading: started.heading, columns: [], placed: false, lines: [lineOf(line, started.rest)]});
    } else if (this.open !== null) {
      const unnamed = secondTable(this.open, line.text);
      addLine(unnamed === null ? this.open : this.start(unnamed), line, this.seen);
    } else if (this.commodity !== null) this.strays.push(line);
  }

  private start(table: OpenTable): OpenTable {
    this.open = table;
    this.segments.push(table);
    return table;
  }
}

/** A second header line below one heading opens a table whose own heading is missing. */
function secondTable(open: OpenTable, line: string): OpenTable | null {
  const labels = columnsOf(line)?.columns.length ?? 0;
  const hasRows = open.lines.some(({tokens}) => tokens.some(({kind}) => kind === "price"));
  if (labels <= 2 || !open.placed || !hasRows) return null;
  return {
    heading: {...open.heading, doubt: "the heading of the table is missing"},
    columns: [],
    placed: false,
    lines: [],
  };
}

function lineOf({number, text}: PrintedLine, rest: string): TableLine {
  return {number, text, tokens: tokensOf(rest)};
}

function addLine(open: OpenTable, line: PrintedLine, seen: HeaderColumn[]): void {
  const header = columnsOf(line.text);
  if (header === null) {
    open.lines.push(lineOf(line, line.text));
    return;
  }
  seen.push(...header.columns);
  // A lone "Avg Price" is the label of a column that slipped, not a new header.
  if (header.columns.length > 2) [open.columns, open.placed] = [header.columns, true];
  open.lines.push(lineOf(line, header.rest));
}

/**
 * The columns of a segment in the order of its header line; where a label slipped, in their usual order with the label at the place
 * where the page has it.
 */
function completed({columns, placed}: OpenTable, seen: readonly HeaderColumn[]): HeaderColumn[] {
  const labels = new Set<string>(columns.map(({name}) => name));
  if (!placed || [...standing].every((name) => labels.has(name))) return columns;
  return columnNames.flatMap((name) => {
    const own = columns.find((column) => column.name === name);
    const elsewhere = standing.has(name) ? seen.find((column) => column.name === name) : undefined;
    return own ?? elsewhere ?? [];
  });
}
