/** A piece of text and its position: column indices from 0 in a grid, characters or points on a page. */
export type Piece = {readonly text: string; readonly from: number; readonly to: number};

/**
 * A table of a file before its header is known. In a grid a cell belongs to the header in its column, on a page to the header
 * above it.
 */
export type ListTable = {
  /** Sheet name or kind of table, for messages. */
  readonly name: string;
  readonly kind: "grid" | "page";
  /** True if a row of another length than the header is damaged, as in delimited text. */
  readonly isStrict: boolean;
  /** True if several tables form one list, as on a web page; worksheets may be lists of different years. */
  readonly isPart: boolean;
  readonly lines: readonly (readonly Piece[])[];
};

/** The content of a list: its lines if it is text, and its tables. */
export type ListContent = {readonly lines: readonly string[]; readonly tables: readonly ListTable[]};

/** A table made of rows of cells: sheets, web tables, delimited text. */
export function gridTable(name: string, rows: readonly (readonly string[])[], isStrict = false): ListTable {
  const lines = rows.map((cells) =>
    cells.map((text, place) => ({text: text.trim(), from: place, to: place})),
  );
  return {name, kind: "grid", isStrict, isPart: false, lines};
}
