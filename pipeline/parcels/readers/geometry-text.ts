import type {FileRow} from "@open-cattle/parcel-files";
import {sourceProjection} from "@open-cattle/parcel-files";
import {
  geometryFromText,
  isEmptyGeometryText,
  isGeometryText,
  summarizeGeometry,
} from "@open-cattle/parcel-outlines";
import {resolveColumn, stagedNames} from "../../../lib/parcels/conform/file-cells.ts";
import {geometryColumns, type StagedTable, stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {isNullText} from "../../../lib/text/null-text.ts";

/** A cell of a column named as geometry that is longer than this is one; shorter ones name its kind. */
const longestName = 20;
/** Maximum rows, and bytes of their text, held at a time. */
const batchRows = 20_000;
const batchBytes = 16 * 2 ** 20;
/** Filled cells by which a column is judged; fewer than the second number do not show what it holds. */
const judgedCells = 20;
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

/** Cells of a column, in the order of the file; those that have no value say nothing. */
export type SampledColumn = {readonly name: string; readonly cells: readonly string[]};

/**
 * Finds a column of geometry by the first filled cells of each; undefined where there is none. It is read where at least half of them are
 * geometries: an address that was not placed, or an odd cell, costs its own row alone.
 */
export function geometryText(columns: readonly SampledColumn[]): GeometryText | undefined {
  const filled = columns.map(({name, cells}) => ({
    name,
    cells: cells.filter(hasValue).slice(0, judgedCells),
  }));
  const most = Math.max(...filled.map(({cells}) => cells.length));
  const judged = filled.filter(({cells}) => cells.length >= Math.min(fewestCells, Math.max(most, 1)));
  const read = judged.find(({cells}) => cells.filter(isGeometryText).length >= cells.length / 2);
  if (read !== undefined) return {name: read.name, isRead: true};
  const named = judged.find(
    ({name, cells}) => isGeometryName(name) && cells.some((cell) => cell.length > longestName),
  );
  return named === undefined ? undefined : {name: named.name, isRead: false};
}

/** False for a cell that is blank, means "no value", or is an empty geometry. */
function hasValue(cell: string): boolean {
  return !isNullText(cell) && !isEmptyGeometryText(cell);
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
