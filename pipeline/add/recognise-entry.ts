import {mkdir} from "node:fs/promises";
import {basename, join} from "node:path";
import {UserError} from "../../lib/errors.ts";
import {countyBox, stateBox} from "../../lib/geography/county-box.ts";
import {resolveColumn} from "../../lib/parcels/conform/cells.ts";
import {joinNames, mainNames, unmetNeeds} from "../../lib/parcels/conform/references.ts";
import {type Database, openDatabase, sqlName} from "../../lib/sql/duckdb.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {datasetsOf, fileRole} from "../parcels/datasets.ts";
import {readerOf} from "../parcels/readers/readers.ts";
import type {RawFile} from "../raw/raw-files.ts";

/** The table of a parcel file: its columns, and a box of its points in degrees where it has any. */
type SeenTable = {readonly columns: readonly string[]; readonly points: readonly Point[]};
type Point = {readonly lon: number; readonly lat: number};

/** An entry that a file fits, and how many of its columns the entry reads. */
type Fit = {readonly id: string; readonly used: number; readonly placed: boolean};

/** The entries that fit a file best, and what kept the file from being read as parcels at all. */
export type EntriesOf = {
  readonly entries: readonly string[];
  readonly rows: number;
  readonly fault: string | null;
};

/** Points that are looked at: enough to tell one county from the next. */
const judgedPoints = 200;

/**
 * Gives the registered entries whose field map fits a parcel file, best first by the columns that they read; several where
 * they fit equally well. Nothing is changed. Throws for a broken disk.
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
    if (!(error instanceof UserError)) throw error;
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
    const {table, seen, rows} = await reader.read({db, dataset, table: "seen", wanted: [], tempDir: dir});
    const points = await db.rows<Point>(
      `SELECT "~lon" AS lon, "~lat" AS lat FROM ${sqlName(table)} WHERE "~lon" IS NOT NULL LIMIT ${judgedPoints}`,
    );
    await db.run(`DROP TABLE ${sqlName(table)}`);
    tables.push({columns: seen, points});
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

/** False where an entry has a file for each county, by an address with `{county}`, and the file is not named as those are. */
function hasNameOf({url = ""}: ParcelSource, {path}: RawFile): boolean {
  const [before, after] = basename(url).split("{county}");
  if (before === undefined || after === undefined) return true;
  return basename(path).startsWith(before) && basename(path).endsWith(after);
}

/** Gives the number of names of an entry that a table has; null where the entry could not be read from it. */
function usedColumns(entry: ParcelSource, file: RawFile, columns: readonly string[]): number | null {
  const role = fileRole(entry, {path: `parcels/${entry.id}/${file.path}`});
  const has = (name: string) => resolveColumn(name, columns) !== undefined;
  const names = typeof role === "string" ? mainNames(entry) : joinNames(entry, role.join);
  const found = names.filter(has);
  if (typeof role !== "string") return found.length === names.length ? found.length : null;
  return role === "main" && unmetNeeds(entry, new Set(found)).length === 0 ? found.length : null;
}

/** False where no point of the file is in the state of the entry. */
function isPossible({coverage}: ParcelSource, points: readonly Point[]): boolean {
  const box = coverage.country === "US" ? stateBox(coverage.state) : undefined;
  return points.length === 0 || box === undefined || points.some((point) => isIn(box, point));
}

/** True where the entry names counties and all points of the file are in them. */
function isPlaced({coverage: {counties}}: ParcelSource, points: readonly Point[]): boolean {
  if (counties === "all" || points.length === 0) return false;
  const boxes = counties.flatMap((key) => countyBox(key) ?? []);
  return points.every((point) => boxes.some((box) => isIn(box, point)));
}

type Box = NonNullable<ReturnType<typeof countyBox>>;

function isIn(box: Box, {lon, lat}: Point): boolean {
  return lon >= box.west && lon <= box.east && lat >= box.south && lat <= box.north;
}
