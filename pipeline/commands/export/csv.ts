import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import {makeWhole} from "../../../lib/storage/whole-file.ts";
import {countExported, type ExportRequest, exportedSql} from "./exported.ts";

/** Writes the parcels of a state as CSV with a header and gives their number. Throws a `UserError` where the file cannot be written. */
export async function exportCsv(db: Database, request: ExportRequest): Promise<number> {
  const rows = await countExported(db, request);
  const sql = `${exportedSql(request.state)} ORDER BY p.county_key, p.parcel_uid`;
  const copy = (beside: string) => db.run(`COPY (${sql}) TO ${sqlText(beside)} (FORMAT csv, HEADER true)`);
  await makeWhole(request.path, copy).catch((error: Error) => {
    throw error instanceof UserError
      ? error
      : new UserError(`${request.path}: cannot be written: ${error.message}`);
  });
  return rows;
}
