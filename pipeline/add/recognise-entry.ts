import {mkdir} from "node:fs/promises";
import {basename, join} from "node:path";
import {isUserError} from "../../lib/errors.ts";
import {countyBox, stateBox} from "../../lib/geography/county-box.ts";
import {joinNames, mainNames, unmetNeeds} from "../../lib/parcels/conform/column-references.ts";
import {resolveColumn} from "../../lib/parcels/conform/file-cells.ts";
import {type Database, openDatabase, sqlName} from "../../lib/sql/duckdb.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {datasetsOf, fileRole} from "../parcels/datasets.ts";
import {readerOf} from "../parcels/readers/readers.ts";
import type {RawFile} from "../raw/raw-files.ts";

/** The table of a parcel file: its columns, and some of its points in degrees if it has any. */
type SeenTable = {readonly columns: readonly string[]; readonly points: readonly Point[]};
type Point = {readonly lon: number; readonly lat: number};

/** A matching entry, the number of its columns that it reads, and whether the points lie in its counties. */
type Fit = {readonly id: string; readonly used: number; readonly placed: boolean};

/** The best matching entries for a file, and why it could not be read as parcels at all. */
export type EntriesOf = {
  readonly entries: readonly string[];
  readonly rows: number;
  readonly fault: string | null;
};

/** Number of points examined: enough to tell counties apart. */
const judgedPoints = 200;

/**
 * Returns the registered entries whose field map fits a parcel file: those that read the most columns, several if they tie. Changes
 * nothing. Throws for a broken disk.
 */
export async function entriesOf(
  file: RawFile,
  registry: readonly ParcelSource[],
  tempDir: string,
): Promise<EntriesOf> {
  using db = await openDatabase({tempDirectory: tempDir});
  try {
    const {tables, rows} = await seenTables(db, file, tempDir);
    const fits = registry.flatMap((entry) => fitOf(entry, file, tables) ?? []);
    const most = Math.max(0, ...fits.map(({used}) => used));
    const best = fits.filter(({used}) => used === most);
    const placed = best.filter((fit) => fit.placed);
    return {entries: (placed.length > 0 ? placed : best).map(({id}) => id).sort(), rows, fault: null};
  } catch (error) {
    if (!isUserError(error)) throw error;
    return {entries: [], rows: 0, fault: error.message};
  }
}

async function seenTables(
  db: Database,
  file: RawFile,
  tempDir: string,
): Promise<{tables: SeenTable[]; rows: number}> {
  const dir = join(tempDir, "unpacked");
  await mkdir(dir, {recursive: true});
  const tables: SeenTable[] = [];
  let all = 0;
  for (const dataset of await datasetsOf(file, dir)) {
    const reader = readerOf(dataset);
    if (reader === undefined) continue;
    const request = {db, dataset, table: "seen", wantedColumns: [], tempDir: dir};
    const read = await reader.read(request).catch((error: unknown) => {
      if (dataset.isBeside === true && isUserError(error)) return null;
      throw error;
    });
    if (read === null) continue;
    const {table, sourceColumns, rows} = read;
    const points = await db.rows<Point>(
      `SELECT "~lon" AS lon, "~lat" AS lat FROM ${sqlName(table)} WHERE "~lon" IS NOT NULL LIMIT ${judgedPoints}`,
    );
    await db.run(`DROP TABLE ${sqlName(table)}`);
    tables.push({columns: sourceColumns, points});
    all += rows;
  }
  return {tables, rows: all};
}

function fitOf(entry: ParcelSource, file: RawFile, tables: readonly SeenTable[]): Fit | null {
  if (!hasNameOf(entry, file)) return null;
  const fits = tables.flatMap(({columns, points}) => {
    const used = usedColumns(entry, file, columns);
    return used === null || !isPossible(entry, points) ? [] : [{used, placed: isPlaced(entry, points)}];
  });
  const best = fits.sort((a, b) => b.used - a.used)[0];
  return best === undefined ? null : {id: entry.id, ...best};
}

/** False if an entry has one file per county (`{county}` in its URL) and the file is not named like those. */
function hasNameOf({url = ""}: ParcelSource, {path}: RawFile): boolean {
  const [before, after] = basename(url).split("{county}");
  if (before === undefined || after === undefined) return true;
  return basename(path).startsWith(before) && basename(path).endsWith(after);
}

/** Number of an entry's column names found in the table; null if the entry cannot be read from it. */
function usedColumns(entry: ParcelSource, file: RawFile, columns: readonly string[]): number | null {
  const role = fileRole(entry, {path: `parcels/${entry.id}/${file.path}`});
  const has = (name: string) => resolveColumn(name, columns) !== undefined;
  const names = typeof role === "string" ? mainNames(entry) : joinNames(entry, role.join);
  const found = names.filter(has);
  if (typeof role !== "string") return found.length === names.length ? found.length : null;
  return role === "main" && unmetNeeds(entry, new Set(found)).length === 0 ? found.length : null;
}

/** False if no point of the file lies in the entry's state. */
function isPossible({coverage}: ParcelSource, points: readonly Point[]): boolean {
  const box = coverage.country === "US" ? stateBox(coverage.state) : undefined;
  return points.length === 0 || box === undefined || points.some((point) => isIn(box, point));
}

/** True if the entry names counties and every point of the file lies in them. */
function isPlaced({coverage: {counties}}: ParcelSource, points: readonly Point[]): boolean {
  if (counties === "all" || points.length === 0) return false;
  const boxes = counties.flatMap((key) => countyBox(key) ?? []);
  return points.every((point) => boxes.some((box) => isIn(box, point)));
}

type Box = NonNullable<ReturnType<typeof countyBox>>;

function isIn(box: Box, {lon, lat}: Point): boolean {
  return lon >= box.west && lon <= box.east && lat >= box.south && lat <= box.north;
}
