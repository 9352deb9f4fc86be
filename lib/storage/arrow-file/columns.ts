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

/** Kinds of the parcel columns, and those that indexes and outlines need; `int64` holds whole numbers up to 2^53. */
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

/** How each fixed-width kind is asked of DuckDB and stored; a bool comes as a byte and is packed to bits, an int64 comes as a double. */
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

/** SQL of the number of bytes of a text, list or binary column; null for null. */
export function byteLengthSql(column: ArrowColumn): string {
  return column.kind === "binary"
    ? `octet_length(${sqlName(column.name)}::BLOB)`
    : `strlen(${textSql(column)})`;
}

/** SQL of the bytes of a text, list or binary column, a BLOB. */
export function bytesSql(column: ArrowColumn): string {
  return column.kind === "binary" ? `${sqlName(column.name)}::BLOB` : `encode(${textSql(column)})`;
}

/** SQL of all bytes of the column in one BLOB, in the given order. There is no `string_agg` of BLOBs: they go as hexadecimal text. */
export function gatheredSql(column: ArrowColumn, order: string): string {
  if (column.kind !== "binary") return `encode(string_agg(${textSql(column)}, '' ORDER BY ${order}))`;
  return `unhex(string_agg(hex(${sqlName(column.name)}::BLOB), '' ORDER BY ${order}))`;
}

/**
 * The SQL text of a text or list column. Items of a list are joined by line feeds: a line feed inside an item becomes
 * a blank and an empty item is left out, so that splitting gives the items back; a null list stays null.
 */
function textSql(column: ArrowColumn): string {
  const name = sqlName(column.name);
  if (column.kind !== "list") return `${name}::VARCHAR`;
  const items = `list_filter(${name}::VARCHAR[], lambda item: item <> '')`;
  const tidied = `array_to_string(list_transform(${items}, lambda item: replace(item, chr(10), ' ')), chr(10))`;
  const rare = `list_contains(${name}, '') OR contains(array_to_string(${name}, ''), chr(10))`;
  return `CASE WHEN ${rare} THEN ${tidied} ELSE array_to_string(${name}, chr(10)) END`;
}

/** The same rule for a list that is a JavaScript array. */
export function joinedList(items: readonly string[]): string {
  return items
    .filter((item) => item !== "")
    .map((item) => item.replaceAll("\n", " "))
    .join("\n");
}
