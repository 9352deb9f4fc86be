/** A piece of text at its place: columns counted from 0 in a grid, characters or points in a page. */
export type Piece = {readonly text: string; readonly from: number; readonly to: number};

/**
 * A table as a file has it, before anybody knows where its header is. In a grid a cell belongs to the header that has its place; on a
 * page to the header that stands above it.
 */
export type ListTable = {
  /** Name of the sheet, or the kind of table, for messages. */
  readonly name: string;
  readonly kind: "grid" | "page";
  /** True where a row of another length than the header's is a damaged line, as in delimited text. */
  readonly isStrict: boolean;
  /** True where several tables are parts of one list, as on a web page; worksheets may be the lists of several years. */
  readonly isPart: boolean;
  readonly lines: readonly (readonly Piece[])[];
};

/** The content of a list: its lines where it is text, and the tables that it may be read as, grouped by the way of reading. */
export type ListContent = {
  readonly kind: "list";
  readonly lines: readonly string[];
  /** Ways of reading, the likeliest first; the tables of one way are parts of one list. */
  readonly ways: readonly (readonly ListTable[])[];
};

/** A table of rows of cells, as sheets, web tables and delimited text are. */
export function gridTable(name: string, rows: readonly (readonly string[])[], isStrict = false): ListTable {
  const lines = rows.map((cells) =>
    cells.map((text, place) => ({text: text.trim(), from: place, to: place})),
  );
  return {name, kind: "grid", isStrict, isPart: false, lines};
}

/** A table of lines on a page, whose pieces are told apart by two or more blanks, as `pdftotext -layout` writes them. */
export function layoutTable(lines: readonly string[]): ListTable {
  const pieces = lines.map((line) =>
    [...line.matchAll(/\S+(?: \S+)*/g)].map(({0: text, index}) => ({
      text,
      from: index,
      to: index + text.length,
    })),
  );
  return {name: "lines", kind: "page", isStrict: false, isPart: false, lines: pieces};
}
