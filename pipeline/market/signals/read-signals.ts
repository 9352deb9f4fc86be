import {mkdtemp, rm} from "node:fs/promises";
import {join} from "node:path";
import {messageOf, UserError} from "../../../lib/errors.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {type FileReport, fileWithoutRows} from "../../../schemas/build-report.ts";
import type {ListSource} from "../../../schemas/list-source.ts";
import {openRawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {faultOfFile, isSystemFault} from "../file-faults.ts";
import {sourceOfFeed} from "../market-sources.ts";
import {readNotices} from "./aphis/reader.ts";
import {openText} from "./content.ts";
import {supersededLists} from "./dealers/dealer-records.ts";
import {type DealerFile, type DealerReading, readDealers} from "./dealers/reader.ts";
import {readDiesel} from "./diesel/reader.ts";
import type {Roster} from "./directory/listed-venue.ts";
import {type DirectoryReading, readDirectory} from "./directory/reader.ts";
import {readEcho} from "./echo/reader.ts";
import {withFitValues} from "./fit-values.ts";
import {readFutures} from "./futures/reader.ts";
import {type Gathered, gather, type ReadSignalFile} from "./gather.ts";
import {licenceSources, loadListSources, rosterSources} from "./lists/list-sources.ts";
import type {ListContent} from "./lists/list-tables.ts";
import {listOfRecords, openList} from "./lists/open-list.ts";
import {readMandatory} from "./lmr/reader.ts";
import {readStatistics} from "./nass/reader.ts";
import {readWeather} from "./nws/reader.ts";
import type {SignalReader, SignalReading, SignalValues} from "./reading.ts";
import {readReferences} from "./references/reader.ts";
import {readDrought} from "./usdm/reader.ts";

/** Everything that the feeds beside the price reports say. */
export type Signals = Gathered & {
  readonly reports: FileReport[];
  readonly readFiles: readonly ReadSignalFile[];
  readonly rosters: readonly Roster[];
  readonly dealers: readonly DealerFile[];
};

/** Readers of the feeds that are no price reports, no lists and no geography. */
const readers = {
  lmr: readMandatory,
  nass: readStatistics,
  usdm: readDrought,
  nws: readWeather,
  diesel: readDiesel,
  futures: readFutures,
  aphis: readNotices,
  echo: readEcho,
  references: readReferences,
} satisfies Record<string, SignalReader>;

type ListInput = {readonly file: RawFile; readonly content: ListContent};

/** Readers of the feeds whose files the maps of `data/sources/lists/` say how to read. */
const listReaders = {
  directory: (input: ListInput, lists: readonly ListSource[]) => readDirectory(input, rosterSources(lists)),
  dealers: (input: ListInput, lists: readonly ListSource[]) => readDealers(input, licenceSources(lists)),
};

/** True for a feed that `readSignals` has a reader for. */
export function isSignalFeed(feed: string): boolean {
  return Object.hasOwn(readers, feed) || Object.hasOwn(listReaders, feed);
}

/**
 * Reads the signal feeds. A file that cannot be read is reported with its reason and changes nothing else; rows of a day
 * after the as-of date are kept back (`after_as_of`).
 */
export async function readSignals(
  db: Database,
  files: readonly RawFile[],
  {asOf, tempDir}: {asOf: string; tempDir: string},
): Promise<Signals> {
  const read: ReadSignalFile[] = [];
  const unread: FileReport[] = [];
  const lists = loadListSources();
  for (const file of files) {
    const outcome = await readOne(db, file, {asOf, tempDir, lists});
    if ("reading" in outcome) read.push(outcome);
    else unread.push(outcome);
  }
  const gathered = gather(read);
  const dealers = read.flatMap(({reading}) =>
    "dealers" in reading ? [(reading as DealerReading).dealers] : [],
  );
  const rosters = read.flatMap(({file, reading}) => rosterOf(file, reading));
  const older = supersededLists(dealers);
  const reports = new Map(unread.map((report) => [report.path, report]));
  for (const one of read) {
    const merged = gathered.merged.get(one.file.path) ?? 0;
    reports.set(one.file.path, reportOf(one, merged, older.has(one.file.path)));
  }
  return {...gathered, readFiles: read, rosters, dealers, reports: files.map(({path}) => reports.get(path)!)};
}

/** Gives the venues of a list that was read. A licence list adds to known venues only, and is cited as the page of a state. */
function rosterOf(file: RawFile, reading: SignalReading): Roster[] {
  if (!("listings" in reading)) return [];
  const {listings, list} = reading as DirectoryReading | DealerReading;
  const isRoster = list.feed === "directory";
  return [{file, listings, source: isRoster ? list.source : sourceOfFeed("dealers"), addsVenues: isRoster}];
}

type SignalSetting = {asOf: string; tempDir: string; lists: readonly ListSource[]};

async function readOne(
  db: Database,
  file: RawFile,
  setting: SignalSetting,
): Promise<ReadSignalFile | FileReport> {
  const {asOf} = setting;
  try {
    const read = await readingOf(db, file, setting);
    return {file, reading: afterAsOf(withFitValues(read), asOf)};
  } catch (thrown) {
    if (isSystemFault(thrown)) throw thrown;
    return fileWithoutRows(file.path, file.unit, "failed", faultOfFile(thrown, file.path));
  }
}

async function readingOf(
  db: Database,
  file: RawFile,
  {asOf, tempDir, lists}: SignalSetting,
): Promise<SignalReading> {
  if (Object.hasOwn(listReaders, file.unit)) {
    const content =
      (await openList(file, tempDir)) ?? listOfRecords(file, (await openParquet(db, file, tempDir)).records);
    return listReaders[file.unit as keyof typeof listReaders]({file, content}, lists);
  }
  const content = (await openText(file)) ?? (await openParquet(db, file, tempDir));
  return readers[file.unit as keyof typeof readers]({file, content, asOf});
}

async function openParquet(db: Database, file: RawFile, tempDir: string) {
  const folder = await mkdtemp(join(tempDir, "signal-"));
  try {
    const [path] = await (await openRawContent(file)).extractTo(folder);
    const from = `read_parquet(${sqlText(path!)})`;
    const columns = await db.rows<{column_name: string; column_type: string}>(
      `DESCRIBE SELECT * FROM ${from}`,
    );
    const records = await db.rows(`SELECT ${columns.map(finiteSql).join(", ")} FROM ${from}`);
    return {kind: "parquet" as const, records};
  } catch (thrown) {
    throw new UserError(`${file.path}: ${messageOf(thrown).split("\n")[0]}`);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** SQL: a column of a file; a date or an instant without an end, which no calendar has, is null. */
function finiteSql({column_name, column_type}: {column_name: string; column_type: string}): string {
  const name = sqlName(column_name);
  return /^(DATE|TIMESTAMP)/.test(column_type)
    ? `CASE WHEN isfinite(${name}) THEN ${name} END AS ${name}`
    : name;
}

/** A list that a newer one of the same state and scope replaces counts as merged into it. */
function reportOf({file, reading}: ReadSignalFile, merged: number, replaced: boolean): FileReport {
  const byReason = Map.groupBy(reading.rejected, ({reason}) => reason);
  const rejected = Object.fromEntries([...byReason].sort().map(([reason, rows]) => [reason, rows.length]));
  const accepted = reading.rows.length - merged + (replaced ? 0 : reading.otherAccepted);
  const all = merged + reading.merged + (replaced ? reading.otherAccepted : 0);
  return {
    path: file.path,
    unit: file.unit,
    status: "read",
    reason: reading.remark,
    rowsIn: reading.rows.length + reading.otherAccepted + reading.merged + reading.rejected.length,
    accepted,
    rejected,
    merged: all,
    notes: {...reading.notes},
  };
}

/** Keeps back what a source says of a day after the as-of date: rows that were published, or begin, later. */
function afterAsOf<Reading extends SignalReading>(read: Reading, asOf: string): Reading {
  const late = read.rows.filter(({values}) => isLate(values, asOf));
  if (late.length === 0) return read;
  return {
    ...read,
    rows: read.rows.filter(({values}) => !isLate(values, asOf)),
    rejected: [
      ...read.rejected,
      ...late.map(({values}, index) => ({
        reason: "after_as_of",
        detail: `of ${values.source_date}, after the as-of date ${asOf}`,
        ordinal: index + 1,
        // Not the values: those of futures must not leave by way of the quarantine.
        raw: {signal: values.signal, key: values.key, valid_from: values.valid_from},
      })),
    ],
  };
}

function isLate({source_date: date}: SignalValues, asOf: string): boolean {
  return date !== null && date > asOf;
}
