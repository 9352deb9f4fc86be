import {isDeliveryLabel} from "./delivery.ts";
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
import {wholeComment} from "./wrapped-comments.ts";

/** A line below a table heading, with its words. */
export type TableLine = PrintedLine & {
  readonly tokens: readonly Token[];
  /** Delivery from this line or one above; "" if none states it, undefined in a table without that column. */
  readonly delivery?: string | undefined;
  /** Number of blank lines above; they separate tables, not rows. */
  readonly blanksAbove?: number;
};

/** The part of a table on one page. */
export type TableSegment = {
  readonly heading: TableHeading;
  /** Columns of the table in order; their positions are valid only if this page has the header (`placed`). */
  readonly columns: readonly HeaderColumn[];
  readonly placed: boolean;
  readonly lines: readonly TableLine[];
};

/** The tables of a page, and the lines outside any table. */
export type PageTables = {readonly segments: TableSegment[]; readonly strays: readonly PrintedLine[]};

type OpenTable = {
  heading: TableHeading;
  columns: HeaderColumn[];
  placed: boolean;
  lines: TableLine[];
  /** True for a table that began on an earlier page with a header or rows. */
  continued?: boolean;
  /** Delivery that lines without one repeat; "" before the first. */
  delivery: string;
};

/** Columns of every table; a missing label slipped from the header line to elsewhere on the page. */
const requiredColumns = new Set<string>(["Head", "Wt Range", "Avg Wt", "Price Range", "Avg Price"]);

/** Tables of a report by page, in reading order; a table split by a page break is one segment per page. */
export function segmentsOf(pages: readonly (readonly PrintedLine[])[]): PageTables[] {
  const reader = new TableReader();
  return pages.map((lines) => reader.readPage(joinWrappedHeadings(lines)));
}

/** Joins a heading wrapped over two lines into the first and blanks the second. */
function joinWrappedHeadings(lines: readonly PrintedLine[]): readonly PrintedLine[] {
  const whole = lines.map(({text}, at) => wrappedHeading(text, lines[at + 1]?.text ?? ""));
  return lines.map((line, at) => ({...line, text: whole[at] ?? (whole[at - 1] == null ? line.text : "")}));
}

/**
 * Reads the pages of a report in order. Section, region and table continue over a page break, even if the next page repeats
 * their headings at its top.
 */
class TableReader {
  private commodity: string | null = null;
  private region: string | null = null;
  private open: OpenTable | null = null;
  /** The last table of the previous page, until a line other than a repeated heading comes. */
  private before: OpenTable | null = null;
  /** Tables of the current page. */
  private segments: OpenTable[] = [];
  /** Columns named in header lines of the current page. */
  private seen: HeaderColumn[] = [];
  private strays: PrintedLine[] = [];
  /** Blank lines since the last line; at a page break, only those that a continued table would not have. */
  private blanks = 0;

  readPage(lines: readonly PrintedLine[]): PageTables {
    [this.segments, this.seen, this.strays] = [[], [], []];
    this.blanks = this.blanks > maxBlanksAtFoot ? this.blanks : -maxBlanksAtHead;
    this.before = this.open !== null && hasDelivery(this.open.columns) ? this.open : null;
    if (this.open !== null) {
      const continued = this.open.columns.length > 0 || hasRows(this.open);
      this.start({...this.open, placed: false, lines: [], continued});
    }
    for (const line of lines) this.readLine(line);
    const segments = this.segments.map((segment) => ({
      ...segment,
      columns: orderedColumns(segment, this.seen),
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
      const continued = this.before !== null && sameHeading(this.before.heading, started.heading);
      const delivery = continued ? this.before!.delivery : "";
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

/**
 * True for a line that begins with values only, as rows do: the market comment above the first section names prices and weights
 * too.
 */
function isRowAlone(text: string): boolean {
  const tokens = tokensOf(text);
  const values = tokens.slice(0, tokens.findLastIndex(({kind}) => kind !== "text") + 1);
  return looksLikeRow(values) && values.length >= 4 && values.every(({kind}) => kind !== "text");
}

/** Maximum blank lines at the foot of a page and at the head of the next within a continued table. */
const [maxBlanksAtFoot, maxBlanksAtHead] = [3, 1];

/** A line that names the kind of trade of the tables below; it concerns no row. */
const tradesLine = /^\s*[A-Z]+ TRADES\s*$/;

/** Words that occur only in headings, even if a letter or bracket is damaged. */
const headingWords =
  /\(Per\b|\bPer (?:Cwt|Unit|Head|Family)\b.*\)|\b(?:Cwt|Unit) ?\/|\b(?:Actual|Estimate) Wt\)/;

/**
 * Opens a table whose own heading is missing: at a second header line below one heading, at the first one if rows precede it,
 * and at a line with a unit that is not a heading.
 */
function secondTable(open: OpenTable, line: string): OpenTable | null {
  if (headingWords.test(line)) return tableWithoutHeading(open, "the heading of the table cannot be read");
  const labels = columnsOf(line)?.columns ?? [];
  if (labels.length <= 2 || !(open.placed || open.continued || hasRows(open))) return null;
  return tableWithoutHeading(open, "the heading of the table is missing");
}

function hasRows({lines}: OpenTable): boolean {
  return lines.some(({tokens}) => looksLikeRow(tokens));
}

function tableWithoutHeading({heading}: OpenTable, doubt: string): OpenTable {
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
    const above = open.lines.at(-1);
    const whole = above === undefined ? null : wholeComment(above.tokens, read.tokens);
    if (whole !== null) open.lines[open.lines.length - 1] = {...above!, tokens: whole};
    else open.lines.push(hasDelivery(open.columns) ? withDelivery(open, read) : read);
    return;
  }
  seen.push(...header.columns);
  // A lone "Avg Price" is a label that slipped, not a new header.
  if (header.columns.length > 2) [open.columns, open.placed] = [header.columns, true];
  open.lines.push(lineOf(line, header.rest));
}

/**
 * Removes the delivery from a line; without one, the line above's applies. Words alone on a line, left of the head or a delivery by
 * their words, may be a delivery that slipped, so the delivery of the lines below becomes unknown; others are a comment.
 */
function withDelivery(open: OpenTable, line: TableLine): TableLine {
  const first = line.tokens.findIndex(({kind}) => kind !== "text");
  if (first < 0) {
    const text = line.text.trim();
    const head =
      open.lines.findLast(({tokens}) => looksLikeRow(tokens))?.tokens[0] ??
      open.columns.find(({name}) => name === "Head");
    const isLeft = head === undefined || line.tokens[0]!.center < head.center;
    const mayBe = isLeft && text.split(/\s+/).length <= 3 && !tradesLine.test(text);
    if (mayBe || isDeliveryLabel(text)) open.delivery = "";
    return line;
  }
  const label = line.tokens.slice(0, first).map(({text}) => text);
  if (label.length > 0) open.delivery = label.join(" ");
  return {...line, tokens: line.tokens.slice(first), delivery: open.delivery};
}

/** The columns of a segment in header order; if a label slipped, in standard order, with the label where the page has it. */
function orderedColumns({columns, placed}: OpenTable, seen: readonly HeaderColumn[]): HeaderColumn[] {
  const labels = new Set<string>(columns.map(({name}) => name));
  if (!placed || [...requiredColumns].every((name) => labels.has(name))) return columns;
  return columnNames.flatMap((name) => {
    const own = columns.find((column) => column.name === name);
    const elsewhere = requiredColumns.has(name) ? seen.find((column) => column.name === name) : undefined;
    return own ?? elsewhere ?? [];
  });
}
