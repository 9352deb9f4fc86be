import {summarizeGeometry} from "@open-cattle/parcel-outlines";
import {type ConformEntry, joinNames, mainNames} from "../../../../lib/parcels/conform/column-references.ts";
import {conformEntry} from "../../../../lib/parcels/conform/entry-models.ts";
import {
  type JoinedRows,
  type SourceTable,
  stageRecords,
} from "../../../../lib/parcels/conform/staged-table.ts";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";

export type Cells = Record<string, unknown>;
export type Conformed = Record<string, unknown>;

let database: Promise<Database> | undefined;
let tables = 0;

type Options = {readonly joined?: Record<string, readonly Cells[]>; readonly asOf?: string};

/** Rows of an entry, from two files, after conforming, in their order, and the outcomes of joined rows. A cell `geometry` is the row's GeoJSON geometry. */
export async function conformed(
  entry: ConformEntry,
  rows: readonly Cells[],
  {joined = {}, asOf = "2026-11-21"}: Options = {},
): Promise<{rows: Conformed[]; joined: JoinedRows[]}> {
  database ??= openDatabase();
  const db = await database;
  const halves = [rows.slice(0, 1), rows.slice(1)].filter((half) => half.length > 0);
  const main: SourceTable[] = [];
  for (const half of halves) main.push(await staged(db, mainNames(entry), half));
  const joins: Record<string, SourceTable[]> = {};
  for (const [prefix, theirs] of Object.entries(joined))
    joins[prefix] = [await staged(db, joinNames(entry, prefix), theirs)];
  const into = `conformed_${++tables}`;
  const outcomes = await conformEntry(db, {entry, sources: {main, joins}, asOf, into});
  return {rows: await db.rows(`SELECT * EXCLUDE (_wkb) FROM ${into} ORDER BY _file, _row`), joined: outcomes};
}

/** The first of them. */
export async function conformedRow(entry: ConformEntry, cells: Cells, options?: Options): Promise<Conformed> {
  return (await conformed(entry, [cells], options)).rows[0]!;
}

async function staged(
  db: Database,
  wantedColumns: readonly string[],
  rows: readonly Cells[],
): Promise<SourceTable> {
  const file = ++tables;
  const table = `staged_${file}`;
  await stageRecords(
    db,
    {table, wantedColumns},
    rows.map(({geometry, ...cells}) => ({cells, geometry: summarizeGeometry((geometry ?? null) as null)})),
  );
  return {file, table, retrieved: "2026-11-01", layerEdit: null};
}
