import type {RawFile} from "../../raw/raw-files.ts";
import {sourceOfFeed} from "../feeds/feeds.ts";
import type {GatheredRow, ReadSignalFile, SignalRow, SignalTables} from "./reading.ts";

type Gathered = {
  readonly tables: SignalTables;
  /** Rows by path that became part of a row of the same key. */
  readonly merged: ReadonlyMap<string, number>;
};

/**
 * One row for each signal, key and first day: the one with the later source date, else of the file that was fetched
 * later. Of facilities and their permits the parts of several answers are put together, the newer value first.
 */
export function gather(files: readonly ReadSignalFile[]): Gathered {
  const tables = new Map<SignalRow["table"], Map<string, GatheredRow>>();
  const merged = new Map<string, number>();
  const oldestFirst = [...files].sort((a, b) => (fetchOrder(a) < fetchOrder(b) ? -1 : 1));
  for (const {file, reading} of oldestFirst)
    for (const {table, values} of reading.rows) {
      const row = gatheredRow(values, file);
      const kept = tables.get(table) ?? new Map<string, GatheredRow>();
      tables.set(table, kept);
      const name = `${row.signal}\n${row.key}\n${row.valid_from}`;
      const known = kept.get(name);
      const isNewer = known === undefined || (row.source_date ?? "") >= (known.source_date ?? "");
      if (known !== undefined) {
        const loser = (isNewer ? known : row).source_path!;
        merged.set(loser, (merged.get(loser) ?? 0) + 1);
      }
      if (isNewer) kept.set(name, known !== undefined && table === "facilities" ? filled(row, known) : row);
    }
  return {tables: new Map([...tables].map(([table, kept]) => [table, [...kept.values()]])), merged};
}

function gatheredRow(values: SignalRow["values"], {unit, path, retrievedAt}: RawFile): GatheredRow {
  return {
    source_id: sourceOfFeed(unit),
    source_date: null,
    ...values,
    source_path: path,
    ingested_at: retrievedAt,
  } as GatheredRow;
}

function filled(newer: GatheredRow, older: GatheredRow): GatheredRow {
  const given = Object.entries(newer).filter(([, value]) => value !== null && value !== undefined);
  return {...older, ...Object.fromEntries(given)} as GatheredRow;
}

function fetchOrder({file}: ReadSignalFile): string {
  return `${file.retrievedAt} ${file.path}`;
}

/**
 * Paths of the files that are current: of lists that are fetched whole from one address (alerts in force, notices) the
 * newest with rows, so that what it leaves out is over. A file without an address in its meta is a list of its own.
 */
export function currentPaths(files: readonly ReadSignalFile[]): Set<string> {
  const listed = files.filter(({reading}) => reading.rows.length > 0);
  const byAddress = Map.groupBy(listed, ({file}) => file.meta?.url ?? file.path);
  const newest = [...byAddress.values()].map((group) =>
    group.reduce((a, b) => (fetchOrder(b) > fetchOrder(a) ? b : a)),
  );
  return new Set(newest.map(({file}) => file.path));
}
