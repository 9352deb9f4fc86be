import {UserError} from "../../../lib/errors.ts";
import {usStateCode} from "../../../lib/geography/states.ts";
import type {SignalTable} from "../../../schemas/signal-files.ts";
import {
  folded,
  isObject,
  type Json,
  membersOf,
  numberOf,
  objectsOf,
  textAt,
  textOf,
  unreadLine,
} from "../json-values.ts";
import {dateFrom} from "../words/published-date.ts";
import {
  type ReadOptions,
  readRows,
  reject,
  type SignalInput,
  type SignalReading,
  type SignalValues,
} from "./reading.ts";

/** A publisher's table: CSV, Parquet, or JSON with a list in it. */
export type TableShape = {
  /** Description for messages: `a list of prices`. */
  readonly of: string;
  /** Folded column names that identify it: one of each group. */
  readonly needs: readonly (readonly string[])[];
  /** The same for messages. */
  readonly expected: string;
  /**
   * Extracts the records of a body with a special shape (a table is the list of its rows); undefined to search for a list in it.
   */
  readonly records?: (body: unknown) => readonly Json[] | undefined;
};

type Rows = {
  /** Turns a row into a signal, or rejects it. */
  readonly columns: (row: Row, input: SignalInput) => SignalValues;
  /** False if rejected rows must not be kept in the quarantine. */
  readonly keepsRaw?: boolean;
  readonly identity?: ReadOptions<Row>["identity"];
  /** The row count that the answer's source states. */
  readonly counted?: (body: Json) => unknown;
};

/** A reader of tables with one signal per row. It throws as `rowsOf` does. */
export function tableReader(
  table: SignalTable,
  {columns, keepsRaw = true, identity, counted, ...shape}: TableShape & Rows,
): (input: SignalInput) => SignalReading {
  const rawOf = ({record}: Row) => (keepsRaw ? record : null);
  return (input) => {
    const rows = rowsOf(input, shape);
    const read = readRows(table, rows, (row) => columns(readableRow(row), input), {
      rawOf,
      ...(identity === undefined ? {} : {identity}),
    });
    const {body} = input.content.kind === "json" ? input.content : {body: null};
    return counted === undefined || !isObject(body) ? read : withCount(read, rows.length, counted(body));
  };
}

/** Notes rows that the source counts but the answer lacks, because it is one page of them or an extract. */
export function withCount(read: SignalReading, came: number, counted: unknown): SignalReading {
  const absent = (numberOf(counted) ?? came) - came;
  return absent > 0 ? {...read, notes: {...read.notes, counted_rows_absent: absent}} : read;
}

/** Returns the row, or rejects it if it marks an unreadable line. */
export function readableRow(row: Row): Row {
  const unread = row.record[unreadLine];
  return typeof unread === "string" ? reject("unread_line", unread) : row;
}

/**
 * The rows of a table. Throws a UserError for another format, for an error message in place of a table, and for a table without
 * the required names; one damaged row does not hide the others.
 */
export function rowsOf({file, content: {kind, body}}: SignalInput, shape: TableShape): Row[] {
  const {of, needs, expected, records} = shape;
  const fits = (row: Row) => needs.every((names) => row.has(...names));
  const fault = (error: string | null, came: string) =>
    new UserError(`${file.path}: ${error === null ? came : `an error came: ${error}`}`);
  const found = records?.(body) ?? listIn(body, (record) => fits(new Row(record)));
  if (found === null) throw fault(errorIn(body), `${membersOf(body)} came; expected ${of} with ${expected}.`);
  const rows = found.map((record) => new Row(record));
  const telling = rows.find(fits) ?? rows[0];
  if (telling === undefined || fits(telling)) return rows;
  const names = Object.keys(telling.record).slice(0, 14).join(", ");
  const word = kind === "table" ? "columns" : "members";
  throw fault(textOf(telling.record["error"]), `${word} ${names}; expected ${expected}.`);
}

/** A list at most two members deep in a body: the longest with a record that fits, else an empty one. */
function listIn(body: unknown, fits: (record: Json) => boolean): Json[] | null {
  const lists = arraysIn(body, 2)
    .filter((list) => list.length === 0 || objectsOf(list).length > 0)
    .map(objectsOf)
    .sort((a, b) => b.length - a.length);
  return lists.find((list) => list.some(fits)) ?? lists.find((list) => list.length === 0) ?? lists[0] ?? null;
}

/** All lists in a value: itself, or down to so many members deep. */
export function arraysIn(value: unknown, depth: number): unknown[][] {
  if (Array.isArray(value)) return [value];
  if (!isObject(value) || depth === 0) return [];
  return Object.values(value).flatMap((member) => arraysIn(member, depth - 1));
}

/** The error message that a publisher sent in place of data; null if the body is no error. */
export function errorIn(body: unknown): string | null {
  if (!isObject(body)) return null;
  const members = folded(body);
  const {error, errors = error, results, status} = members;
  if (Array.isArray(errors)) return errors.map(String).join("; ");
  if (isObject(errors)) return textAt(folded(errors), "errormessage", "message");
  const message = textOf(errors) ?? textAt(members, "message", "errormessage");
  if (message !== null) return message;
  if (status !== undefined) return textAt(members, "detail", "title");
  return isObject(results) && "Error" in results ? errorIn({error: results["Error"]}) : null;
}

/**
 * One row of a table, its cells by folded name (`CWP_NAME` and `CWPName` become `cwpname`). Of several names the first with a
 * value wins; an empty cell is null.
 */
export class Row {
  /** The row as published. */
  readonly record: Json;
  readonly cells: Json;

  constructor(record: Json) {
    this.record = record;
    this.cells = folded(record);
  }

  has(...names: string[]): boolean {
    return names.some((name) => name in this.cells);
  }

  text(...names: string[]): string | null {
    return textAt(this.cells, ...names);
  }

  lower(...names: string[]): string | null {
    return this.text(...names)?.toLowerCase() ?? null;
  }

  /** The first number among the named cells; text that is no number is ignored. */
  number(...names: string[]): number | null {
    return names.map((name) => numberOf(this.cells[name])).find((value) => value !== null) ?? null;
  }

  /** The state code from a code, FIPS digits or a name. */
  state(...names: string[]): string | null {
    return usStateCode(this.text(...names));
  }

  date(...names: string[]): string | null {
    return dateFrom(this.text(...names));
  }

  /** A required date; rejects the row without it. */
  day(name: string, ...others: string[]): string {
    return (
      this.date(name, ...others) ??
      reject("bad_date", `${name} ${this.text(name, ...others) ?? "missing"}, a date was expected`)
    );
  }
}
