import type {Data, Vector} from "apache-arrow";
import {type RowLocator, rowLocator} from "./batches.ts";
import {isEmpty, isNullAt, nullsOf} from "./nulls.ts";
import {type TextColumn, textColumn} from "./text-column.ts";

/** A column of values of type `T` or null. `at` throws a RangeError beyond the last row. */
export type Column<T> = {
  readonly rows: number;
  /** True when it is known that every value is null. */
  readonly isEmpty?: boolean;
  at(row: number): T | null;
};

/** A dictionary column. Its codes are places in the sorted dictionary, so comparing them needs no text. */
export type DictionaryColumn = Column<string> & {
  /** The place of the row's value in `values`, or -1 for null. */
  codeAt(row: number): number;
  /** The distinct values, sorted by bytes. */
  readonly values: readonly string[];
};

type Read<T, Values> = (values: Values, index: number) => T;

const dayMs = 86_400_000;

/** A column of numbers of any width; 64-bit integers beyond 2^53 lose digits. */
export function numberColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<number> {
  return fixedColumn(batches, {locator, rows}, (values: Float64Array | BigInt64Array, index) =>
    Number(values[index] ?? 0),
  );
}

/** A column of bits as true and false. */
export function flagColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<boolean> {
  return fixedColumn(
    batches,
    {locator, rows},
    (bits: Uint8Array, index) => ((bits[index >>> 3] ?? 0) & (1 << (index & 7))) !== 0,
  );
}

/** A column of days since 1970 as `YYYY-MM-DD`. */
export function dateColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<string> {
  return fixedColumn(batches, {locator, rows}, (days: Int32Array, index) =>
    new Date((days[index] ?? 0) * dayMs).toISOString().slice(0, 10),
  );
}

/** A binary column as views of the file, which must be read at once and never kept or written. */
export function bytesColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<Uint8Array> {
  const chunks = new Map(batches.map((data) => [data.values as Uint8Array, data.valueOffsets as Int32Array]));
  return fixedColumn(batches, {locator, rows}, (values: Uint8Array, index) => {
    const offsets = chunks.get(values)!;
    return values.subarray(offsets[index], offsets[index + 1]);
  });
}

/** A column of lists that are stored as text joined by line feeds; an empty text is an empty list. */
export function listColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<string[]> {
  const text = textColumn(batches, locator, rows);
  return {
    rows,
    at(row) {
      const joined = text.at(row);
      if (joined === null) return null;
      return joined === "" ? [] : joined.split("\n");
    },
  };
}

/** A column of dictionary-encoded text; its dictionary is copied once, here. */
export function dictionaryColumn(
  batches: readonly Data[],
  locator: RowLocator,
  rows: number,
): DictionaryColumn {
  const codes = fixedColumn(batches, {locator, rows}, (values: Int32Array, index) => values[index] ?? 0);
  const values = dictionaryValues(batches[0]?.dictionary);
  const codeAt = (row: number) => codes.at(row) ?? -1;
  // A text that all rows share is known without reading the codes.
  const [only = null, second] = values;
  const isShared = second === undefined && batches.every((data) => nullsOf(data) === null);
  const textAt = (row: number) => {
    const code = codes.at(row);
    return code === null ? null : (values[code] ?? null);
  };
  return {
    rows,
    isEmpty: codes.isEmpty === true,
    values,
    codeAt,
    at: isShared ? (row) => (row >>> 0 === row && row < rows ? only : textAt(row)) : textAt,
  };
}

function dictionaryValues(dictionary: Vector | undefined): string[] {
  const chunks = (dictionary?.data ?? []).filter(({length}) => length > 0);
  const words: TextColumn = textColumn(
    chunks,
    rowLocator(chunks.map(({length}) => length)),
    dictionary?.length ?? 0,
  );
  return Array.from({length: words.rows}, (_, code) => words.at(code) ?? "");
}

function fixedColumn<T, Values>(
  batches: readonly Data[],
  {locator, rows}: {locator: RowLocator; rows: number},
  read: Read<T, Values>,
): Column<T> {
  const chunks = batches.map((data, i) => ({
    start: locator.starts[i] ?? 0,
    values: data.values as unknown as Values,
    nulls: nullsOf(data),
  }));
  if (isEmpty(batches)) return emptyColumn(rows);
  return {
    rows,
    at(row) {
      const chunk = chunks[locator.batchOf(row)];
      if (chunk === undefined || row >>> 0 !== row || row >= rows)
        throw new RangeError(`no row ${row} of ${rows}`);
      const index = row - chunk.start;
      return isNullAt(chunk.nulls, index) ? null : read(chunk.values, index);
    },
  };
}

function emptyColumn<T>(rows: number): Column<T> {
  return {
    rows,
    isEmpty: true,
    at(row) {
      if (row >>> 0 !== row || row >= rows) throw new RangeError(`no row ${row} of ${rows}`);
      return null;
    },
  };
}
