import {dateFrom, instantFrom} from "@open-cattle/usda-reports";
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
} from "@open-cattle/usda-reports/values";
import {countWithNoun} from "../../../lib/counts.ts";
import {UserError} from "../../../lib/errors.ts";
import {usStateCode} from "../../../lib/geography/states.ts";
import type {SignalTable} from "../../../schemas/signal-files.ts";
import {readEach, reject, type SignalInput, type SignalReader, type SignalValues} from "./reading.ts";

/** A publisher's table: how it is known, and what each of its rows says. */
export type TableRules = {
  /** Folded column names that identify it: one of each group. */
  readonly needs: readonly (readonly string[])[];
  /** The same for messages. */
  readonly expected: string;
  /**
   * Extracts the records of a body with a special shape (a table is the list of its rows); undefined to search for a list in it.
   */
  readonly records?: (body: unknown) => readonly Json[] | undefined;
  /**
   * Turns a row into a signal, or rejects it. Null for a row that is part of another one; a name, under which reports count it,
   * for a row that is understood but is no signal.
   */
  readonly columns: (row: Row, input: SignalInput) => SignalValues | string | null;
  /**
   * Tells signals of one key and first day apart: each further identity has a key of its own, `<key>#2`. By default they are one
   * signal.
   */
  readonly identity?: (row: Row) => unknown;
  /** The row count that the answer's source states. */
  readonly counted?: (body: unknown) => unknown;
  /** False if rejected rows must not be kept in the quarantine. */
  readonly keepsRaw?: boolean;
};

/**
 * A reader of CSV, Parquet, or JSON or XML with a list in it, with at most one signal per row. It throws a UserError for a file
 * without the table, with the columns or the error message that came; one damaged row does not hide the others.
 */
export function tableReader(table: SignalTable, rules: TableRules): SignalReader {
  const {columns, identity = () => null, counted, keepsRaw = true} = rules;
  return (input) => {
    const rows = rowsOf(input, rules);
    const {accepted, rejected} = readEach(
      rows,
      (row) => ({own: identity(row), made: columns(readableRow(row), input)}),
      ({record}) => (keepsRaw ? record : null),
    );
    const notes: Record<string, number> = {};
    const note = (name: string, count = 1) => {
      notes[name] = (notes[name] ?? 0) + count;
    };
    const keyOf = numberedKeys();
    const signals: SignalValues[] = [];
    let otherAccepted = 0;
    for (const {own, made} of accepted) {
      if (typeof made === "string") {
        otherAccepted += 1;
        note(made);
      } else if (made !== null) {
        const {note: name, ...values} = made;
        if (name != null) note(name);
        signals.push({source_date: values.valid_from.slice(0, 10), ...values, key: keyOf(values, own)});
      }
    }
    const merged = accepted.length - signals.length - otherAccepted;
    const signalRows = rows.length - otherAccepted;
    const statedCount = numberOf(counted?.(input.content.body)) ?? signalRows;
    if (statedCount > signalRows) note("counted_rows_absent", statedCount - signalRows);
    return {
      table,
      rows: signals,
      rejected,
      merged,
      otherAccepted,
      notes,
      remark: remarkOf(rows.length, signalRows, statedCount),
    };
  };
}

/** Says that a table has no row, or that it only counts rows, as the first step of a query does; null for a table with rows. */
function remarkOf(rows: number, received: number, stated: number): string | null {
  if (rows === 0) return "the file has no rows; nothing was deleted for it";
  return received === 0 && stated > 0 ? `the file counts ${countWithNoun(stated, "row")} and has none` : null;
}

/** Numbers the keys of signals that differ in identity alone, in the order in which they come. */
function numberedKeys(): (values: SignalValues, identity: unknown) => string {
  const known = new Map<string, Map<unknown, number>>();
  return ({key, valid_from}, identity) => {
    const name = `${key} ${valid_from}`;
    const numbers = known.get(name) ?? new Map<unknown, number>();
    const number = numbers.get(identity) ?? numbers.size + 1;
    known.set(name, numbers.set(identity, number));
    return number === 1 ? key : `${key}#${number}`;
  };
}

/** Returns the row, or rejects it if it marks an unreadable line. */
function readableRow(row: Row): Row {
  const unread = row.record[unreadLine];
  return typeof unread === "string" ? reject("unread_line", unread) : row;
}

/** The rows of a table. Throws as the reader does. */
function rowsOf({file, content: {kind, body}}: SignalInput, {needs, expected, records}: TableRules): Row[] {
  const fits = (row: Row) => needs.every((names) => row.has(...names));
  const fault = (error: string | null, actual: string) =>
    new UserError(`${file.path}: ${error === null ? actual : `the source reported an error: ${error}`}`);
  const found = records?.(body) ?? listIn(body, (record) => fits(new Row(record)));
  if (found === null) throw fault(errorIn(body), `got ${membersOf(body)}; expected a list with ${expected}.`);
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

  /** An ISO time in UTC; rejects the row if another text came. */
  instant(name: string): string | null {
    const text = this.text(name);
    return text === null
      ? null
      : (instantFrom(text) ??
          reject("not_iso_time", `expected an ISO time with its offset, got ${name} "${text}"`));
  }

  date(...names: string[]): string | null {
    return dateFrom(this.text(...names));
  }

  /** A required date; rejects the row without it. */
  day(name: string, ...others: string[]): string {
    return (
      this.date(name, ...others) ??
      reject("bad_date", `expected a date, got ${name} ${this.text(name, ...others) ?? "missing"}`)
    );
  }
}
