import {ownProgram} from "../../../lib/process/own-child.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {type FileReport, fileWithoutRows} from "../../../schemas/build-report.ts";
import {DocumentReader, placeOf} from "../../raw/document-reader.ts";
import {faultOfFile, isSystemFault} from "../../raw/file-faults.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {sourceOfFeed} from "../feeds/feeds.ts";
import {openParquet} from "./content.ts";
import {supersededLists} from "./dealers/dealer-records.ts";
import type {DealerFile, DealerReading} from "./dealers/reader.ts";
import type {Roster} from "./directory/merge-listings.ts";
import type {DirectoryReading} from "./directory/reader.ts";
import {gatherSignals, signalTables} from "./gather.ts";
import {type SignalTask, signalsOf} from "./read-file.ts";
import type {ReadSignalFile, SignalReading} from "./reading.ts";

/** Everything that the feeds beside the price reports say. */
export type Signals = {
  readonly reports: FileReport[];
  readonly readFiles: readonly ReadSignalFile[];
  readonly rosters: readonly Roster[];
  readonly dealers: readonly DealerFile[];
};

/**
 * Reads the feeds of signals and of lists, and gathers signals into their tables (`gatherSignals`). A file that cannot be read is reported
 * with its reason and changes nothing else.
 */
export async function readSignals(
  db: Database,
  files: readonly RawFile[],
  {asOf, tempDir}: {asOf: string; tempDir: string},
): Promise<Signals> {
  const read: ReadSignalFile[] = [];
  const reports = new Map<string, FileReport>();
  for (const file of files) {
    try {
      read.push({file, reading: await readingOf(db, file, tempDir)});
    } catch (thrown) {
      if (isSystemFault(thrown)) throw thrown;
      reports.set(file.path, fileWithoutRows(file.path, file.unit, "failed", faultOfFile(thrown, file.path)));
    }
  }
  await gatherSignals(db, read, asOf);
  const dealers = read.flatMap(({reading}) =>
    "dealers" in reading ? [(reading as DealerReading).dealers] : [],
  );
  const older = supersededLists(dealers);
  const counts = Map.groupBy(await db.rows<RowCount>(countsSql), ({path}) => path);
  for (const one of read)
    reports.set(one.file.path, reportOf(one, counts.get(one.file.path) ?? [], older.has(one.file.path)));
  const rosters = read.flatMap(rosterOf);
  return {readFiles: read, rosters, dealers, reports: files.map(({path}) => reports.get(path)!)};
}

/** Rows of a file that were rejected for a reason, or, where that is null, that stand in a table. */
type RowCount = {readonly path: string; readonly reason: string | null; readonly n: number};

const countsSql = `SELECT source_path AS path, reason, count(*)::INTEGER AS n FROM (
    SELECT source_path, reject_reason AS reason FROM signal_rejects
    ${signalTables.map((table) => `UNION ALL SELECT source_path, NULL FROM signal_${table}`).join(" ")}
  ) GROUP BY ALL ORDER BY ALL`;

/** Reads the files, which others made, in a process of its own. */
const documents = new DocumentReader(ownProgram("./signal-program", import.meta.url));

async function readingOf(db: Database, file: RawFile, tempDir: string): Promise<SignalReading> {
  const task: SignalTask = {file, tempDir};
  const read = (await documents.read(task, placeOf(file))) as SignalReading | null;
  return read ?? signalsOf(file, await openParquet(db, file, tempDir));
}

/** Gives the venues of a list that was read. A licence list adds to known venues only, and is cited as the page of a state. */
function rosterOf({file, reading}: ReadSignalFile): Roster[] {
  if (!("listings" in reading)) return [];
  const {listings, list} = reading as DirectoryReading | DealerReading;
  const isRoster = list.feed === "directory";
  return [{file, listings, source: isRoster ? list.source : sourceOfFeed("dealers"), addsVenues: isRoster}];
}

/** Rows that became part of another one, and a list that a newer one of the same state and scope replaces, count as merged. */
function reportOf(
  {file, reading}: ReadSignalFile,
  counts: readonly RowCount[],
  isReplaced: boolean,
): FileReport {
  const {rows, otherAccepted, rejected, merged, remark, notes} = reading;
  const rowsIn = rows.length + otherAccepted + merged + rejected.length;
  const sum = (some: readonly RowCount[]) => some.reduce((total, {n}) => total + n, 0);
  const bad = counts.filter(({reason}) => reason !== null);
  const accepted = sum(counts) - sum(bad) + (isReplaced ? 0 : otherAccepted);
  return {
    path: file.path,
    unit: file.unit,
    status: "read",
    reason: remark,
    rowsIn,
    accepted,
    rejected: Object.fromEntries(bad.map(({reason, n}) => [reason, n])),
    merged: rowsIn - accepted - sum(bad),
    notes: {...notes},
  };
}
