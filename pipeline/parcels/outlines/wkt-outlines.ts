import type {Geometry, Position} from "geojson";
import {summarizeGeometry} from "../../../lib/geography/geometry/summarize.ts";
import {projectionOf} from "../../../lib/geography/projection.ts";
import {geometryColumns, type SourceRecord, stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";

const wktHead = /^\s*(?:SRID=\d+;)?\s*(POINT|POLYGON|MULTIPOLYGON)\s*(?:Z|M|ZM)?\s*\(/i;
const batchRows = 20_000;

/**
 * Fills the geometry columns of a staged table from well-known text in one of its columns, in rows that have no geometry of their
 * own. Coordinates are degrees unless `crs` says otherwise. A text that is not a point or polygon leaves its row without geometry.
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

/**
 * Gives a point, polygon or multipolygon of well-known text (OGC 06-103r4, section 7) as GeoJSON with two coordinates; null for an
 * empty one, for another kind of geometry and for any other text.
 */
export function geometryFromWkt(text: string): Geometry | null {
  const kind = wktHead.exec(text)?.[1]?.toUpperCase();
  if (kind === undefined) return null;
  const body = text.slice(text.indexOf("("));
  if (/[^-+\d.eE\s,()]/.test(body)) return null;
  // Blanks separate the numbers of a position: with commas for them and square brackets, the text is JSON.
  const json = body
    .trim()
    .replace(/\(/g, "[")
    .replace(/\)/g, "]")
    .replace(
      /[-+\d.eE]+(?:\s+[-+\d.eE]+)+/g,
      (position) => `[${position.trim().split(/\s+/).slice(0, 2).map(Number).join(",")}]`,
    );
  try {
    return geometryOf(kind, JSON.parse(json));
  } catch {
    return null;
  }
}

function geometryOf(kind: string, coordinates: unknown): Geometry | null {
  if (kind === "POINT") {
    const [position] = coordinates as Position[];
    return position === undefined ? null : {type: "Point", coordinates: position};
  }
  if (kind === "POLYGON") return {type: "Polygon", coordinates: coordinates as Position[][]};
  return {type: "MultiPolygon", coordinates: coordinates as Position[][][]};
}
