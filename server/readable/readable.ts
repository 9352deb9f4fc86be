/** One table: its columns in order of reading, and the cells of each row as text. */
export type ReadableTable = {
  readonly title?: string;
  readonly columns: readonly ReadableColumn[];
  readonly rows: readonly (readonly string[])[];
};

export type ReadableColumn = {
  readonly name: string;
  /** Numbers are flush right. */
  readonly right?: boolean;
  /** A narrow terminal leaves the columns of the highest numbers out first; those without one stay. */
  readonly optional?: number;
};

/** One answer in words: the sentences above its tables, the tables, and labelled lines below them. */
export type Readable = {
  readonly above: readonly string[];
  readonly tables: readonly ReadableTable[];
  readonly below: readonly (readonly [label: string, text: string])[];
};

/** A column with the text of its cell for a row. */
export type ColumnOf<Row> = ReadableColumn & {cell(row: Row): string};

/** Gives the table of rows; columns without a single text are left out. */
export function tableOf<Row>(
  columns: readonly ColumnOf<Row>[],
  rows: readonly Row[],
  title?: string,
): ReadableTable {
  const filled = columns
    .map((column) => ({column, cells: rows.map((row) => column.cell(row))}))
    .filter(({cells}) => cells.some((cell) => cell !== ""));
  return {
    ...(title === undefined ? {} : {title}),
    columns: filled.map(({column: {name, right, optional}}) => ({
      name,
      ...(right === undefined ? {} : {right}),
      ...(optional === undefined ? {} : {optional}),
    })),
    rows: rows.map((_, i) => filled.map(({cells}) => cells[i]!)),
  };
}

/** Gives a number with thousands separated, or nothing where it is unknown. */
export function numberText(value: number | null | undefined): string {
  return value?.toLocaleString("en-US") ?? "";
}

/** Gives the known parts of a text, joined. */
export function joined(parts: readonly (string | null | undefined)[], between = ", "): string {
  return parts.filter((part) => part != null && part !== "").join(between);
}

type Covered = {readonly state: string; readonly county?: string | null | undefined; readonly status: string};

/** Gives the coverage of states and counties in words, such as `Travis County, TX live`. */
export function coverageText(places: readonly Covered[]): string {
  return places.map(({state, county, status}) => `${joined([county, state])} ${status}`).join("; ");
}
