import {type ArrowTable, type Column, firstNotBefore} from "@open-cattle/mapped-index";
import type {Point} from "@open-cattle/parcel-outlines";

/** Opens a column and returns the function that reads its value in a row. Throws a `UserError` if the table lacks the column. */
type Reader<Value> = (table: ArrowTable) => (row: number) => Value;
/** Members of a row, each with the reader of its column. */
export type Members = Readonly<Record<string, Reader<unknown>>>;
/** A row with these members. */
export type RowOf<From extends Members> = {
  readonly [Name in keyof From]: ReturnType<ReturnType<From[Name]>>;
};

/** Opens the columns of the members and returns the function that reads them in a row. */
export function rowReader<From extends Members>(table: ArrowTable, from: From): (row: number) => RowOf<From> {
  const readers = Object.entries(from).map(([name, open]) => [name, open(table)] as const);
  return (row) => {
    const members: Record<string, unknown> = {};
    for (const [name, read] of readers) members[name] = read(row);
    return members as RowOf<From>;
  };
}

/** Reads all rows of a table. */
export function allRows<From extends Members>(table: ArrowTable, from: From): RowOf<From>[] {
  const read = rowReader(table, from);
  return Array.from({length: table.rows}, (_, row) => read(row));
}

/** A reader whose values are converted. */
export function mapped<From, To>(reader: Reader<From>, to: (value: From) => To): Reader<To> {
  return (table) => {
    const read = reader(table);
    return (row) => to(read(row));
  };
}

function nullable<Value>(open: (table: ArrowTable) => Column<Value>): Reader<Value | null> {
  return (table) => {
    const column = open(table);
    return (row) => column.at(row);
  };
}

export const textOrNull = (name: string) => nullable((table) => table.string(name));
export const numberOrNull = (name: string) => nullable((table) => table.number(name));
export const dateOrNull = (name: string) => nullable((table) => table.date(name));
/** Null reads as an empty list. */
export const list = (name: string) =>
  mapped(
    nullable((table) => table.list(name)),
    (items) => items ?? [],
  );
/** Null reads as false. */
export const flag = (name: string) =>
  mapped(
    nullable((table) => table.flag(name)),
    (value) => value === true,
  );
/** Null reads as an empty text. */
export const text = (name: string) => mapped(textOrNull(name), (value) => value ?? "");

/** Reads a row's point from `lat` and `lon`; null if either is null. */
export const point: Reader<Point | null> = (table) => {
  const read = rowReader(table, {lat: numberOrNull("lat"), lon: numberOrNull("lon")});
  return (row) => {
    const {lat, lon} = read(row);
    return lat === null || lon === null ? null : {lat, lon};
  };
};

/** Binary search in a unique column sorted by code points; -1 if absent. Ids and ZIPs are plain ASCII. */
export function findSorted(rows: number, at: (row: number) => string, wanted: string): number {
  const row = firstNotBefore(0, rows, (each) => at(each) < wanted);
  return row < rows && at(row) === wanted ? row : -1;
}
