import * as arrow from "apache-arrow";
import type {ColumnKind} from "../../../schemas/vocabulary/described-file.ts";
import {sqlName} from "../../sql/duckdb.ts";

/** The kinds of parcel columns, plus four for indexes and outlines. */
export type StoredKind = ColumnKind | "uint8" | "uint32" | "int64" | "binary";

/** A column of an Arrow file. A null in a column that is not `nullable` aborts the write. */
export type ArrowColumn = {readonly name: string; readonly kind: StoredKind; readonly nullable: boolean};

/** A typed array constructor. DuckDB and Arrow use the same bytes for numbers and dates. */
export type NumberArray<T extends ArrayBufferView = ArrayBufferView> = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, offset?: number, length?: number): T;
};

/** Names of DuckDB's types, under which its library has them too. */
type ScalarType =
  | "BIGINT"
  | "BLOB"
  | "BOOLEAN"
  | "DATE"
  | "DOUBLE"
  | "FLOAT"
  | "INTEGER"
  | "SMALLINT"
  | "UINTEGER"
  | "UTINYINT"
  | "VARCHAR";

/** The DuckDB and Arrow types of a kind, and the typed array for fixed-width values. */
type KindStorage = {
  readonly duckdb: "VARCHAR[]" | ScalarType;
  readonly type: arrow.DataType;
  readonly array?: NumberArray;
};

export const textType = new arrow.Utf8();

/**
 * Storage of each kind. Texts have offsets, lists are joined by line feeds, and each file gives a dictionary
 * its own type.
 */
export const storage: Readonly<Record<StoredKind, KindStorage>> = {
  text: {duckdb: "VARCHAR", type: textType},
  dictionary: {duckdb: "VARCHAR", type: textType},
  list: {duckdb: "VARCHAR[]", type: textType},
  binary: {duckdb: "BLOB", type: new arrow.Binary()},
  float64: {duckdb: "DOUBLE", type: new arrow.Float64(), array: Float64Array},
  money: {duckdb: "DOUBLE", type: new arrow.Float64(), array: Float64Array},
  float32: {duckdb: "FLOAT", type: new arrow.Float32(), array: Float32Array},
  int64: {duckdb: "BIGINT", type: new arrow.Int64(), array: BigInt64Array},
  int32: {duckdb: "INTEGER", type: new arrow.Int32(), array: Int32Array},
  int16: {duckdb: "SMALLINT", type: new arrow.Int16(), array: Int16Array},
  uint32: {duckdb: "UINTEGER", type: new arrow.Uint32(), array: Uint32Array},
  uint8: {duckdb: "UTINYINT", type: new arrow.Uint8(), array: Uint8Array},
  bool: {duckdb: "BOOLEAN", type: new arrow.Bool(), array: Uint8Array},
  date: {duckdb: "DATE", type: new arrow.DateDay(), array: Int32Array},
};

/** SQL for a column's values as stored, with texts and lists as BLOB. */
export function storedSql({name, kind}: ArrowColumn): string {
  if (kind === "text" || kind === "list") return `encode(${textSql(name, kind)})`;
  return `${sqlName(name)}::${storage[kind].duckdb}`;
}

/** SQL for the byte length of a text, list or binary value; null for other kinds. */
export function byteLengthSql({name, kind}: ArrowColumn): string | null {
  if (kind === "binary") return `octet_length(${sqlName(name)}::BLOB)`;
  return kind === "text" || kind === "list" ? `strlen(${textSql(name, kind)})` : null;
}

/**
 * SQL for the text of a text or list value. List items are joined by line feeds; a line feed inside an item
 * becomes a blank and empty items are dropped, so that splitting returns the items. A null list stays null.
 */
function textSql(column: string, kind: "text" | "list"): string {
  const name = sqlName(column);
  if (kind === "text") return `${name}::VARCHAR`;
  const items = `list_filter(${name}::VARCHAR[], lambda item: item <> '')`;
  const tidied = `array_to_string(list_transform(${items}, lambda item: replace(item, chr(10), ' ')), chr(10))`;
  const rare = `list_contains(${name}, '') OR contains(array_to_string(${name}, ''), chr(10))`;
  return `CASE WHEN ${rare} THEN ${tidied} ELSE array_to_string(${name}, chr(10)) END`;
}

/** Joins a JavaScript array by the same rule. */
export function joinedList(items: readonly string[]): string {
  return items
    .filter((item) => item !== "")
    .map((item) => item.replaceAll("\n", " "))
    .join("\n");
}
