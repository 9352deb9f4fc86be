import {type Data, Field, Schema} from "apache-arrow";
import {UserError} from "../../errors.ts";
import {bytesData, dictionaryData, fixedData, offsetsOf} from "./column-data.ts";
import {
  type ArrowColumn,
  type BytesKind,
  binaryType,
  type FixedKind,
  fixedStorage,
  isBytesKind,
  joinedList,
  textType,
} from "./columns.ts";
import {dictionaryOf} from "./dictionary.ts";
import {markNull, noNulls} from "./nulls.ts";
import {writeArrowOutput} from "./output.ts";

/** A value of a row. Dates are `YYYY-MM-DD`, lists are arrays of text, binary values are bytes; undefined counts as null. */
export type RowValue = string | number | boolean | readonly string[] | Uint8Array | null | undefined;

type ArrowRows = {
  readonly path: string;
  readonly columns: readonly ArrowColumn[];
  readonly rows: readonly Readonly<Record<string, RowValue>>[];
  readonly metadata?: Readonly<Record<string, string>>;
};

type Encoded = {readonly field: Field; readonly data: Data};

const dayMs = 86_400_000;

/**
 * Writes JavaScript rows, in their order, as the Arrow IPC file that `writeArrowFile` would make of them in one batch.
 * Throws a `UserError` for a value that does not fit its column, and an error when the path exists.
 */
export async function writeArrowRows({
  path,
  columns,
  rows,
  metadata = {},
}: ArrowRows): Promise<{rows: number}> {
  const encoded = columns.map((column, id) =>
    encodeColumn(
      column,
      rows.map((row) => row[column.name] ?? null),
      id,
    ),
  );
  const fields = encoded.map(({field}) => field);
  await writeArrowOutput(path, new Schema(fields, new Map(Object.entries(metadata))), async (output) => {
    if (rows.length === 0) return;
    await output.write(
      encoded.map(({data}) => data),
      rows.length,
    );
  });
  return {rows: rows.length};
}

function encodeColumn(column: ArrowColumn, values: RowValue[], id: number): Encoded {
  const {name, kind, nullable} = column;
  const missing = values.indexOf(null);
  if (missing >= 0 && !nullable) throw misfit(column, missing, null);
  if (kind === "dictionary") return encodeDictionary(column, values, id);
  if (isBytesKind(kind)) {
    const type = kind === "binary" ? binaryType : textType;
    return {field: new Field(name, type, nullable), data: encodeBytes({...column, kind}, values)};
  }
  return {
    field: new Field(name, fixedStorage[kind].type, nullable),
    data: encodeFixed({...column, kind}, values),
  };
}

function encodeDictionary(column: ArrowColumn, values: RowValue[], id: number): Encoded {
  const texts = values.map((value, row) => (value === null ? null : textOf(column, value, row)));
  const words = [...new Set(texts.filter((text) => text !== null))].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  const dictionary = dictionaryOf(words, id);
  const places = new Map(words.map((word, i) => [word, i]));
  const nulls = noNulls(values.length);
  const codes = new dictionary.codes(values.length);
  texts.forEach((text, row) => {
    if (text === null) markNull(nulls, row);
    else codes[row] = places.get(text) ?? 0;
  });
  return {
    field: new Field(column.name, dictionary.type, column.nullable),
    data: dictionaryData(dictionary.type, codes, dictionary.values, nulls),
  };
}

function encodeBytes(column: ArrowColumn & {kind: BytesKind}, values: RowValue[]): Data {
  const nulls = noNulls(values.length);
  const parts = values.map((value, row) => {
    if (value === null) markNull(nulls, row);
    return value === null ? new Uint8Array(0) : bytesOf(column, value, row);
  });
  const offsets = offsetsOf(
    Int32Array.from(parts, ({length}) => length),
    column.name,
  );
  return bytesData(column.kind, offsets, new Uint8Array(Buffer.concat(parts)), nulls);
}

function encodeFixed(column: ArrowColumn & {kind: FixedKind}, values: RowValue[]): Data {
  const nulls = noNulls(values.length);
  const numbers = new fixedStorage[column.kind].array(values.length);
  values.forEach((value, row) => {
    if (value === null) markNull(nulls, row);
    else numbers[row] = numberOf(column, value, row);
  });
  return fixedData(column.kind, numbers, nulls);
}

function bytesOf(column: ArrowColumn, value: RowValue, row: number): Uint8Array {
  if (column.kind === "binary" && value instanceof Uint8Array) return value;
  if (column.kind === "list" && Array.isArray(value)) return Buffer.from(joinedList(value));
  if (column.kind === "text") return Buffer.from(textOf(column, value, row));
  throw misfit(column, row, value);
}

function textOf(column: ArrowColumn, value: RowValue, row: number): string {
  if (typeof value === "string") return value;
  throw misfit(column, row, value);
}

function numberOf(column: ArrowColumn, value: RowValue, row: number): number {
  if (column.kind === "bool" && typeof value === "boolean") return value ? 1 : 0;
  if (column.kind === "date" && typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value)) {
    return Date.parse(`${value}T00:00:00Z`) / dayMs;
  }
  if (typeof value === "number" && column.kind !== "bool" && column.kind !== "date") return value;
  throw misfit(column, row, value);
}

function misfit({name, kind}: ArrowColumn, row: number, value: RowValue): UserError {
  return new UserError(`column ${name}, row ${row}: ${JSON.stringify(value)} is no ${kind}.`);
}
