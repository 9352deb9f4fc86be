import type {RawFile} from "../../raw/raw-files.ts";
import {feedOf} from "../feeds/feeds.ts";
import {openText, type SignalContent} from "./content.ts";
import {loadListSources} from "./lists/list-sources.ts";
import type {ListContent} from "./lists/list-tables.ts";
import {listOfRecords, openList} from "./lists/open-list.ts";
import type {SignalReading} from "./reading.ts";

/** The reading of one file, as it is sent to the process that does it. */
export type SignalTask = {readonly file: RawFile; readonly tempDir: string};

/**
 * Reads one file of a signal feed or a list; null for a Parquet file, whose records `signalsOf` takes. Throws a `UserError` for a file
 * that cannot be read.
 */
export async function readSignalFile({file, tempDir}: SignalTask): Promise<SignalReading | null> {
  const isList = feedOf(file.unit, "lists") !== undefined;
  const content = isList ? await openList(file, tempDir) : await openText(file);
  return content === null ? null : signalsOf(file, content);
}

/** Gives what the content of a file says, by the reader of its feed. Throws as that does. */
export function signalsOf(file: RawFile, content: SignalContent | ListContent): SignalReading {
  const list = feedOf(file.unit, "lists");
  if (list === undefined)
    return feedOf(file.unit, "signals")!.read({file, content: content as SignalContent});
  const lines = content.kind === "parquet" ? listOfRecords(file, content.records) : (content as ListContent);
  return list.read({file, content: lines}, loadListSources());
}
