import {
  columnNames,
  columnsOf,
  type HeaderColumn,
  hasDelivery,
  headingOf,
  regionOf,
  regionStatesOf,
  sectionOf,
  type TableHeading,
  wrappedHeading,
} from "./headings.ts";
import type {PrintedLine} from "./pages.ts";
import {looksLikeRow, type Token, tokensOf} from "./tokens.ts";

/** A line below a table's heading: its words and where it stands. */
export type TableLine = PrintedLine & {
  readonly tokens: readonly Token[];
  /** Delivery as the line or one above it says; "" where none does, undefined in a table without that column. */
  readonly delivery?: string | undefined;
  /** Blank lines above it: tables stand apart by them, and their rows do not. */
  readonly blanksAbove?: number;
};

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

type OpenTable = {
  heading: TableHeading;
  columns: HeaderColumn[];
  placed: boolean;
  lines: TableLine[];
  /** True for a table that began on an earlier page and had its column names, or rows, there. */
  goesOn?: boolean;
  /** The delivery that lines with a blank one repeat; "" before the first. */
  delivery: string;
};

/** Every table has these; a label that slipped from its header line stands elsewhere on the page. */
const standing = new Set<string>(["Head", "Wt Range", "Avg Wt", "Price Range", "Avg Price"]);

/** Tables of a report by page, in reading order; a table that a page break parts is a segment on each page. */
export function segmentsOf(pages: readonly (readonly PrintedLine[])[]): PageTables[] {
  const reader = new TableReader();
  return pages.map((lines) => reader.readPage(unwrapped(lines)));
}

/** The lines with a heading that is wrapped over two of them in the first, and nothing in the second. */
function unwrapped(lines: readonly PrintedLine[]): readonly PrintedLine[] {
  const whole = lines.map(({text}, at) => wrappedHeading(text, lines[at + 1]?.text ?? ""));
  return lines.map((line, at) => ({...line, text: whole[at] ?? (whole[at - 1] == null ? line.text : "")}));
}

/**
 * Reads the pages of a report in order: a section, a region and a table go on over a page break, also where the next page prints
 * their headings again at its top.
 */
class TableReader {
  private commodity: string | null = null;
  private region: string | null = null;
  private open: OpenTable | null = null;
  /** The table that the page before ended with, until a line of another kind than a repeated heading comes. */
  private before: OpenTable | null = null;
  /** Tables of the page being read. */
  private segments: OpenTable[] = [];
  /** Columns that header lines of the page being read name. */
  private seen: HeaderColumn[] = [];
  private strays: PrintedLine[] = [];
  /** Blank lines since the last line; at a page break those that a table which goes on does not have. */
  private blanks = 0;

  readPage(lines: readonly PrintedLine[]): PageTables {
    [this.segments, this.seen, this.strays] = [[], [], []];
    this.blanks = this.blanks > mostAtFoot ? this.blanks : -mostAtHead;
    this.before = this.open !== null && hasDelivery(this.open.columns) ? this.open : null;
    if (this.open !== null) {
      const goesOn = this.open.columns.length > 0 || hasRows(this.open);
      this.start({...this.open, placed: false, lines: [], goesOn});
    }
    for (const line of lines) this.readLine(line);
    const segments = this.segments.map((segment) => ({
      ...segment,
      columns: completed(segment, this.seen),
      lines: segment.lines.filter(({tokens}) => tokens.length > 0),
    }));
    return {segments, strays: this.strays};
  }

  private readLine(line: PrintedLine): void {
    if (line.text.trim() === "") {
      this.blanks += 1;
      return;
    }
    const blanksAbove = Math.max(0, this.blanks);
    this.blanks = 0;
    const section = sectionOf(line.text);
    const region = section === null && this.commodity !== null ? regionOf(line.text) : null;
    const states = regionStatesOf(line.text);
    const started = headingOf(line.text, this.commodity, this.region);
    if (section !== null) this.openSection(section);
    else if (region !== null) this.openRegion(region);
    else if (states !== null && this.region !== null) {
      if (!this.region.includes("(")) this.region = `${this.region} ${states}`;
    } else if (started !== null) {
      const goesOn = this.before !== null && sameHeading(this.before.heading, started.heading);
      const delivery = goesOn ? this.before!.delivery : "";
      this.before = null;
      this.start({
        heading: started.heading,
        columns: [],
        placed: false,
        lines: [lineOf(line, started.rest)],
        delivery,
      });
    } else if (this.open !== null) {
      const unnamed = secondTable(this.open, line.text);
      addLine(unnamed === null ? this.open : this.start(unnamed), line, {seen: this.seen, blanksAbove});
      if (line.text.match(/\d/)) this.before = null;
    } else if (this.commodity !== null || isRowAlone(line.text)) this.strays.push(line);
  }

