import {areMandatory, namesPriceRows, namesReportList} from "@open-cattle/usda-reports";
import {objectsOf} from "@open-cattle/usda-reports/values";
import {UserError} from "../../../lib/errors.ts";
import {serveTasks} from "../../../lib/system/bounded-program.ts";
import {maxOutputBytes} from "../../raw/document-reader.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {openSignalFile, type SignalContent} from "../documents/file-content.ts";
import {feedOf} from "../feeds/feeds.ts";
import {readListFile} from "../signals/lists/list-reader.ts";
import {loadListSources} from "../signals/lists/list-sources.ts";
import type {ListContent} from "../signals/lists/list-tables.ts";
import {openList} from "../signals/lists/open-list.ts";
import type {SignalReading} from "../signals/reading.ts";
import {arraysIn} from "../signals/signal-reader.ts";

// The program of the process that reads the files of signal feeds (`docs/design/reliability.md` section 2.1).

/** The task of reading one file, sent to the reader process. */
export type SignalTask = {readonly file: RawFile; readonly tempDir: string};

/**
 * Reads one file of a signal or list feed with the feed's reader. Throws a `UserError` for a file that cannot be read, and for
 * market reports (printed, as price rows, or as their list), which other feeds read.
 */
async function readSignalFile({file, tempDir}: SignalTask): Promise<SignalReading> {
  const feed = feedOf(file.feedOrEntryId, "signals");
  if (feed === undefined) {
    const content = await openList(file, tempDir);
    refuseReports(file, content);
    return readListFile({file, content}, loadListSources());
  }
  const content = await openSignalFile(file, tempDir);
  refuseReports(file, content);
  return feed.read({file, content});
}

function refuseReports({path, feedOrEntryId}: RawFile, content: SignalContent | ListContent): void {
  if ("lines" in content && content.lines.some((line) => printedHeader.test(line)))
    throw new UserError(`${path}: a printed market report; it belongs in the folder ams-text.`);
  const lists = listsIn(content);
  if (namesPriceRows(lists.flatMap(({headers}) => headers)))
    throw new UserError(`${path}: price rows of market reports; they belong in the folder mars.`);
  const reports = lists.find(({headers}) => headers.some(namesReportList));
  const service = reports && (areMandatory(reports.texts()) ? "lmr" : "mars");
  if (service !== undefined && service !== feedOrEntryId)
    throw new UserError(`${path}: a list of reports; it belongs in the folder ${service}.`);
}

/** The line that dates a printed report. */
const printedHeader = /\bWeighted Average Report for\s+(?:week ending\s+)?\d{1,2}\/\d{1,2}\/\d{4}/;

/** A table or list in a file: the lines or records that may name its columns, and its rows as texts. */
type ListIn = {readonly headers: readonly string[][]; readonly texts: () => string[]};

function listsIn(content: SignalContent | ListContent): ListIn[] {
  if ("tables" in content)
    return content.tables.map(({lines}) => {
      const cells = (from: number, to?: number) =>
        lines.slice(from, to).map((line) => line.map(({text}) => text));
      return {headers: cells(0, 3), texts: () => cells(1).map((line) => line.join(" "))};
    });
  return arraysIn(content.body, 3).map((list) => ({
    headers: objectsOf(list.slice(0, 3)).map((record) => Object.keys(record)),
    texts: () => objectsOf(list).map((record) => JSON.stringify(record)),
  }));
}

serveTasks<SignalTask>(readSignalFile, ({file}) => maxOutputBytes(file.sizeBytes));
