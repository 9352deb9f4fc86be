import {existsSync} from "node:fs";
import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {type ParcelColumn, parcelFileColumns} from "../../../schemas/parcel-columns.ts";

/** The parcels of a state in the views of a build, and the file that is made of them. */
export type ExportRequest = {
  /** Two letters, upper case. */
  readonly state: string;
  readonly path: string;
  /** True where the build has a table of outlines. */
  readonly hasOutlines: boolean;
};

/** The columns of an exported parcel: those of `parcels` but for the numbers of provenance, and the source in their place. */
export const exportedColumns: readonly ParcelColumn[] = parcelFileColumns.filter(
  ({name}) => !name.startsWith("prov_"),
);

/** SQL of the exported values, in the order of the file, and of `more`; lists are texts with `;` between their members. */
export function exportedSql(state: string, more: readonly string[] = []): string {
  const values = exportedColumns.map(({name, kind}) => {
    const column = `p.${sqlName(name)}`;
    return kind === "list" ? `array_to_string(${column}, ';') AS ${sqlName(name)}` : column;
  });
  const columns = [...values, "p.state", "v.source_id", "v.vintage", ...more];
  return `SELECT ${columns.join(", ")}
    FROM parcels p JOIN parcel_provenance v ON v.state = p.state AND v.provenance_id = p.prov_default
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
