import {summarizeGeometry} from "../../../lib/geography/geometry/summarize.ts";
import {geometryColumns, type SourceRecord, stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {projectionOf} from "../readers/projection.ts";
import {geometryFromWkt} from "./wkt.ts";

const batchRows = 20_000;

/**
 * Fills the geometry columns of a staged table from well-known text in one of its columns, where a row has no geometry of its
 * own; coordinates are degrees unless `crs` says otherwise. Text that is no point or polygon leaves the row without geometry.
 */
export async function addWktGeometry(
  db: Database,
  {table, column, crs}: {table: string; column: string; crs?: string | undefined},
): Promise<void> {
  const project = crs === undefined ? undefined : projectionOf(crs);
  const [counted] = await db.rows<{n: bigint}>(`SELECT count(*) AS n FROM ${sqlName(table)}`);
  for (let from = 0; from < Number(counted!.n); from += batchRows) {
    const rows = await db.rows<{at: bigint; text: string}>(
      `SELECT rowid AS at, ${sqlName(column)} AS text FROM ${sqlName(table)}
       WHERE rowid >= ${from} AND rowid < ${from + batchRows} AND "~lon" IS NULL AND ${sqlName(column)} IS NOT NULL ORDER BY rowid`,
    );
    const records = rows.map(
      ({at, text}): SourceRecord => ({
        cells: {at: String(at)},
        geometry: summarizeGeometry(geometryFromWkt(text), project),
      }),
    );
    await stageRecords(db, {table: "wkt_batch", wanted: ["at"]}, records);
    const filled = geometryColumns.map(([name]) => `${sqlName(name)} = w.${sqlName(name)}`);
    await db.run(
      `UPDATE ${sqlName(table)} SET ${filled.join(", ")} FROM wkt_batch w WHERE ${sqlName(table)}.rowid = w."at"::BIGINT; DROP TABLE wkt_batch`,
    );
  }
}
