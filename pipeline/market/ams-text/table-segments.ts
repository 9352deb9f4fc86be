import {
  columnNames,
  columnsOf,
  type HeaderColumn,
  headingOf,
  sectionOf,
  type TableHeading,
} from "./headings.ts";
import {type Token, tokensOf} from "./tokens.ts";

/** The part of one table that stands on one page. */
export type TableSegment = {
  readonly heading: TableHeading;
  /** Columns of the table in order; their places hold only where the header line stands on this page. */
  readonly columns: readonly HeaderColumn[];
  readonly placed: boolean;
  readonly lines: readonly (readonly Token[])[];
};

type Open = {heading: TableHeading; columns: HeaderColumn[]; placed: boolean; lines: Token[][]};

/** Every table has these; a label that slipped from its header line stands elsewhere on the page. */
const standing = new Set<string>(["Head", "Wt Range", "Avg Wt", "Price Range", "Avg Price"]);

/** Tables of a report by page, in reading order; a table that a page break parts is a segment on each page. */
export function segmentsOf(pages: readonly (readonly string[])[]): TableSegment[][] {
  let commodity: string | null = null;
  let open: Open | null = null;
  return pages.map((lines) => {
    const segments: Open[] = [];
    const seen: HeaderColumn[] = [];
    open = open === null ? null : {...open, placed: false, lines: []};
    if (open !== null) segments.push(open);
    for (const line of lines) {
      const section = sectionOf(line);
      const started = headingOf(line, commodity);
      if (section !== null) [commodity, open] = [section, null];
      else if (started !== null) {
        open = {heading: started.heading, columns: [], placed: false, lines: [tokensOf(started.rest)]};
        segments.push(open);
      } else if (open !== null) {
        const unnamed = secondTable(open, line);
        if (unnamed !== null) {
          open = unnamed;
          segments.push(open);
        }
        addLine(open, line, seen);
      }
    }
    return segments.map((segment) => ({
      ...segment,
      columns: completed(segment, seen),
      lines: segment.lines.filter((tokens) => tokens.length > 0),
    }));
  });
}

/** A second header line below one heading opens a table whose own heading is missing. */
function secondTable(open: Open, line: string): Open | null {
  const labels = columnsOf(line)?.columns.length ?? 0;
  const hasRows = open.lines.some((tokens) => tokens.some(({kind}) => kind === "price"));
  if (labels <= 2 || !open.placed || !hasRows) return null;
  return {
    heading: {...open.heading, doubt: "the heading of the table is missing"},
    columns: [],
    placed: false,
    lines: [],
  };
}

function addLine(open: Open, line: string, seen: HeaderColumn[]): void {
  const header = columnsOf(line);
  if (header === null) {
    open.lines.push(tokensOf(line));
    return;
  }
  seen.push(...header.columns);
  // A lone "Avg Price" is the label of a column that slipped, not a new header.
  if (header.columns.length > 2) [open.columns, open.placed] = [header.columns, true];
  open.lines.push(tokensOf(header.rest));
}

/** The columns of a segment with those whose label slipped, at the place where the page has that label. */
function completed({columns, placed}: Open, seen: readonly HeaderColumn[]): HeaderColumn[] {
  if (!placed) return columns;
  return columnNames.flatMap((name) => {
    const own = columns.find((column) => column.name === name);
    const elsewhere = standing.has(name) ? seen.find((column) => column.name === name) : undefined;
    return own ?? elsewhere ?? [];
  });
}
