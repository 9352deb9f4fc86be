import type {Geometry} from "geojson";
import {geometryFromGeoJson} from "../../../lib/geography/geometry/outline.ts";
import {summarizeGeometry} from "../../../lib/geography/geometry/summarize.ts";
import {projectionOf} from "../../../lib/geography/projection.ts";
import {resolveColumn, stagedNames} from "../../../lib/parcels/conform/file-cells.ts";
import {
  geometryColumns,
  type SourceRecord,
  type StagedTable,
  stageRecords,
} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {geometryFromWkb} from "./wkb-geometry.ts";

const wktHead = /^\s*(?:SRID=\d+;)?\s*(POINT|POLYGON|MULTIPOLYGON)\s*(?:Z|M|ZM)?\s*\(/i;
/** The end of a cell of Socrata: latitude and longitude in brackets, below the lines of an address. */
const bracketed = /\(\s*(-?\d{1,2}\.\d+)\s*,\s*(-?\d{1,3}\.\d+)\s*\)\s*$/;
/** Well-known binary in hexadecimal: byte order, then one of the kinds up to a collection. */
const hexWkb = /^0[01](?:[0-9A-F]{2}){20,}$/i;
const jsonHead = /^\s*\{\s*"type"\s*:\s*"(?:Point|Polygon|MultiPolygon)"/;
/** A cell of a column named as geometry that is longer than this is one; shorter ones name its kind. */
const longestName = 20;
/** Maximum rows, and bytes of their text, held at a time. */
const batchRows = 20_000;
const batchBytes = 16 * 2 ** 20;
/** Fewer filled cells do not show what a column holds. */
const fewestCells = 3;

/**
 * Fills the geometry columns of a staged table from a column of text (`geometryFromText`), for rows without geometry. Coordinates are
 * degrees unless `crs` says otherwise. Text that is no point or polygon leaves its row without geometry.
 */
export async function addTextGeometry(
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
        geometry: summarizeGeometry(geometryFromText(text), project),
      }),
    );
    await stageRecords(db, {table: "text_batch", wantedColumns: ["at"]}, records);
    const filled = geometryColumns.map(([name]) => `${sqlName(name)} = w.${sqlName(name)}`);
    await db.run(
      `UPDATE ${sqlName(table)} SET ${filled.join(", ")} FROM text_batch w WHERE ${sqlName(table)}.rowid = w."at"::BIGINT; DROP TABLE text_batch`,
    );
  }
}

/** A column of text with geometries: one that is read, or one that is only known by its name and its long cells. */
type GeometryText = {readonly name: string; readonly isRead: boolean};

/** Finds a column of geometry among the columns of a table, by the cells of its first rows; undefined where there is none. */
export function geometryText(
  columns: readonly string[],
  rows: readonly (readonly (string | null | undefined)[])[],
): GeometryText | undefined {
  const filled = columns.map((name, i) => ({name, cells: rows.flatMap((row) => row[i] || [])}));
  const judged = filled.filter(({cells}) => cells.length >= Math.min(fewestCells, rows.length));
  const read = judged.find(({cells}) => cells.length > 0 && cells.every(isGeometryText));
  if (read !== undefined) return {name: read.name, isRead: true};
  const named = judged.find(
    ({name, cells}) => isGeometryName(name) && cells.some((cell) => cell.length > longestName),
  );
  return named === undefined ? undefined : {name: named.name, isRead: false};
}

/** True for the usual names of a column of geometry. */
export function isGeometryName(name: string): boolean {
  return /^(?:the_?geom(?:etry)?|geom(?:etry)?|wkb_geometry|shape|wkb|wkt|geo)$/i.test(name);
}

/** The wanted names, and the column of geometry that is read if none of them means it. */
export function withText(
  wantedColumns: readonly string[],
  text: GeometryText | undefined,
  columns: readonly string[],
): readonly string[] {
  if (text?.isRead !== true || wantedColumns.some((name) => resolveColumn(name, columns) === text.name))
    return wantedColumns;
  return [...wantedColumns, text.name];
}

/** What a reader says of a column of geometry, where `names` are those of the columns that it staged. */
export function stagedText(
  names: readonly string[],
  text: GeometryText | undefined,
  columns: readonly string[],
): Pick<StagedTable, "geometry" | "outline"> {
  if (text === undefined) return {};
  const at = names.findIndex((name) => resolveColumn(name, columns) === text.name);
  return {geometry: text.name, outline: text.isRead ? stagedNames(names)[at]! : null};
}

function isGeometryText(cell: string): boolean {
  return [wktHead, bracketed, hexWkb, jsonHead].some((form) => form.test(cell));
}

/**
 * Parses well-known text, hexadecimal well-known binary, a GeoJSON geometry, or a cell that ends in `(latitude, longitude)`; null for any
 * other text.
 */
function geometryFromText(text: string): Geometry | null {
  const place = bracketed.exec(text);
  if (place !== null) return {type: "Point", coordinates: [Number(place[2]), Number(place[1])]};
  if (hexWkb.test(text)) return orNull(() => geometryFromWkb(Buffer.from(text, "hex")));
  return text.trimStart().startsWith("{")
    ? orNull(() => geometryFromGeoJson(JSON.parse(text)))
    : geometryFromWkt(text);
}

function orNull(read: () => Geometry | null): Geometry | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * Parses a point, polygon or multipolygon in well-known text (OGC 06-103r4, section 7) into two-dimensional GeoJSON; null for an empty
 * geometry, another kind, or any other text.
 */
export function geometryFromWkt(text: string): Geometry | null {
  const kind = wktHead.exec(text)?.[1]?.toUpperCase();
  if (kind === undefined) return null;
  const body = text.slice(text.indexOf("("));
  if (/[^-+\d.eE\s,()]/.test(body)) return null;
  // Rewritten as JSON: commas between the blank-separated numbers of a position, and square brackets.
  const json = body
    .trim()
    .replace(/\(/g, "[")
    .replace(/\)/g, "]")
    .replace(
      /(?<![-+\d.eE])[-+\d.eE]+(?:\s+[-+\d.eE]+)+/g,
      (position) => `[${position.trim().split(/\s+/).slice(0, 2).map(Number).join(",")}]`,
    );
  return orNull(() => geometryOf(kind, JSON.parse(json)));
}

function geometryOf(kind: string, coordinates: unknown): Geometry | null {
  if (kind === "POINT")
    return geometryFromGeoJson({type: "Point", coordinates: (coordinates as unknown[])[0]});
  return geometryFromGeoJson({type: kind === "POLYGON" ? "Polygon" : "MultiPolygon", coordinates});
}
