import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Uint8,
  Uint32,
  Utf8,
} from "apache-arrow";
import type {ColumnKind} from "../../../schemas/column-kind.ts";
import {sqlName} from "../../sql/duckdb.ts";

/** The kinds of parcel columns and four more for indexes and outlines; `int64` holds whole numbers up to 2^53. */
export type StoredKind = ColumnKind | "uint8" | "uint32" | "int64" | "binary";

/** A column of an Arrow file. A null in a column that is not `nullable` stops the writing. */
export type ArrowColumn = {readonly name: string; readonly kind: StoredKind; readonly nullable: boolean};

export type BytesKind = "text" | "list" | "binary";

export type FixedKind = Exclude<StoredKind, BytesKind | "dictionary">;

export type FixedArray =
  | Float64Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>;

type FixedStorage = {
  readonly type: DataType;
  readonly array: new (length: number) => FixedArray;
  readonly sql: (name: string) => string;
};

/**
 * SQL and storage of each fixed-width kind. DuckDB gives a bool as a byte, which is packed to bits later, and an int64 as a
 * double.
 */
export const fixedStorage: Readonly<Record<FixedKind, FixedStorage>> = {
  float64: {type: new Float64(), array: Float64Array, sql: (name) => `${name}::DOUBLE`},
  money: {type: new Float64(), array: Float64Array, sql: (name) => `${name}::DOUBLE`},
  float32: {type: new Float32(), array: Float32Array, sql: (name) => `${name}::FLOAT`},
  int32: {type: new Int32(), array: Int32Array, sql: (name) => `${name}::INTEGER`},
  int16: {type: new Int16(), array: Int16Array, sql: (name) => `${name}::SMALLINT`},
  uint32: {type: new Uint32(), array: Uint32Array, sql: (name) => `${name}::UINTEGER`},
  int64: {type: new Int64(), array: Float64Array, sql: (name) => `${name}::BIGINT::DOUBLE`},
  uint8: {type: new Uint8(), array: Uint8Array, sql: (name) => `${name}::UTINYINT`},
  bool: {type: new Bool(), array: Uint8Array, sql: (name) => `${name}::BOOLEAN::UTINYINT`},
  date: {
    type: new DateDay(),
    array: Int32Array,
    sql: (name) => `(${name}::DATE - DATE '1970-01-01')::INTEGER`,
  },
};

export const textType = new Utf8();
export const binaryType = new Binary();

/** True for kinds that are stored as bytes with offsets: text, lists joined by line feeds, and binary. */
export function isBytesKind(kind: StoredKind): kind is BytesKind {
  return kind === "text" || kind === "list" || kind === "binary";
}

/** SQL of the number of bytes of a text, list or binary value; null gives null. */
export function byteLengthSql(column: ArrowColumn): string {
  return column.kind === "binary"
    ? `octet_length(${sqlName(column.name)}::BLOB)`
    : `strlen(${textSql(column)})`;
}

/** SQL of the bytes of a text, list or binary value, as BLOB. */
export function bytesSql(column: ArrowColumn): string {
  return column.kind === "binary" ? `${sqlName(column.name)}::BLOB` : `encode(${textSql(column)})`;
}

/**
 * SQL of all bytes of a column in one BLOB, in the given order. BLOBs go through hexadecimal text, as `string_agg` takes
 * only text.
 */
export function gatheredSql(column: ArrowColumn, order: string): string {
  if (column.kind !== "binary") return `encode(string_agg(${textSql(column)}, '' ORDER BY ${order}))`;
  return `unhex(string_agg(hex(${sqlName(column.name)}::BLOB), '' ORDER BY ${order}))`;
}

/**
 * SQL of the text of a text or list value. Items of a list are joined by line feeds; a line feed inside an item becomes a
 * blank and an empty item is dropped, so that splitting gives the items back. A null list stays null.
 */
function textSql(column: ArrowColumn): string {
  const name = sqlName(column.name);
  if (column.kind !== "list") return `${name}::VARCHAR`;
  const items = `list_filter(${name}::VARCHAR[], lambda item: item <> '')`;
  const tidied = `array_to_string(list_transform(${items}, lambda item: replace(item, chr(10), ' ')), chr(10))`;
  const rare = `list_contains(${name}, '') OR contains(array_to_string(${name}, ''), chr(10))`;
  return `CASE WHEN ${rare} THEN ${tidied} ELSE array_to_string(${name}, chr(10)) END`;
}

/** The text of a list that is a JavaScript array, by the same rule. */
export function joinedList(items: readonly string[]): string {
  return items
    .filter((item) => item !== "")
    .map((item) => item.replaceAll("\n", " "))
    .join("\n");
}
