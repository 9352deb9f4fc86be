import {existsSync} from "node:fs";
import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {type ParcelColumn, parcelColumns} from "../../../schemas/parcel-columns.ts";
import type {ColumnKind} from "../../../schemas/vocabulary/described-file.ts";

/** The layers of an export: points, and the outlines of parcels that have one. */
export const layerNames = ["parcels", "boundaries"] as const;
export type LayerName = (typeof layerNames)[number];

/** The parcels to export from a build's views, and the file to write. */
export type ExportRequest = {
  /** Two letters, upper case. */
  readonly state: string;
  readonly path: string;
  /** True if the build has a table of outlines. */
  readonly hasOutlines: boolean;
  /** The layer to write in a single-layer format. */
  readonly layer: LayerName;
};

/** The columns of an exported parcel: those of `parcels` without the provenance numbers; state and source follow them. */
const exportedColumns: readonly ParcelColumn[] = parcelColumns.filter(
  ({name}) => name !== "state" && !name.startsWith("prov_"),
);

/** Value types of map files, by their GeoPackage names. */
export type ValueType = "DOUBLE" | "INTEGER" | "BOOLEAN" | "DATE" | "TEXT";

/** A layer of an exported file: the geometry, and all columns of the parcel. */
export type Layer = {
  readonly name: LayerName;
  /** Names and types of the columns besides feature id and geometry. */
  readonly columns: readonly (readonly [name: string, type: ValueType])[];
  /** SELECT of the geometry as WKB followed by the columns, unordered. */
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

/** Returns a layer of a state: every parcel with its point (or null), or the parcels with an outline. */
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
 * SQL for a column as a value that both formats accept: numbers unchanged, but 32-bit floats with the digits that they print; booleans as 0
 * or 1; dates as text.
 */
function valueSql({name, kind, type}: {name: string; kind: ColumnKind; type: ValueType}): string {
  const column = sqlName(name);
  if (kind === "float32") return `${column}::VARCHAR::DOUBLE AS ${column}`;
  const as = type === "DOUBLE" ? "DOUBLE" : type === "INTEGER" || type === "BOOLEAN" ? "INTEGER" : "VARCHAR";
  return `${column}::${as} AS ${column}`;
}

/**
 * SQL for the exported values in file order, plus `more`: columns of `p` or of a table added by `join`. Lists become text separated by `;`.
 */
export function exportedSql(
  state: string,
  {more = [], join = ""}: {more?: readonly string[]; join?: string} = {},
): string {
  const values = exportedColumns.map(({name, kind}) => {
    const column = `p.${sqlName(name)}`;
    return kind === "list" ? `array_to_string(${column}, ';') AS ${sqlName(name)}` : column;
  });
  const columns = [...values, "p.state", "v.source_id", "v.vintage", ...more];
  return `SELECT ${columns.join(", ")}
    FROM parcels p JOIN parcel_provenance v ON v.state = p.state AND v.provenance_id = p.prov_default ${join}
    WHERE p.state = ${sqlText(state)}`;
}

/** Returns the number of parcels in the state. Throws a `UserError` if there are none, or if the file exists. */
export async function countExported(db: Database, {state, path}: ExportRequest): Promise<number> {
  if (existsSync(path)) throw new UserError(`${path}: already exists; choose another --to.`);
  const [counted] = await db.rows<{n: number}>(
    `SELECT count(*)::INTEGER AS n FROM parcels WHERE state = ${sqlText(state)}`,
  );
  if (counted!.n === 0) throw new UserError(`${state}: the build has no parcels of this state.`);
  return counted!.n;
}
