import type {z} from "zod";
import {countWords} from "../../lib/counts.ts";

/** One answer as a plain value, rendered by the terminal and by the agents' tools; independent of both. */
export type Description = {
  /** Opening sentences: the answer itself, why there is no record, or that a part is missing. */
  readonly headline: readonly string[];
  /** The claims of the records, without duplicates. */
  readonly claims: readonly string[];
  readonly tables: readonly Table[];
  /** The part of all hits that is shown; null if the answer is not a list. */
  readonly page: {readonly first: number; readonly returned: number; readonly total: number} | null;
  /** Labelled lines below the tables: match, estimates, sources, dates, coverage. */
  readonly notes: readonly Note[];
  readonly limitations: readonly string[];
  /** The records for programs, each with its known members, source and confidence. */
  readonly records: readonly Facts[];
  /** Other members of the answer for programs. */
  readonly facts: Facts;
};

const none: readonly never[] = [];
/** An empty description. */
export const nothing: Description = {
  ...{headline: none, claims: none, tables: none, notes: none, limitations: none, records: none},
  page: null,
  facts: {},
};

export type Note = readonly [label: string, text: string];
/** Members for programs; undefined ones are omitted on output. */
export type Facts = Readonly<Record<string, unknown>>;
/** Schemas of what programs receive: members of the answer, and known members of a record. */
export type Given = {readonly facts: z.ZodRawShape; readonly row: z.ZodRawShape};

/** A table: columns in reading order, and each row's cells as text. */
export type Table = {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
};

export type Column = {
  readonly header: string;
  readonly right?: boolean;
  /** Narrow terminals drop columns by descending priority number; columns without one always stay. */
  readonly priority?: number;
};

/** A column, with a function for its cell. */
export type ColumnOf<Row> = Column & {cell(row: Row): unknown};

/** Builds a table, or none if there are no rows. Columns without any text are dropped; numbers are right-aligned. */
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

/** Returns the labelled lines in reading order: the part shown, notes, limitations. */
export function labelledLines({page, notes, limitations}: Description): Note[] {
  const shown =
    page === null || page.returned === 0
      ? ""
      : `${page.first} to ${page.first + page.returned - 1} of ${valueText(page.total)}`;
  const lines: Note[] = [["Shown", shown], ...notes, ["Limitations", limitations.join(" ")]];
  return lines.filter(([, text]) => text !== "");
}

/** Formats a value: thousands separators for numbers, commas for lists, empty if unknown. */
export function valueText(value: unknown): string {
  if (typeof value === "number") return countWords(value);
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** Joins the known parts of a text. */
export function joined(parts: readonly unknown[], between = ", "): string {
  return parts
    .map(valueText)
    .filter((part) => part !== "")
    .join(between);
}
