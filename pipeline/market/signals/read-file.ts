import {UserError} from "../../../lib/errors.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {namesPriceRows} from "../column-aliases.ts";
import {feedOf} from "../feeds/feeds.ts";
import {type Json, objectsOf} from "../json-values.ts";
import {openText, type SignalContent} from "./content.ts";
import {loadListSources} from "./lists/list-sources.ts";
import type {ListContent} from "./lists/list-tables.ts";
import {listOfRecords, openList} from "./lists/open-list.ts";
import type {SignalReading} from "./reading.ts";
import {arraysIn} from "./table.ts";

/** The reading of one file, as it is sent to the process that does it. */
export type SignalTask = {readonly file: RawFile; readonly tempDir: string};

/**
 * Reads one file of a signal feed or a list by the reader of its feed; null for a Parquet file whose `records` are not given. Throws a
 * `UserError` for a file that cannot be read, and for market reports, printed or as price rows, which other feeds read.
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

function refuseReports({path}: RawFile, content: SignalContent | ListContent | null): void {
  if (content === null) return;
  if (content.kind === "list" && content.lines.some((line) => printedHeader.test(line)))
    throw new UserError(`${path}: a printed market report came; it belongs into the folder ams-text.`);
  if (namesPriceRows(headersIn(content)))
    throw new UserError(`${path}: price rows of market reports came; they belong into the folder mars.`);
}

/** The line that dates a printed report. */
const printedHeader = /\bWeighted Average Report for\s+(?:week ending\s+)?\d{1,2}\/\d{1,2}\/\d{4}/;

/** The lines and records that may name the columns of a content: the first ones of each table or list. */
function headersIn(content: SignalContent | ListContent): string[][] {
  if (content.kind === "list")
    return content.ways
      .flat()
      .flatMap(({lines}) => lines.slice(0, 3).map((line) => line.map(({text}) => text)));
  const lists = content.kind === "table" ? [content.records] : arraysIn(content.body, 3);
  return lists.flatMap((list) => objectsOf(list.slice(0, 3)).map((record) => Object.keys(record)));
}
