import {existsSync} from "node:fs";
import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import type {ColumnKind} from "../../../schemas/described-file.ts";
import {type ParcelColumn, parcelFileColumns} from "../../../schemas/parcel-columns.ts";

/** The layers of an export: points, and the outlines of the parcels that have one. */
export const layerNames = ["parcels", "boundaries"] as const;
export type LayerName = (typeof layerNames)[number];

/** The parcels of a state in the views of a build, and the file that is made of them. */
export type ExportRequest = {
  /** Two letters, upper case. */
  readonly state: string;
  readonly path: string;
  /** True where the build has a table of outlines. */
  readonly hasOutlines: boolean;
  /** The layer of a format that holds one. */
  readonly layer: LayerName;
};

/** The columns of an exported parcel: those of `parcels` but for the numbers of provenance, and the source in their place. */
const exportedColumns: readonly ParcelColumn[] = parcelFileColumns.filter(
  ({name}) => !name.startsWith("prov_"),
);

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

/**
 * Gives the SQL of the exported values, in the order of the file, and of `more`, columns of `p` or of a table that `join` adds; lists are
 * texts with `;` between their members.
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

/** Gives the number of parcels of the state. Throws a `UserError` for a state without parcels, and for a file that exists. */
export async function countExported(db: Database, {state, path}: ExportRequest): Promise<number> {
  if (existsSync(path)) throw new UserError(`${path}: is there already; choose another --to.`);
  const [counted] = await db.rows<{n: number}>(
    `SELECT count(*)::INTEGER AS n FROM parcels WHERE state = ${sqlText(state)}`,
  );
  if (counted!.n === 0) throw new UserError(`${state}: the build has no parcels of this state.`);
  return counted!.n;
}
