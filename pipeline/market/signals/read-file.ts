import {UserError} from "../../../lib/errors.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {namesPriceRows, namesReportList} from "../column-aliases.ts";
import {feedOf} from "../feeds/feeds.ts";
import {type Json, objectsOf} from "../json-values.ts";
import {feedOfReports} from "../words/report-title.ts";
import {openText, type SignalContent} from "./content.ts";
import {loadListSources} from "./lists/list-sources.ts";
import type {ListContent} from "./lists/list-tables.ts";
import {listOfRecords, openList} from "./lists/open-list.ts";
import type {SignalReading} from "./reading.ts";
import {arraysIn} from "./table.ts";

/** The task of reading one file, sent to the reader process. */
export type SignalTask = {readonly file: RawFile; readonly tempDir: string};

/**
 * Reads one file of a signal or list feed with the feed's reader; null for a Parquet file if its `records` are not given.
 * Throws a `UserError` for a file that cannot be read, and for market reports (printed, as price rows, or as their list), which
 * other feeds read.
 */
export async function readSignalFile(
  {file, tempDir}: SignalTask,
  records?: readonly Json[],
): Promise<SignalReading | null> {
  const list = feedOf(file.unit, "lists");
  if (list !== undefined) {
    const content = records === undefined ? await openList(file, tempDir) : listOfRecords(file, records);
    refuseReports(file, content);
    return content && list.read({file, content}, loadListSources());
  }
  const content = records === undefined ? await openText(file) : {kind: "table" as const, records};
  refuseReports(file, content);
  return content && feedOf(file.unit, "signals")!.read({file, content});
}

function refuseReports({path, unit}: RawFile, content: SignalContent | ListContent | null): void {
  if (content === null) return;
  if (content.kind === "list" && content.lines.some((line) => printedHeader.test(line)))
    throw new UserError(`${path}: a printed market report came; it belongs into the folder ams-text.`);
  const lists = listsIn(content);
  if (namesPriceRows(lists.flatMap(({headers}) => headers)))
    throw new UserError(`${path}: price rows of market reports came; they belong into the folder mars.`);
  const reports = lists.find(({headers}) => headers.some(namesReportList));
  const service = reports && feedOfReports(reports.texts());
  if (service !== undefined && service !== unit)
    throw new UserError(`${path}: a list of reports came; it belongs into the folder ${service}.`);
}

/** The line that dates a printed report. */
const printedHeader = /\bWeighted Average Report for\s+(?:week ending\s+)?\d{1,2}\/\d{1,2}\/\d{4}/;

/** A table or list in a file: the lines or records that may name its columns, and its rows as texts. */
type ListIn = {readonly headers: readonly string[][]; readonly texts: () => string[]};

function listsIn(content: SignalContent | ListContent): ListIn[] {
  if (content.kind === "list")
    return content.ways.flat().map(({lines}) => {
      const cells = (from: number, to?: number) =>
        lines.slice(from, to).map((line) => line.map(({text}) => text));
      return {headers: cells(0, 3), texts: () => cells(1).map((line) => line.join(" "))};
    });
  const lists = content.kind === "table" ? [content.records] : arraysIn(content.body, 3);
  return lists.map((list) => ({
    headers: objectsOf(list.slice(0, 3)).map((record) => Object.keys(record)),
    texts: () => objectsOf(list).map((record) => JSON.stringify(record)),
  }));
}
