import {existsSync} from "node:fs";
import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
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
export const exportedColumns: readonly ParcelColumn[] = parcelFileColumns.filter(
  ({name}) => !name.startsWith("prov_"),
);

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
