import type {RawFile} from "../../raw/raw-files.ts";
import {feedOf} from "../feeds/feeds.ts";
import type {Json} from "../json-values.ts";
import {openText} from "./content.ts";
import {loadListSources} from "./lists/list-sources.ts";
import {listOfRecords, openList} from "./lists/open-list.ts";
import type {SignalReading} from "./reading.ts";

/** The reading of one file, as it is sent to the process that does it. */
export type SignalTask = {readonly file: RawFile; readonly tempDir: string};

/**
 * Reads one file of a signal feed or a list by the reader of its feed; null for a Parquet file whose `records` are not given. Throws a
 * `UserError` for a file that cannot be read.
 */
export async function readSignalFile(
  {file, tempDir}: SignalTask,
  records?: readonly Json[],
): Promise<SignalReading | null> {
  const list = feedOf(file.unit, "lists");
  if (list !== undefined) {
    const content = records === undefined ? await openList(file, tempDir) : listOfRecords(file, records);
    return content && list.read({file, content}, loadListSources());
  }
  const content = records === undefined ? await openText(file) : {kind: "table" as const, records};
  return content && feedOf(file.unit, "signals")!.read({file, content});
}
