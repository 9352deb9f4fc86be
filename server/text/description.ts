import type {z} from "zod";

/** One answer as a plain value. The terminal and the tools of agents render it; nothing in it knows of either. */
export type Description = {
  /** Sentences that come first: why there is no record, or that a part is missing. */
  readonly headline: readonly string[];
  /** The claims of the records, each once. */
  readonly claims: readonly string[];
  readonly tables: readonly Table[];
  /** The part of all hits that is shown; null where the answer is no list. */
  readonly page: {readonly first: number; readonly returned: number; readonly total: number} | null;
  /** Labelled lines below the tables: match, estimates, sources, dates, coverage. */
  readonly notes: readonly Note[];
  readonly limitations: readonly string[];
  /** The records for programs, each with its known members, source and confidence. */
  readonly records: readonly Facts[];
  /** Further members of the answer for programs. */
  readonly facts: Facts;
};

const none: readonly never[] = [];
/** A description with nothing in it. */
export const nothing: Description = {
  ...{headline: none, claims: none, tables: none, notes: none, limitations: none, records: none},
  page: null,
  facts: {},
};

export type Note = readonly [label: string, text: string];
/** Members for programs; undefined ones are left out where they are sent. */
export type Facts = Readonly<Record<string, unknown>>;
/** The schemas of what programs get: members of an answer, and of a record, where they are known. */
export type Given = {readonly facts: z.ZodRawShape; readonly row: z.ZodRawShape};

/** A table: its columns in order of reading, and the cells of each row as text. */
export type Table = {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
};

export type Column = {
  readonly header: string;
  readonly right?: boolean;
  /** A narrow terminal leaves the columns of the highest priority number out first; those without one stay. */
  readonly priority?: number;
};

/** A column with the value of its cell for a row. */
export type ColumnOf<Row> = Column & {cell(row: Row): unknown};

/** Gives the table of rows, and none of no rows: columns without a single text are left out, numbers are flush right. */
export function tableOf<Row>(columns: readonly ColumnOf<Row>[], rows: readonly Row[], title = ""): Table[] {
  if (rows.length === 0) return [];
  const filled = columns
    .map(({cell, ...column}) => ({column, values: rows.map((row) => cell(row))}))
    .filter(({values}) => values.some((value) => valueText(value) !== ""));
  return [
    {
      title,
      columns: filled.map(({column, values}) => ({
        ...column,
        right: column.right ?? values.some((value) => typeof value === "number"),
      })),
      rows: rows.map((_, i) => filled.map(({values}) => valueText(values[i]))),
    },
  ];
}

/** Gives the labelled lines of a description in order of reading: the part that is shown, notes, limitations. */
export function labelledLines({page, notes, limitations}: Description): Note[] {
  const shown =
    page === null || page.returned === 0
      ? ""
      : `${page.first} to ${page.first + page.returned - 1} of ${valueText(page.total)}`;
  const lines: Note[] = [["Shown", shown], ...notes, ["Limitations", limitations.join(" ")]];
  return lines.filter(([, text]) => text !== "");
}

/** Gives a value of an answer as text: numbers with thousands separated, lists with commas, nothing where it is unknown. */
export function valueText(value: unknown): string {
  if (typeof value === "number") return value.toLocaleString("en-US");
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** Gives the known parts of a text, joined. */
export function joined(parts: readonly unknown[], between = ", "): string {
  return parts
    .map(valueText)
    .filter((part) => part !== "")
    .join(between);
}
