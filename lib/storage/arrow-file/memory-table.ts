import type {ArrowTable, DictionaryColumn, TextColumn} from "@open-cattle/mapped-index";
import {UserError} from "../../errors.ts";
import {joinedList} from "./arrow-columns.ts";
import type {RowValue} from "./write.ts";

/** Values of a row by column; a missing value is null. */
export type RowValues = Readonly<Record<string, RowValue>>;

/** Rows in memory with the interface of an Arrow table; rows are appended and never move. */
export type MemoryTable = {readonly table: ArrowTable; add(values: RowValues): number};

/** Creates an empty table. Lists read as text are joined by line feeds, as in the files. */
export function createMemoryTable(columns: readonly string[]): MemoryTable {
  const rows: RowValues[] = [];
  const names = new Set(columns);
  const dictionaries = new Map<string, ReturnType<typeof memoryDictionary>>();
  const valueAt = (column: string, row: number): RowValue => {
    const values = rows[row];
    if (values === undefined) throw new RangeError(`no row ${row} of ${rows.length}`);
    return values[column] ?? null;
  };
  const column = <T>(name: string, read: (value: NonNullable<RowValue>) => T) => {
    if (!names.has(name)) throw new UserError(`no column "${name}".`);
    return {
      get rows() {
        return rows.length;
      },
      at(row: number): T | null {
        const value = valueAt(name, row);
        return value === null || value === undefined ? null : read(value);
      },
    };
  };
  const dictionary = (name: string): DictionaryColumn => {
    const textDictionary = dictionaries.get(name) ?? memoryDictionary(rows, name);
    dictionaries.set(name, textDictionary);
    const text = column(name, String);
    return {
      get rows() {
        return rows.length;
      },
      at: text.at,
      get values() {
        return textDictionary().values;
      },
      codeAt(row) {
        const value = text.at(row);
        return value === null ? -1 : (textDictionary().codes.get(value) ?? -1);
      },
    };
  };
  const table: ArrowTable = {
    get rows() {
      return rows.length;
    },
    columns,
    metadata: new Map(),
    has: (name) => names.has(name),
    text: (name) => comparable(column(name, asText)),
    string: (name) => column(name, asText),
    number: (name) => column(name, Number),
    flag: (name) => column(name, Boolean),
    date: (name) => column(name, String),
    list: (name) => column(name, (value) => (Array.isArray(value) ? [...(value as string[])] : [])),
    dictionary,
    bytes(name) {
      throw new UserError(`column "${name}" is not bytes.`);
    },
    value: (name) => column(name, (value) => (Array.isArray(value) ? asText(value) : (value as string))),
  };
  return {table, add: (values) => rows.push(values) - 1};
}

function asText(value: NonNullable<RowValue>): string {
  return Array.isArray(value) ? joinedList(value as string[]) : String(value);
}

/** Adds comparison by bytes; null counts as empty. */
function comparable(column: {readonly rows: number; at(row: number): string | null}): TextColumn {
  const bytesAt = (row: number) => Buffer.from(column.at(row) ?? "", "utf8");
  return {
    get rows() {
      return column.rows;
    },
    at: column.at,
    isNull: (row) => column.at(row) === null,
    slice: bytesAt,
    compare: (row, key) => Buffer.compare(bytesAt(row), key),
    equals: (row, key) => bytesAt(row).equals(key),
    startsWith: (row, prefix) => bytesAt(row).subarray(0, prefix.length).equals(prefix),
  };
}

/**
 * Distinct values sorted by bytes, with their codes; a refresh only scans the rows added since the last one.
 */
function memoryDictionary(rows: readonly RowValues[], column: string) {
  const distinctTexts = new Set<string>();
  let seen = 0;
  let sortedTexts = {values: [] as readonly string[], codes: new Map<string, number>()};
  return () => {
    const before = distinctTexts.size;
    for (; seen < rows.length; seen++) {
      const value = rows[seen]![column];
      if (value !== null && value !== undefined) distinctTexts.add(String(value));
    }
    if (distinctTexts.size === before) return sortedTexts;
    const values = [...distinctTexts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    sortedTexts = {values, codes: new Map(values.map((value, code) => [value, code]))};
    return sortedTexts;
  };
}
