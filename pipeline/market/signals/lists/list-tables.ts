/** A piece of text and its position: column indices from 0 in a grid, characters or points on a page. */
export type Piece = {readonly text: string; readonly from: number; readonly to: number};

/**
 * A table of a file before its header is known. On a page a cell belongs to the header above it, in any other table to the one in
 * its column. A line of text of another length than the header is damaged. The tables of a web page form one list; worksheets may
 * be lists of different years.
 */
export type ListTable = {
  readonly kind: "text" | "records" | "web" | "sheet" | "page";
  /** Name of a worksheet. */
  readonly name?: string;
  readonly lines: readonly (readonly Piece[])[];
};

/** The content of a list: its lines if it is text, and its tables. */
export type ListContent = {readonly lines: readonly string[]; readonly tables: readonly ListTable[]};

/** The lines of a table made of rows of cells. */
export function gridLines(rows: readonly (readonly string[])[]): Piece[][] {
  return rows.map((cells) => cells.map((text, place) => ({text: text.trim(), from: place, to: place})));
}
