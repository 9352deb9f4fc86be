import type {FileRow} from "@open-cattle/parcel-files";
import {sourceProjection} from "@open-cattle/parcel-files";
import {geometryFromText, isGeometryText, summarizeGeometry} from "@open-cattle/parcel-outlines";
import {resolveColumn, stagedNames} from "../../../lib/parcels/conform/file-cells.ts";
import {geometryColumns, type StagedTable, stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";

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
  const project = crs === undefined ? undefined : sourceProjection(crs, {}, "the crs of the entry");
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
      ({at, text}): FileRow => ({
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
