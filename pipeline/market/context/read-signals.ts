import type {ModelRun} from "../../../lib/models/model-run.ts";
import {ownProgram} from "../../../lib/system/own-child.ts";
import {type FileReport, fileWithoutRows} from "../../../schemas/build-report.ts";
import type {ReferencePage} from "../../../schemas/reference-page.ts";
import {DocumentReader, faultOfFile, isSystemFault, placeOf} from "../../raw/document-reader.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {supersededLists} from "../answers/dealer-records.ts";
import {sourceOfFeed} from "../feeds/feeds.ts";
import {shippedReferences} from "../feeds/references.ts";
import type {ListFile} from "../signals/lists/list-reader.ts";
import type {ReadSignalFile, SignalReading} from "../signals/reading.ts";
import {gathered, signal_rejects, signalReadings} from "../signals/signal-tables.ts";
import type {SignalTask} from "./signal-program.ts";

/** The result of reading all feeds other than price reports. */
export type Signals = {
  readonly reports: FileReport[];
  readonly lists: readonly ListFile[];
};

/**
 * Reads signal and list feeds and gathers signals, with the shipped pointers, into their tables (`signals/signal-tables.ts`). A file that
 * cannot be read is reported with its reason and affects nothing else.
 */
export async function readSignals(
  run: ModelRun,
  files: readonly RawFile[],
  {asOf, tempDir, pages = []}: {asOf: string; tempDir: string; pages?: readonly ReferencePage[]},
): Promise<Signals> {
  const signalFiles: ReadSignalFile[] = [];
  const reports = new Map<string, FileReport>();
  for (const file of files) {
    try {
      const task: SignalTask = {file, tempDir};
      const reading = (await documents.read(task, placeOf(file))) as SignalReading;
      const listDay = dayOfList(reading);
      if (listDay === null || listDay <= asOf) signalFiles.push({file, reading});
      else {
        const reason = `a list of ${listDay}, after the as-of date ${asOf}`;
        reports.set(file.path, fileWithoutRows(file.path, file.feedOrEntryId, "left_out", reason));
      }
    } catch (thrown) {
      if (isSystemFault(thrown)) throw thrown;
      reports.set(
        file.path,
        fileWithoutRows(file.path, file.feedOrEntryId, "failed", faultOfFile(thrown, file.path)),
      );
    }
  }
  const cited = [...signalFiles, shippedReferences(pages, asOf, signalFiles)].map((one) => ({
    ...one,
    source: one.reading.table === null ? null : sourceOfFeed(one.file.feedOrEntryId),
  }));
  await run.give(signalReadings, cited).make(signal_rejects, ...Object.values(gathered));
  const lists = signalFiles.filter((one): one is ListFile => "list" in one.reading);
  const older = supersededLists(lists.flatMap(({reading}) => reading.dealers ?? []));
  const counts = Map.groupBy(await run.db.rows<RowCount>(countsSql), ({path}) => path);
  for (const one of signalFiles)
    reports.set(one.file.path, reportOf(one, counts.get(one.file.path) ?? [], older.has(one.file.path)));
  return {lists, reports: files.map(({path}) => reports.get(path)!)};
}

/** The date that a licence list states for itself; null for other files. */
function dayOfList(reading: SignalReading): string | null {
  return "dealers" in reading ? ((reading as ListFile["reading"]).dealers?.asOf ?? null) : null;
}

/** Row counts of a file by reject reason; a null reason counts the rows in tables. */
type RowCount = {readonly path: string; readonly reason: string | null; readonly n: number};

const countsSql = `SELECT source_path AS path, reason, count(*)::INTEGER AS n FROM (
    SELECT source_path, reject_reason AS reason FROM signal_rejects
    ${Object.values(gathered)
      .map(({name}) => `UNION ALL SELECT source_path, NULL FROM ${name}`)
      .join(" ")}
  ) GROUP BY ALL ORDER BY ALL`;

/** The files are untrusted, so a separate process reads them. */
const documents = new DocumentReader(ownProgram("./signal-program", import.meta.url));

/** Rows combined into another row, and a list replaced by a newer one of the same state and scope, count as merged. */
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
    unit: file.feedOrEntryId,
    status: "read",
    reason: remark,
    rowsIn,
    accepted,
    rejected: Object.fromEntries(bad.map(({reason, n}) => [reason, n])),
    merged: rowsIn - accepted - sum(bad),
    notes: {...notes},
  };
}
