import {isDeepStrictEqual} from "node:util";
import {ConfigError, isUserError, messageOf} from "../../../../lib/errors.ts";
import {shownPath} from "../../../../lib/reference/registry-file.ts";
import type {ListSource} from "../../../../schemas/list-source.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {type ListReading, readListFile} from "./list-reader.ts";
import {readListSource} from "./list-sources.ts";
import {gridLines, type ListContent} from "./list-tables.ts";
import {openList} from "./open-list.ts";

/** Loads a map and checks its example rows. Throws a `ConfigError` with a line for each fault, as `readListSource` does. */
export function readCheckedList(path: string): ListSource {
  const list = readListSource(path);
  const faults = list.accept.rows.flatMap((_, index) => exampleFault(list, index) ?? []);
  if (faults.length > 0)
    throw new ConfigError(faults.map((fault) => `${shownPath(path)}: ${fault}`).join("\n"));
  return list;
}

/** Reads a file with one map only. Throws a `UserError` for a file that cannot be read, or not with this map. */
export async function readByMap(list: ListSource, file: RawFile, tempDir: string): Promise<ListReading> {
  const content = await openList(file, tempDir);
  // A file being checked has no folder yet; use the one where `cattle add --list` would put it.
  const path = `market/${list.feed}/${list.id}/${file.path}`;
  return readListFile({file: {...file, feedOrEntryId: list.feed, path}, content}, [list]);
}

/** The fault in reading an example; null if it was read as expected. */
function exampleFault(list: ListSource, index: number): string | null {
  const {row, line, expect} = list.accept.rows[index]!;
  const content: ListContent = {
    lines: line === undefined ? [] : [line],
    tables:
      row === undefined ? [] : [{kind: "records", lines: gridLines([Object.keys(row), Object.values(row)])}],
  };
  const reading = exampleReading(list, content);
  const wrong = Object.entries(expect).filter(([name, value]) => !isDeepStrictEqual(reading[name], value));
  const shown = wrong.map(
    ([name, value]) =>
      `${name} is ${JSON.stringify(reading[name] ?? null)}, expected ${JSON.stringify(value)}`,
  );
  return wrong.length === 0 ? null : `accept.rows.${index}: ${shown.join("; ")}${reading["fault"] ?? ""}.`;
}

function exampleReading(list: ListSource, content: ListContent): Record<string, unknown> {
  const lenient = {...list, accept: {minRows: 0, maxRejectShare: 1, rows: []}};
  const file = {
    path: `market/${list.feed}/${list.id}/example`,
    feedOrEntryId: list.feed,
    retrievedAt: "1970-01-01T00:00:00Z",
    meta: null,
  };
  try {
    const reading = readListFile({file, content}, [lenient]);
    const [rejected] = reading.rejected;
    if (rejected !== undefined) return {rejected: rejected.reason};
    return {...reading.listings[0], ...reading.dealers?.entries[0]};
  } catch (error) {
    if (!isUserError(error)) throw error;
    return lenient.lines === undefined ? {fault: ` (${messageOf(error)})`} : {rejected: "no_row"};
  }
}
