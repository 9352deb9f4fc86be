import {sqlName} from "../../../lib/sql/duckdb.ts";
import type {ColumnKind} from "../../../schemas/column-kind.ts";
import {exportedColumns, exportedSql, type LayerName} from "./exported.ts";

/** Kinds of values in files for maps, by the names that GeoPackage has for them. */
export type ValueType = "DOUBLE" | "INTEGER" | "BOOLEAN" | "DATE" | "TEXT";

/** A layer of an exported file: geometry with all columns of the parcel. */
export type Layer = {
  readonly name: LayerName;
  /** Names and types of the columns beside number and geometry. */
  readonly columns: readonly (readonly [name: string, type: ValueType])[];
  /** SELECT of the geometry as WKB, then of the columns, in no order. */
  readonly sql: string;
};

const types: Partial<Record<ColumnKind, ValueType>> = {
  float64: "DOUBLE",
  float32: "DOUBLE",
  money: "DOUBLE",
  int32: "INTEGER",
  int16: "INTEGER",
  bool: "BOOLEAN",
  date: "DATE",
};

/** Gives a layer of a state: every parcel with its point or null, or the parcels that have an outline. */
export function layerOf(name: LayerName, state: string): Layer {
  const columns = [
    ...exportedColumns.map(({name, kind}) => ({name, kind, type: types[kind] ?? ("TEXT" as const)})),
    ...["state", "source_id", "vintage"].map((name) => ({
      name,
      kind: "text" as const,
      type: "TEXT" as const,
    })),
  ];
  const values = columns.map(valueSql).join(", ");
  const geometry = name === "parcels" ? "p.geometry" : "b.geometry";
  const outlines = "JOIN boundaries b ON b.state = p.state AND b.parcel_uid = p.parcel_uid";
  const rows = exportedSql(state, {more: [geometry], join: name === "parcels" ? "" : outlines});
  return {
    name,
    columns: columns.map(({name, type}) => [name, type]),
    sql: `SELECT st_asbinary(geometry) AS wkb, ${values} FROM (${rows})`,
  };
}

/**
 * A column as a value that both formats take: numbers as they are, those of 32 bits with the digits that they print, a boolean as 0 or 1,
 * a day as its text.
 */
function valueSql({name, kind, type}: {name: string; kind: ColumnKind; type: ValueType}): string {
  const column = sqlName(name);
  if (kind === "float32") return `${column}::VARCHAR::DOUBLE AS ${column}`;
  const as = type === "DOUBLE" ? "DOUBLE" : type === "INTEGER" || type === "BOOLEAN" ? "INTEGER" : "VARCHAR";
  return `${column}::${as} AS ${column}`;
}
