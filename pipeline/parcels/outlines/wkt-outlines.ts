import type {Geometry} from "geojson";
import {summarizeGeometry} from "../../../lib/geography/geometry/summarize.ts";
import {geometryFromGeoJson} from "../../../lib/geography/geometry/wkb.ts";
import {projectionOf} from "../../../lib/geography/projection.ts";
import {geometryColumns, type SourceRecord, stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";

const wktHead = /^\s*(?:SRID=\d+;)?\s*(POINT|POLYGON|MULTIPOLYGON)\s*(?:Z|M|ZM)?\s*\(/i;
/** Rows, and bytes of their texts, that are held at a time. */
const batchRows = 20_000;
const batchBytes = 16 * 2 ** 20;

/**
 * Fills the geometry columns of a staged table from well-known text in one of its columns, in rows that have no geometry of their
 * own. Coordinates are degrees unless `crs` says otherwise. A text that is not a point or polygon leaves its row without geometry.
 */
export async function addWktGeometry(
  db: Database,
  {table, column, crs}: {table: string; column: string; crs?: string | undefined},
): Promise<void> {
  const project = crs === undefined ? undefined : projectionOf(crs);
  const texts = `FROM ${sqlName(table)} WHERE "~lon" IS NULL AND ${sqlName(column)} IS NOT NULL`;
  const batches = await db.rows<{first: bigint; last: bigint}>(
    `SELECT min("at") AS first, max("at") AS last FROM (
       SELECT rowid AS "at", row_number() OVER rows AS n, sum(strlen(${sqlName(column)})) OVER rows AS bytes ${texts} WINDOW rows AS (ORDER BY rowid))
     GROUP BY n // ${batchRows}, bytes // ${batchBytes} ORDER BY first`,
  );
  for (const {first, last} of batches) {
    const rows = await db.rows<{at: bigint; text: string}>(
      `SELECT rowid AS at, ${sqlName(column)} AS text ${texts} AND rowid BETWEEN ${first} AND ${last} ORDER BY rowid`,
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
      /(?<![-+\d.eE])[-+\d.eE]+(?:\s+[-+\d.eE]+)+/g,
      (position) => `[${position.trim().split(/\s+/).slice(0, 2).map(Number).join(",")}]`,
    );
  try {
    return geometryOf(kind, JSON.parse(json));
  } catch {
    return null;
  }
}

function geometryOf(kind: string, coordinates: unknown): Geometry | null {
  if (kind === "POINT")
    return geometryFromGeoJson({type: "Point", coordinates: (coordinates as unknown[])[0]});
  return geometryFromGeoJson({type: kind === "POLYGON" ? "Polygon" : "MultiPolygon", coordinates});
}
