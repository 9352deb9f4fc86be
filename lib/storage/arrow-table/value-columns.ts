import type {Data, Vector} from "apache-arrow";
import {type RowLocator, rowLocator} from "./batches.ts";
import {isEmpty, isNullAt, nullsOf} from "./nulls.ts";
import {type TextColumn, textColumn} from "./text-column.ts";

/** A column whose values come out as `T`; null where there is none. `at` throws RangeError for a row that is not there. */
export type Column<T> = {
  readonly rows: number;
  /** True where it is known that no row has a value. */
  readonly isEmpty?: boolean;
  at(row: number): T | null;
};

/** Values of a dictionary column by their place in the sorted dictionary. */
export type DictionaryColumn = Column<string> & {
  /** Place of the row's value in `values`; -1 for null. Comparing codes costs no text. */
  codeAt(row: number): number;
  /** The distinct values, sorted by bytes. */
  readonly values: readonly string[];
};

type Read<T, Values> = (values: Values, index: number) => T;

const dayMs = 86_400_000;

/** Numbers of any width, as numbers: 64-bit integers beyond 2^53 lose digits. */
export function numberColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<number> {
  return fixedColumn(batches, {locator, rows}, (values: Float64Array | BigInt64Array, index) =>
    Number(values[index] ?? 0),
  );
}

/** Bits, as true and false. */
export function flagColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<boolean> {
  return fixedColumn(
    batches,
    {locator, rows},
    (bits: Uint8Array, index) => ((bits[index >>> 3] ?? 0) & (1 << (index & 7))) !== 0,
  );
}

/** Days since 1970, as `YYYY-MM-DD`. */
export function dateColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<string> {
  return fixedColumn(batches, {locator, rows}, (days: Int32Array, index) =>
    new Date((days[index] ?? 0) * dayMs).toISOString().slice(0, 10),
  );
}

/** Bytes as a view of the file: to be read at once, never kept or written. */
export function bytesColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<Uint8Array> {
  const chunks = new Map(batches.map((data) => [data.values as Uint8Array, data.valueOffsets as Int32Array]));
  return fixedColumn(batches, {locator, rows}, (values: Uint8Array, index) => {
    const offsets = chunks.get(values)!;
    return values.subarray(offsets[index], offsets[index + 1]);
  });
}

/** Lists that are stored as text joined by line feeds; an empty text is an empty list. */
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

/** Dictionary-encoded text. The dictionary is copied out once, at the first use. */
export function dictionaryColumn(
  batches: readonly Data[],
  locator: RowLocator,
  rows: number,
): DictionaryColumn {
  const codes = fixedColumn(batches, {locator, rows}, (values: Int32Array, index) => values[index] ?? 0);
  const values = dictionaryValues(batches[0]?.dictionary);
  const codeAt = (row: number) => codes.at(row) ?? -1;
  // A text that all rows share is known without a look at the file.
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