  private openSection(section: string): void {
    if (this.before !== null && section === this.commodity) return;
    [this.commodity, this.region, this.open, this.before] = [section, null, null, null];
  }

  private openRegion(region: string): void {
    if (this.before !== null && region === this.region?.replace(/ \(.*$/, "")) return;
    [this.region, this.open, this.before] = [region, null, null];
  }

  private start(table: OpenTable): OpenTable {
    this.open = table;
    this.segments.push(table);
    return table;
  }
}

/** True for a line that begins with all its values, as only rows do: the market comment above the first section names prices and weights, too. */
function isRowAlone(text: string): boolean {
  const tokens = tokensOf(text);
  const values = tokens.slice(0, tokens.findLastIndex(({kind}) => kind !== "text") + 1);
  return looksLikeRow(values) && values.length >= 4 && values.every(({kind}) => kind !== "text");
}

/** Blank lines at the foot of a page and at the head of the next within a table that goes on. */
const [mostAtFoot, mostAtHead] = [3, 1];

/** Says what kind of trade the tables below are; it says nothing of a row. */
const tradesLine = /^\s*[A-Z]+ TRADES\s*$/;

/** Words that only headings have, also where one of their letters or brackets is damaged. */
const headingWords =
  /\(Per\b|\bPer (?:Cwt|Unit|Head|Family)\b.*\)|\b(?:Cwt|Unit) ?\/|\b(?:Actual|Estimate) Wt\)/;

/**
 * A second header line below one heading opens a table whose own heading is missing, and so does the first where rows stand above it;
 * so does a line with a unit that is no heading.
 */
function secondTable(open: OpenTable, line: string): OpenTable | null {
  if (headingWords.test(line)) return untitled(open, "the heading of the table cannot be read");
  const labels = columnsOf(line)?.columns ?? [];
  if (labels.length <= 2 || !(open.placed || open.goesOn || hasRows(open))) return null;
  return untitled(open, "the heading of the table is missing");
}

function hasRows({lines}: OpenTable): boolean {
  return lines.some(({tokens}) => looksLikeRow(tokens));
}

function untitled({heading}: OpenTable, doubt: string): OpenTable {
  return {heading: {...heading, doubt}, columns: [], placed: false, lines: [], delivery: ""};
}

function sameHeading(a: TableHeading, b: TableHeading): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function lineOf({number, text}: PrintedLine, rest: string): TableLine {
  return {number, text, tokens: tokensOf(rest)};
}

function addLine(
  open: OpenTable,
  line: PrintedLine,
  {seen, blanksAbove}: {seen: HeaderColumn[]; blanksAbove: number},
): void {
  const header = columnsOf(line.text);
  if (header === null) {
    const read = {...lineOf(line, line.text), blanksAbove};
    open.lines.push(hasDelivery(open.columns) ? withDelivery(open, read) : read);
    return;
  }
  seen.push(...header.columns);
  // A lone "Avg Price" is the label of a column that slipped, not a new header.
  if (header.columns.length > 2) [open.columns, open.placed] = [header.columns, true];
  open.lines.push(lineOf(line, header.rest));
}

/**
 * Takes the delivery off a line; a blank one is that of the line above. Words that stand alone on their line may be a delivery that
 * slipped: what a blank one below repeats is then not known.
 */
function withDelivery(open: OpenTable, line: TableLine): TableLine {
  const first = line.tokens.findIndex(({kind}) => kind !== "text");
  if (first < 0) {
    const words = line.text.trim().split(/\s+/);
    if (words.length <= 3 && !tradesLine.test(line.text)) open.delivery = "";
    return line;
  }
  const label = line.tokens.slice(0, first).map(({text}) => text);
  if (label.length > 0) open.delivery = label.join(" ");
  return {...line, tokens: line.tokens.slice(first), delivery: open.delivery};
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
