import type {Data, Vector} from "apache-arrow";
import {type RowLocator, rowLocator} from "./batches.ts";
import {type BlockGuard, guardOf} from "./block-guard.ts";
import {firstNotBefore, isEmpty, isNullAt, nullsOf, type TextColumn, textColumn} from "./text-column.ts";

/**
 * A column of values of type `T` or null. `at` throws a RangeError beyond the last row, and a
 * `DamagedFileError` when the file has block checksums and a byte is damaged.
 */
export type Column<T> = {
  readonly rows: number;
  /** True when every value is known to be null or an empty list. */
  readonly isEmpty?: boolean;
  at(row: number): T | null;
};

/** A numeric column backed by a file. */
export type FileNumberColumn = Column<number> & {
  /**
   * In a sorted column without nulls, the first row whose value is not below `value` (lower bound); `rows`
   * when there is none.
   */
  lowerBound(value: number): number;
};

/**
 * A dictionary column. Codes are indexes into the sorted dictionary, so they compare without reading text.
 */
export type DictionaryColumn = Column<string> & {
  /** The index of the row's value in `values`, or -1 for null. */
  codeAt(row: number): number;
  /** The distinct values, sorted by bytes. */
  readonly values: readonly string[];
};

type Read<T, Values> = (values: Values, index: number) => T;

const dayMs = 86_400_000;

/** A column of numbers of any width; 64-bit integers beyond 2^53 lose precision. */
export function numberColumn(batches: readonly Data[], locator: RowLocator, rows: number): FileNumberColumn {
  const read = (values: Float64Array | BigInt64Array, index: number) => Number(values[index] ?? 0);
  const column = fixedColumn(batches, {locator, rows}, read);
  const values = batches.map((data) => data.values as Float64Array);
  const valueAt = (row: number) => {
    const batch = locator.batchOf(row);
    return read(values[batch]!, row - locator.starts[batch]!);
  };
  return {
    ...column,
    lowerBound(value) {
      const first = firstNotBefore(0, rows, (row) => valueAt(row) < value);
      for (let row = Math.max(first - 1, 0); row <= first && row < rows; row++) column.at(row);
      return first;
    },
  };
}

/** A column of bits as booleans. */
export function flagColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<boolean> {
  return fixedColumn(
    batches,
    {locator, rows, width: 1 / 8},
    (bits: Uint8Array, index) => ((bits[index >>> 3] ?? 0) & (1 << (index & 7))) !== 0,
  );
}

/** A column of days since 1970 as `YYYY-MM-DD`. */
export function dateColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<string> {
  return fixedColumn(batches, {locator, rows}, (days: Int32Array, index) =>
    new Date((days[index] ?? 0) * dayMs).toISOString().slice(0, 10),
  );
}

/** A binary column as views of the file; use them at once, and never keep or write to them. */
export function bytesColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<Uint8Array> {
  const bytes = textColumn(batches, locator, rows);
  return {rows, at: (row) => (bytes.isNull(row) ? null : bytes.slice(row))};
}

/** A column of lists, stored as text joined by line feeds; an empty text is an empty list. */
export function listColumn(batches: readonly Data[], locator: RowLocator, rows: number): Column<string[]> {
  const text = textColumn(batches, locator, rows);
  return {
    rows,
    isEmpty: batches.every((data) => data.length === 0 || (data.values as Uint8Array).byteLength === 0),
    at(row) {
      const joined = text.at(row);
      if (joined === null) return null;
      return joined === "" ? [] : joined.split("\n");
    },
  };
}

/** A column of dictionary-encoded text; the dictionary is copied once, on creation. */
export function dictionaryColumn(
  batches: readonly Data[],
  locator: RowLocator,
  rows: number,
): DictionaryColumn {
  const codes = fixedColumn(batches, {locator, rows}, (values: Int32Array, index) => values[index] ?? 0);
  const values = dictionaryValues(batches[0]?.dictionary);
  // A text that all rows share is known without reading codes.
  const isShared = values.length === 1 && batches.every((data) => nullsOf(data) === null);
  const codeAt = (row: number) => (isShared && row >>> 0 === row && row < rows ? 0 : (codes.at(row) ?? -1));
  return {
    rows,
    isEmpty: codes.isEmpty === true,
    values,
    codeAt,
    at: (row) => values[codeAt(row)] ?? null,
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
  {locator, rows, width}: {locator: RowLocator; rows: number; width?: number},
  read: Read<T, Values>,
): Column<T> {
  const chunks = batches.map((data, i) => ({
    start: locator.starts[i] ?? 0,
    values: data.values as unknown as Values,
    nulls: nullsOf(data),
    ...guardedPlaces(data, width),
  }));
  if (isEmpty(batches)) return emptyColumn(rows);
  return {
    rows,
    at(row) {
      const chunk = chunks[locator.batchOf(row)];
      if (chunk === undefined || row >>> 0 !== row || row >= rows)
        throw new RangeError(`no row ${row} of ${rows}`);
      const index = row - chunk.start;
      if (chunk.guard !== null) {
        if (chunk.nulls !== null) chunk.guard.at(chunk.nullsAt + (index >>> 3));
        chunk.guard.at(chunk.valuesAt + index * chunk.width);
      }
      return isNullAt(chunk.nulls, index) ? null : read(chunk.values, index);
    },
  };
}

type GuardedPlaces = {
  /** Null when the file has no block checksums. */
  readonly guard: BlockGuard | null;
  readonly valuesAt: number;
  readonly nullsAt: number;
  /** Size of a value in bytes; a value never spans two blocks. */
  readonly width: number;
};

/** The byte positions of a batch's values and bitmap, for a batch that is not all null. */
function guardedPlaces(data: Data, width?: number): GuardedPlaces {
  const values = data.values as Uint8Array;
  const nulls = nullsOf(data);
  const guard = nulls !== null && nulls.length === 0 ? null : guardOf(values.buffer);
  return {
    guard,
    valuesAt: values.byteOffset,
    nullsAt: nulls?.byteOffset ?? 0,
    width: width ?? values.BYTES_PER_ELEMENT,
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
