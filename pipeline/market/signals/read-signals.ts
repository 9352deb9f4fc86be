import {UserError} from "../../../lib/errors.ts";
import {ownProgram} from "../../../lib/process/own-child.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {type FileReport, fileWithoutRows} from "../../../schemas/build-report.ts";
import {DocumentReader} from "../../raw/document-reader.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {sourceOfFeed} from "../feeds/feeds.ts";
import {faultOfFile, isSystemFault} from "../file-faults.ts";
import {openParquet} from "./content.ts";
import {supersededLists} from "./dealers/dealer-records.ts";
import type {DealerFile, DealerReading} from "./dealers/reader.ts";
import type {Roster} from "./directory/merge-listings.ts";
import type {DirectoryReading} from "./directory/reader.ts";
import {withFitRows} from "./fit-rows.ts";
import {gather} from "./gather.ts";
import {type SignalTask, signalsOf} from "./read-file.ts";
import type {ReadSignalFile, SignalReading, SignalTables} from "./reading.ts";

/** Everything that the feeds beside the price reports say. */
export type Signals = {
  readonly tables: SignalTables;
  readonly reports: FileReport[];
  readonly readFiles: readonly ReadSignalFile[];
  readonly rosters: readonly Roster[];
  readonly dealers: readonly DealerFile[];
};

/**
 * Reads the feeds of signals and of lists. A file that cannot be read is reported with its reason and changes nothing else; rows of a
 * day after the as-of date are kept back (`after_as_of`).
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
      read.push({file, reading: withFitRows(await readingOf(db, file, tempDir), asOf)});
    } catch (thrown) {
      if (isSystemFault(thrown)) throw thrown;
      reports.set(file.path, fileWithoutRows(file.path, file.unit, "failed", faultOfFile(thrown, file.path)));
    }
  }
  const {tables, merged} = gather(read);
  const dealers = read.flatMap(({reading}) =>
    "dealers" in reading ? [(reading as DealerReading).dealers] : [],
  );
  const older = supersededLists(dealers);
  for (const one of read)
    reports.set(one.file.path, reportOf(one, merged.get(one.file.path) ?? 0, older.has(one.file.path)));
  const rosters = read.flatMap(rosterOf);
  return {tables, readFiles: read, rosters, dealers, reports: files.map(({path}) => reports.get(path)!)};
}

/** Reads the files, which others made, in a process of its own. */
const documents = new DocumentReader(ownProgram("./signal-program", import.meta.url));

async function readingOf(db: Database, file: RawFile, tempDir: string): Promise<SignalReading> {
  if (file.fault !== undefined) throw new UserError(file.fault);
  const task: SignalTask = {file, tempDir};
  const place = {path: file.absolutePath, shown: file.path};
  const read = (await documents.read(task, place)) as SignalReading | null;
  return read ?? signalsOf(file, await openParquet(db, file, tempDir));
}

/** Gives the venues of a list that was read. A licence list adds to known venues only, and is cited as the page of a state. */
function rosterOf({file, reading}: ReadSignalFile): Roster[] {
  if (!("listings" in reading)) return [];
  const {listings, list} = reading as DirectoryReading | DealerReading;
  const isRoster = list.feed === "directory";
  return [{file, listings, source: isRoster ? list.source : sourceOfFeed("dealers"), addsVenues: isRoster}];
}

/** A list that a newer one of the same state and scope replaces counts as merged into it. */
function reportOf({file, reading}: ReadSignalFile, merged: number, isReplaced: boolean): FileReport {
  const {rows, otherAccepted, rejected, remark, notes} = reading;
  const byReason = Map.groupBy(rejected, ({reason}) => reason);
  return {
    path: file.path,
    unit: file.unit,
    status: "read",
    reason: remark,
    rowsIn: rows.length + otherAccepted + reading.merged + rejected.length,
    accepted: rows.length - merged + (isReplaced ? 0 : otherAccepted),
    rejected: Object.fromEntries([...byReason].sort().map(([reason, bad]) => [reason, bad.length])),
    merged: merged + reading.merged + (isReplaced ? otherAccepted : 0),
    notes: {...notes},
  };
}
