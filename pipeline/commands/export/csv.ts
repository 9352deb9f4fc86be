import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import {countExported, type ExportRequest, exportedSql} from "./exported.ts";

/** Writes the parcels of a state as CSV with a header and gives their number. Throws a `UserError` where the file cannot be written. */
export async function exportCsv(db: Database, request: ExportRequest): Promise<number> {
  const rows = await countExported(db, request);
  await db
    .run(
      `COPY (${exportedSql(request.state)} ORDER BY p.county_key, p.parcel_uid) TO ${sqlText(request.path)} (FORMAT csv, HEADER true)`,
    )
    .catch((error: Error) => {
      throw new UserError(`${request.path}: cannot be written: ${error.message}`);
    });
  return rows;
}
