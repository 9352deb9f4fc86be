import {join} from "node:path";
import {openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";

/** Rows, in file order, of a table of the only state in a folder laid out like a build. */
export async function parquetRows<T = Record<string, unknown>>(
  folder: string,
  name = "parcels",
  columns = "* EXCLUDE (geometry)",
): Promise<T[]> {
  const db = await openDatabase();
  try {
    return await db.rows<T>(
      `SELECT ${columns} FROM read_parquet(${sqlText(join(folder, `tables/${name}/*/${name}.parquet`))}, hive_partitioning = false)`,
    );
  } finally {
    db.close();
  }
}
